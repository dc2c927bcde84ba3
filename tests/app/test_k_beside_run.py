"""The predicted speedup beside Run: the curve of the run that is on the stage, at the length that the form has."""

import re

from playwright.sync_api import expect

from specviz.reporting.player.scripts import script, style
from tests.app.lab import Lab, as_script
from tests.helpers.views import MIXED, plain_of, shipped_view, trace_of, view_of


def _beside(lab: Lab, k: int) -> None:
    lab.page.evaluate("k => mountBeside({ data: { k }, parentElement: document.getElementById('beside') })", k)


def test_the_curve_is_that_of_the_run_on_the_stage(lab: Lab) -> None:
    """It is there before and after the run, follows another one, points at the k of the form, at that of auto where it is left open, and has
    no number where the run has none."""
    lab.page.evaluate("() => { window.mountStage = mount; }")
    lab.page.evaluate(
        "document.body.insertAdjacentHTML('afterbegin', `<div id='beside'><div class='k-beside'></div></div>`)"
    )
    lab.page.add_style_tag(content=style("k"))
    lab.page.add_script_tag(content=as_script(script("k")))
    lab.page.evaluate("() => { window.mountBeside = mount; window.mount = mountStage; }")
    beside = lab.page.locator(".k-beside")
    words = beside.locator("p")
    _beside(lab, 0)
    expect(beside.locator("svg")).to_be_hidden()
    lab.show({**shipped_view("people"), "able": ["auto"]})
    expect(words).to_contain_text(re.compile(r"^k = 5: predicted 2\.\d\d× estimate: from this run's acceptance"))
    expect(beside.get_by_role("img", name="This run: k = 5, measured 2.10×.")).to_be_visible()
    _beside(lab, 3)
    expect(words).to_contain_text(re.compile(r"^k = 3: predicted \d\.\d\d×"))
    doubted = {"trusted": False, "why": "this machine is busy", "between": "between 0.4× and 8.7×", "grounds": ""}
    trace = trace_of(MIXED)
    lab.show(view_of(trace, plain_of(trace), timing=doubted, able=["auto"]))
    expect(words).to_contain_text("The times of this run are not trusted")
    assert "×" not in beside.inner_text()
    expect(beside.locator("svg")).to_be_hidden()
