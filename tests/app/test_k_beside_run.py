"""The predicted speedup beside Run: the curve of the run that is on the stage, at the length that the form has."""

import re

from playwright.sync_api import Locator, expect

from specviz.reporting.player.scripts import script, style
from tests.app.lab import Lab, as_script
from tests.helpers.views import MIXED, plain_of, shipped_view, trace_of, view_of


def _beside(lab: Lab, k: int) -> None:
    lab.page.evaluate("k => mountBeside({ data: { k }, parentElement: document.getElementById('beside') })", k)


def _page(lab: Lab) -> Locator:
    """The stage with the curve above it."""
    lab.page.evaluate("() => { window.mountStage = mount; }")
    lab.page.evaluate(
        "document.body.insertAdjacentHTML('afterbegin', `<div id='beside'><div class='k-beside'></div></div>`)"
    )
    lab.page.add_style_tag(content=style("k"))
    lab.page.add_script_tag(content=as_script(script("k")))
    lab.page.evaluate("() => { window.mountBeside = mount; window.mount = mountStage; }")
    return lab.page.locator(".k-beside")


def test_the_curve_is_that_of_the_run_on_the_stage(lab: Lab) -> None:
    """It is there before and after the run, follows another one, points at the k of the form, at that of auto where it is left open, and has
    no number where the run has none."""
    beside = _page(lab)
    words = beside.locator("p")
    _beside(lab, 0)
    expect(beside.get_by_role("button")).to_have_count(0)
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


def test_exact_steps_of_another_length_are_shown_on_the_stage(lab: Lab) -> None:
    """Where a run can be replanned a button has the stage show it with the form's length, and back; where it cannot there is none."""
    beside, trace = _page(lab), trace_of(MIXED)
    replan = {"matches": [True] * len(trace.token_ids), "c": 0.5, "v": [1.0, 1.1, 1.2, 1.3], "pass_s": 0.01}
    lab.show(view_of(trace, plain_of(trace), replan=replan, able=["auto"]))
    lab.press("End", "Escape")
    expect(lab.page.locator(".round-name")).to_contain_text("Round 4 of 4")
    _beside(lab, 1)
    beside.get_by_role("button", name="Show this run with k = 1").click()
    lab.press("End", "Escape")
    expect(lab.page.locator(".round-name")).to_contain_text("of 5")
    beside.get_by_role("button", name="Show the real run").click()
    lab.settle()
    expect(lab.page.locator(".round-name")).to_contain_text("of 4")
    lab.show({**view_of(trace, plain_of(trace), able=["auto"]), "id": "another"})
    expect(beside.get_by_role("button")).to_have_count(0)
