"""How the pictures and the walks bring the page to a moment that is worth looking at."""

import re
from typing import NamedTuple

from playwright.sync_api import Page, expect


class StageMoment(NamedTuple):
    """A moment of the first round with a rejection: from the end of a phase on, the first one where `when` holds for the stage."""

    name: str
    phases: int
    when: str
    coloured: bool = False


MOMENTS = (
    StageMoment("draft", 0, "stage => stage.querySelectorAll('.guess.typed').length > 1"),
    StageMoment(
        "sweep",
        1,
        "stage => stage.querySelector('.guesses.checking') && Number(stage.querySelector('.guesses').style.getPropertyValue('--progress')) > 0.4",
    ),
    StageMoment(
        "verdicts",
        2,
        "stage => stage.querySelector('.guess.accepted') && stage.querySelector('.desk').dataset.staged === ''",
        True,
    ),
    StageMoment("beat", 2, "stage => stage.querySelector('.desk').dataset.staged === 'still'", True),
    StageMoment("rejection", 2, "stage => stage.querySelector('.desk').dataset.staged === 'walled'", True),
    StageMoment("correction", 3, "stage => stage.querySelector('.sunk:not([hidden])')", True),
)
_SEEK = """async (stage, when) => {
    const holds = eval(when);
    const scrubber = stage.querySelector(".scrubber");
    for (let left = 120; left > 0; left -= 1) {
        if (holds(stage)) return true;
        scrubber.value = Number(scrubber.value) + 1;
        scrubber.dispatchEvent(new Event("input"));
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
    }
    return false;
}"""


def go(page: Page, moment: StageMoment) -> None:
    """Put the stage, which shows a whole run, to that moment."""
    page.locator(".stage").focus()
    for key in ("Home", "n", ",", ",", ",", *["."] * moment.phases):
        page.keyboard.press(key)
    assert page.locator(".stage").evaluate(_SEEK, moment.when), f"no such moment: {moment.name}"
    page.wait_for_timeout(900)  # what moves has arrived


def next_round_with(page: Page, part: str) -> None:
    """On to the end of the next round whose desk has this."""
    page.locator(".stage").focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(120)
        if page.locator(part).count():
            return
    raise AssertionError(f"no round has {part}")


def run(page: Page) -> None:
    """Press Run and wait until the run is written; plain decoding may still be under way."""
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".stage .note")).not_to_contain_text("recorded earlier")
    expect(page.locator(".manuscript .token").first).to_be_attached(timeout=120_000)
    expect(page.locator(".round-name")).to_have_text(re.compile(r"of \d+"), timeout=120_000)


def race(page: Page) -> None:
    """Press Race and wait until all lanes are measured."""
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".race .note")).to_contain_text("replayed on one clock", timeout=240_000)


def open_recording(page: Page, title: str) -> None:
    """One of the recordings that come with the project, at its start; another one than that on the stage."""
    before = page.locator(".stage .manuscript .prompt").text_content() or ""
    page.get_by_role("button", name="Save and share").click()
    page.get_by_role("combobox", name="Open a real run, recorded earlier").click()
    page.get_by_role("option", name=title).click()
    expect(page.locator(".stage .manuscript .prompt")).not_to_have_text(before)
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="Open a real run, recorded earlier")).to_be_hidden()
    page.locator(".stage").focus()
    page.keyboard.press("Home")


def choose(page: Page, title: str = "A capital") -> None:
    """One of the ready-made prompts of the category that is shown."""
    page.get_by_role("button", name=title, exact=True).first.click()
