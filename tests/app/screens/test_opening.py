"""The opening of a first visit: alone on an empty page, and once in the app."""

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from app.screens import opening
from app.stage import recordings
from specviz.reporting.player.scripts import given, style
from tests.app.conftest import person
from tests.app.lab import SIZES, serious, themed
from tests.helpers.lessons import lesson_of
from tests.helpers.node import joined

_PAGE = """<!doctype html><html lang="en"><title>Opening</title><meta name="viewport" content="width=device-width"><style>
  {themed}
  body {{ margin: 8px; background: var(--st-background-color); }}
  {style}
</style><main><h1 class="unseen">specviz</h1><div class="stage duel" data-theme="light"></div></main>"""
_BEGIN = """([recording, given]) => {
    window.chosen = [];
    window.heard = [];
    document.addEventListener("keydown", (event) => heard.push(event.key));
    const run = inside.readRun({ id: "opening", status: "opened", recording }, given);
    window.duel = new inside.Duel(document.querySelector(".duel"), run, (way) => chosen.push(way));
}"""


def _begin(page: Page) -> None:
    recording: dict[str, Any] = recordings.read_shipped(opening.RECORDING)["recording"]
    page.set_content(_PAGE.format(themed=themed("light"), style=style("duel")))
    page.add_script_tag(content=joined("inside", "opening/duel", "shared/read_recording"))
    page.evaluate(_BEGIN, [recording, given()])


def _at(page: Page, seconds: float) -> None:
    page.evaluate("seconds => { duel.playing = false; duel.clock = seconds; duel.tick(0); }", seconds)


def test_it_plays_pauses_and_closes_by_keyboard(blank: Page) -> None:
    """It begins by itself; Space pauses it and goes on, wherever no field is being written in, and the stage below does not hear it; at the
    end all stands still and Space begins again; Escape closes it."""
    _begin(blank)
    clock = "duel.clock"
    blank.wait_for_function(f"{clock} > 0.1")
    blank.keyboard.press(" ")
    paused = blank.evaluate(clock)
    expect(blank.get_by_role("button", name="Play (space)")).to_be_visible()
    blank.wait_for_timeout(150)
    assert blank.evaluate(clock) == paused
    blank.keyboard.press(" ")
    blank.wait_for_function(f"{clock} > {paused}")
    _at(blank, 15)
    assert blank.locator(".duel-count b").all_inner_texts() == ["48", "10"]
    expect(blank.locator(".duel-closing")).to_contain_text("Same text. 4.8 times fewer passes.")
    expect(blank.locator(".duel-closing")).to_contain_text(re.compile(r"2\.\d× as fast"))
    assert "each measured alone" in str(blank.locator(".duel-speedup").get_attribute("data-note"))
    blank.keyboard.press(" ")
    blank.wait_for_function(f"{clock} < 5 && duel.playing")
    blank.keyboard.press("Escape")
    assert blank.evaluate("chosen") == ["close"]
    assert blank.evaluate("heard") == []


def test_nothing_moves_its_lines_and_nothing_is_cut(blank: Page) -> None:
    """At both sizes no chip is wider than its lane, the page never scrolls sideways, and the buttons stay where they are from the first
    moment to the last."""
    cut = "all => all.filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 2).map(one => one.textContent)"
    for width, height in SIZES:
        blank.set_viewport_size({"width": width, "height": height})
        _begin(blank)
        tops = set()
        for seconds in (0, 1.5, 2.6, 8, 9, 15):
            _at(blank, seconds)
            assert blank.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, seconds)
            tops.add(blank.evaluate("Math.round(document.querySelector('.duel-buttons').getBoundingClientRect().top)"))
            assert blank.locator(".duel-chip").evaluate_all(cut) == []
        assert len(tops) == 1, (width, tops)
        assert max(tops) < height, width


def test_less_motion_is_its_end(blank: Page) -> None:
    """The end is there at once, with no clock that runs, and plays only if it is asked to. A screen reader gets all of it as one text instead of the
    picture, and axe finds nothing serious."""
    blank.emulate_media(reduced_motion="reduce")
    _begin(blank)
    assert blank.locator(".duel-count b").all_inner_texts() == ["48", "10"]
    expect(blank.locator(".duel-closing")).to_be_visible()
    assert blank.evaluate("duel.playing") is False
    words = blank.locator(".duel > .unseen").inner_text()
    for part in ("48 passes", "10 passes", "Same text. 4.8 times fewer passes."):
        assert part in words
    expect(blank.locator(".duel-picture")).to_have_attribute("aria-hidden", "true")
    assert serious(blank) == []
    blank.get_by_role("button", name="Play (space)").click()
    blank.wait_for_function("duel.playing && duel.clock > 0.1")


def test_a_first_visit(browser: Browser, server: str) -> None:
    """The opening is there for a browser until it is closed, on the plain address only; it leads to the prompt and to the lesson."""
    with person(browser, stranger=True, reduced_motion=None) as page:
        duel, desk = page.locator(".duel"), page.locator(".desk")

        # Never where the address carries a prompt. What waits for Run is said once.
        page.goto(f"{server}/?prompt=Hello")
        expect(page.get_by_text("Nothing has run with this prompt yet: press Run.")).to_be_visible()
        expect(page.locator(".st-key-changed, .duel, .stage, .st-key-plays")).to_have_count(0)

        # It covers nothing, and stands there without the title of the recording, which would say the same.
        page.goto(server)
        expect(page.get_by_role("region", name="The same text, written twice")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(desk).to_be_attached()
        expect(page.locator(".title")).to_be_hidden()

        # What is typed after "Your own prompt" replaces the old text.
        page.get_by_role("button", name="Your own prompt").click()
        prompt = page.get_by_role("textbox", name="Prompt")
        expect(prompt).to_be_focused()
        page.evaluate("document.activeElement.blur()")  # as where the page draws the box anew
        expect(duel).to_have_count(0)
        expect(prompt).to_be_focused()
        assert page.evaluate("document.activeElement.selectionEnd") > 0

        # Later in a visit, and after a reload, it is there only where it is asked for.
        page.reload()
        expect(desk).to_be_attached()
        expect(page.get_by_role("link", name="Learn")).to_be_visible()
        expect(duel).to_have_count(0)
        page.emulate_media(reduced_motion="reduce")  # its end is there at once
        page.get_by_role("button", name="The idea").click()
        page.locator(".duel-speedup").click()
        expect(page.locator(".note-shown")).to_contain_text("the median of 5 pairs")
        page.get_by_role("button", name="Close (Escape)").click()
        expect(duel).to_have_count(0)
        page.get_by_role("button", name="The idea").click()
        page.get_by_role("button", name="Why does it work?").click()
        expect(page.locator(".learn-title")).to_have_text(lesson_of("editor").title)
        page.go_back()
        expect(desk).to_be_attached()
        expect(page).not_to_have_url(re.compile("learn|lesson"))
        expect(duel).to_have_count(0)
