"""The studies of the Lab as a person meets them: a real server, small real measurements of the embedded pair, a real browser."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from app import resources, visitor
from app.job import Status
from app.lab import answer as answer_
from app.lab import running
from app.lab.driver import Sitting, Standing
from app.lab.studies import heat, point_names, profiles
from specviz.folders import ASSETS
from specviz.lab.profile import as_json
from specviz.lab.strip import KindOfText, StripToken
from specviz.lab.study import TextsAsked, TextsFound
from specviz.settings import Settings
from tests.app.conftest import PATIENCE_MS, fresh_page, rests
from tests.app.pressing import downloaded
from tests.helpers.app_page import run
from tests.lab.test_profile import MADE

MARKUP = "One, two, <b>three</b>, <img src=x onerror='window.stolen=1'> four, five & six."


@pytest.fixture(scope="module")
def page(browser: Browser, server: str) -> Iterator[Page]:
    """The screen, for the whole file."""
    with fresh_page(browser) as fresh:
        given = {"section": "best-k", "dtype": "float32", "prompt": "One, two, three,"}
        fresh.goto(f"{server}/lab?{urlencode(given)}")
        yield fresh


def _section(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).click()


def _fill(page: Page, label: str, value: str, role: str = "spinbutton") -> None:
    box = page.get_by_role(role, name=label, exact=True)  # type: ignore[arg-type]
    box.fill(value)
    box.press("Enter")


def _upload(page: Page, file: Any, shows: Callable[..., None]) -> None:
    """Give a file to the last upload box until the page shows what comes of it, as an expectation says. A page that is rendered again just then drops a file, as happens
    to people on a busy machine: they give it again."""
    for last in (False, False, True):
        rests(page)
        page.locator("input[type=file]").last.set_input_files(file)
        try:
            return shows(timeout=PATIENCE_MS if last else PATIENCE_MS / 6)
        except AssertionError:
            if last:
                raise
    return None


def _is_over(page: Page) -> None:
    expect(page.get_by_test_id("stProgress")).to_have_count(0)


def test_the_best_k_of_a_prompt(page: Page) -> None:
    """Lengths that cannot be are one sentence; then every length has its figures, and one sentence answers, or says that the machine is busy."""
    start = page.get_by_role("button", name="Find the best k")
    _fill(page, "Draft lengths", "0", "textbox")
    start.click()
    expect(page.get_by_text(re.compile("give draft lengths from 1"))).to_be_visible()
    _fill(page, "Draft lengths", "2", "textbox")
    _fill(page, "New tokens", "8")
    _fill(page, "Repeats", "1")
    start.click()
    expect(page.get_by_text("Every k in figures")).to_be_visible()
    _is_over(page)
    answer = page.get_by_role("heading", name=re.compile(r"k = 2 pays most|No k pays here|No answer: "))
    expect(answer).to_be_visible()
    page.locator(".st-key-save-best-k button").first.click()
    saved = json.loads(Path(downloaded(page, page.get_by_role("button", name="JSON", exact=True)).path()).read_text())
    assert saved["schema"] == answer_.SCHEMA
    assert answer.inner_text().startswith(saved["answer"])
    assert [each["k"] for each in saved["figures"]] == [2]
    written = Path(downloaded(page, page.get_by_role("button", name="Page", exact=True)).path()).read_text()
    assert saved["answer"] in written
    page.keyboard.press("Escape")


def test_an_own_text_is_shown_as_text(page: Page) -> None:
    """Markup in it stays text, letter by letter; every token has its colour; an empty box and a file that is no text are one sentence each."""
    _section(page, "Kinds of text")
    page.get_by_role("tab", name="Your own text").click()
    start = page.get_by_role("button", name="Colour my text")
    start.click()
    expect(page.get_by_text("There is no text")).to_be_visible()
    binary = {"name": "a.bin", "mimeType": "text/plain", "buffer": b"\xff\x00"}
    _upload(page, binary, expect(page.get_by_text("is not text in UTF")).to_be_visible)
    own = {"name": "a.txt", "mimeType": "text/plain", "buffer": MARKUP.encode()}
    _upload(page, own, partial(expect(page.get_by_role("textbox", name="Your text")).to_have_value, MARKUP))
    start.click()
    strip = page.locator(".heat")
    expect(strip).to_have_text(MARKUP)
    _is_over(page)
    assert strip.locator("img, b").count() == 0
    assert page.evaluate("window.stolen") is None
    colours = strip.locator("span").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) > 1
    assert "rgba(0, 0, 0, 0)" not in colours
    expect(page.get_by_role("heading", name=re.compile("^Of the draft's proposals"))).to_be_visible()


def test_rush_hour_and_another_machine(page: Page, tmp_path: Path) -> None:
    """An absurd profile is refused in a sentence; with a good one and a measured α the page says how many guests pay, a simulated server is
    labelled so, and a recording is priced with the profile's label."""
    _section(page, "Kinds of text")
    page.get_by_role("tab", name="Ready-made kinds").click()
    _fill(page, "Prompts of each kind", "1")
    _fill(page, "New tokens", "2")
    _section(page, "Rush hour")
    expect(page.get_by_text("How many guests at once")).to_be_visible()
    expect(page.get_by_role("tab")).to_have_count(0)
    good = as_json(MADE)
    absurd = {**good, "pass_s": 1e9}
    for name, value in (("absurd", absurd), ("desk", good)):
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    _upload(page, tmp_path / "absurd.json", expect(page.get_by_text("The cost profile cannot be right")).to_be_visible)
    _upload(
        page,
        tmp_path / "desk.json",
        expect(page.get_by_text(re.compile("Profile of a desk · measured by Ada")).first).to_be_visible,
    )
    rests(page)
    expect(page.locator(".st-key-surface-chart .main-svg, [class*=surface-chart] .main-svg").first).to_be_attached()
    page.get_by_role("button", name="Measure α of every kind").click()
    expect(page.get_by_role("heading", name=re.compile("^(It pays|Switch)"))).to_be_visible()
    _fill(page, "Tokens of a request", "4")
    _fill(page, "Requests", "10")
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_text(re.compile("^Simulated, seed 0: 10 requests of 4 tokens"))).to_be_visible()
    _is_over(page)

    _section(page, "Another machine")
    expect(page.get_by_text("There is no run yet")).to_be_visible()
    priced = page.get_by_role("heading", name=re.compile("priced with the profile of a desk"))
    _upload(page, ASSETS / "traces" / "capital.json", expect(priced).to_be_visible)
    page.get_by_role("button", name="Open the priced run on Watch").click()
    expect(page.locator(".stage .role b:not(:empty)").first).to_be_attached()


class _Sitting(Sitting):
    """One that has the status that a test gives it."""

    def standing(self, before: int = 0) -> Standing | None:
        return None if self.over else Standing(2, 1, before, "", "reading", 0, None, False, self.visitor)


def _rush() -> None:
    from app.lab.studies import rush

    rush.section()


def test_rush_hour_notices_the_end_of_a_measurement_that_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """While α of the first kinds is shown and the others are still being measured, the page has Stop and the progress, whose polls notice the
    end: else the simulated server would not come until something is clicked."""
    monkeypatch.setattr(profiles, "chooser", lambda: MADE)
    sitting = _Sitting(resources.jobs(), [TextsAsked("facts", Settings(), template=False)])
    sitting.found.append(TextsFound(KindOfText("facts", 0.8, 0.7, 0.9, (), (), own=False), "", cut=False, machine=""))
    monkeypatch.setattr(visitor, "name", lambda: "")
    page = run(_rush, _study_sitting_texts=sitting)
    assert any("guests" in each.value for each in page.markdown)
    assert [each.label for each in page.button if not each.disabled] == ["Stop"]
    sitting.status = Status.DONE
    page.run()
    assert [each.label for each in page.button] == ["Simulate"]

    def ends_before(kind: str, *_: Any, **__: Any) -> None:
        sitting.status = Status.DONE

    sitting.status = Status.RUNNING
    monkeypatch.setattr(running, "bar", ends_before)
    page.run()
    assert any("toy server" in each.value for each in page.markdown), "it ended while the page was rendered"


def test_the_strip_escapes_and_shows_what_nobody_could_see() -> None:
    """Markup, a turned line, a line end; tokens that share a letter are one piece."""
    html = heat.html("<", [StripToken("<b>\u202e", 0.0), StripToken("", 0.2), StripToken("ż\n", 0.6)])
    assert "&lt;b&gt;⟨U+202E⟩" in html
    assert "\u202e" not in html
    assert "ż↵\n" in html
    assert [*heat.pieces([StripToken("", 0.2), StripToken("ż", 0.6)])] == [("ż", 0.4)]


def test_names_of_near_points_do_not_overlap() -> None:
    """Three points in a row at the same height, nearer than their names are long; and one alone has its name above it."""
    assert point_names.places([(0.5, 0.5)], ["model"]) == ["top center"]
    found = point_names.places([(0.50, 0.7), (0.52, 0.7), (0.54, 0.7)], ["undistilled", "model", "dspark"])
    assert len(set(found)) == 3
    assert point_names.places([(0.50, 0.7), (0.50, 0.8)], ["lower", "upper"]) == ["bottom center", "top center"]
