"""`make screenshots`: every state of the page as pictures, for eyes. Not a test.

Each state is looked at in all four sizes, in alternating themes: one that is light at one size is dark at the next, and the state after it the
other way round. `make screenshots SCENES="talk race"` takes some scenes only.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Page, expect, sync_playwright

from tests.app.app_server import ROOT, serving
from tests.app.chromium import FLAGS, find, returning

expect.set_options(timeout=240_000)
_SIZES = {"1280": (1280, 720), "1920": (1920, 1080), "768": (768, 1024), "390": (390, 844)}
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_RUN = "dtype=float32&drafter=model&policy=fixed&max_new_tokens=32&prompt=The+capital+of+Burkina+Faso+is"
_WRITTEN = "wait .manuscript .token", "wait .end-card:not([hidden]), .round-name"
_REJECTION = "Home", "n", ",", ",", ","
_ENDED = "wait .race .lane.finished"


class State(NamedTuple):
    """A state of the page, from the one before it on where it has no address of its own.

    Attributes:
        steps: a key on the stage; `press NAME` of a button, `click SELECTOR`, `open NAME` of a recorded run, `wait SELECTOR`, `clock SHARE` in thousandths,
            `until CONDITION` of the stage, a fifth of a thousandth further at a time.
        scrolled: what a narrow window shows at its top; the page's own top where it is empty.
    """

    name: str
    address: str | None = None
    steps: Sequence[str] = ()
    scrolled: str = ".stage"


_MOMENTS = (
    State("draft", None, (*_REJECTION, "until stage.querySelectorAll('.guess.typed').length > 1")),
    State("sweep", None, (*_REJECTION, ".", "until stage.querySelector('.guesses.checking')?.style.getPropertyValue('--progress') > 0.4")),
    State("verdicts", None, (*_REJECTION, ".", ".", "until stage.querySelector('.guess.accepted') && !stage.querySelector('[data-staged=still], [data-staged=walled]')")),
    State("rejection", None, (*_REJECTION, ".", ".", "until stage.querySelector('[data-staged=walled]')")),
    State("correction", None, (*_REJECTION, ".", ".", ".", "until stage.querySelector('.sunk:not([hidden])')")),
)  # fmt: skip
_STAGE = (*_MOMENTS, State("why", None, ("w",)), State("end", None, ("Escape", "End")), State("keys", None, ("?",)))
_PREDICTION = State("prediction", None, ("Escape", "Home", "p", " ", "wait .bets")), State("answer", None, ("3",))
SCENES: dict[str, Sequence[State]] = {
    "opening": (
        State("title", ""),
        State("settings", "", ("click [data-testid=stExpandSidebarButton]",), ""),
        State("more-models", None, ("press More models", "wait [role=dialog]"), ""),
    ),
    "stage": (State("start", "", ("Home",)), *_STAGE, *_PREDICTION),
    "drafters": (
        *(State(title, "", (f"open {title}", "Home", "n")) for title in ("Products", "In eights", "Shells")),
        State("k9", f"?{_RUN}&k=9", ("press Run", *_WRITTEN, *_REJECTION)),
        State("k16", f"?{_RUN}&k=16", ("press Run", *_WRITTEN, *_REJECTION)),
        State("dense-tree", f"?{_RUN}&drafter=tree&nodes=24&k=8", ("press Run", *_WRITTEN, *_REJECTION)),
        State("lossy", f"?{_RUN}&rule=lenient&lenience=0.3&temperature=0.9", ("press Run", *_WRITTEN, *_REJECTION)),
    ),
    "live": (
        State("waiting", f"?{_RUN}&max_new_tokens=200&drafter=ngram", ("press Run",), ""),
        State("changed", "", ("press A capital", "wait .st-key-changed"), ""),
        State("wrong-link", "?k=999&hide=lanes,dail", ("wait [role=alert]",), ""),
    ),
    "race": (
        State("on-the-way", "race", ("clock 300",), ".race"),
        State("end", None, ("End", _ENDED), ".race"),
        State("lost", f"race?{_RUN}&k=16&temperature=1.4&seed=3", ("press Race", _ENDED, "End"), ".race"),
        State("runs", None, ("press Runs", "wait [data-testid=stDataFrame]"), ""),
        State("three", f"race?{_RUN}&rival=ngram", ("press Race", _ENDED, "End"), ".race"),
    ),
    "talk": (
        State("title", "?teach=1"),
        *_STAGE,
        *_PREDICTION,
        State("prompt", None, ("press Prompt",), ""),
        State("race", "race?teach=1", ("End",), ".race"),
    ),
}
_UNTIL = """async (stage, condition) => {
    const holds = new Function("stage", `return ${condition}`), scrubber = stage.querySelector(".scrubber");
    scrubber.step = "0.2"; // the beat before a rejection is shorter than a step of the control, which the stage rounds to
    let at = Number(scrubber.value);
    for (let left = 600; left > 0 && !holds(stage); left -= 1) {
        scrubber.value = at += 0.2;
        scrubber.dispatchEvent(new Event("input"));
        for (let frames = 2; frames > 0; frames -= 1) await new Promise(requestAnimationFrame);
    }
    if (!holds(stage)) throw new Error(`no such moment: ${condition}`);
}"""


def _go(page: Page, step: str) -> None:
    verb, _, words = step.partition(" ")
    if verb == "press" and words:
        page.get_by_role("button", name=words).first.click()
    elif verb == "click":
        page.locator(words).first.click()
    elif verb == "open" and words:
        page.get_by_role("button", name="Save and share").click()
        page.get_by_role("combobox", name="Open a real run, recorded earlier").click()
        page.get_by_role("option", name=words).click()
        page.keyboard.press("Escape")
    elif verb == "wait":
        expect(page.locator(words).first).to_be_visible()
    elif verb == "clock":
        page.get_by_role("slider", name="Time on the clock").fill(words)
    elif verb == "until":
        page.locator(".stage").first.evaluate(_UNTIL, words)
    else:
        page.locator(".stage").first.focus()
        page.keyboard.press(step)
    page.wait_for_timeout(900 if words else 80)  # the motion has ended


def main(folder: Path, arguments: Sequence[str]) -> None:
    """Take all scenes, or those that are named."""
    folder.mkdir(parents=True, exist_ok=True)
    with serving(folder / "server.txt") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for scene in arguments or SCENES:
            with browser.new_context() as context:
                returning(context)
                page = context.new_page()
                page.set_default_timeout(60_000)
                for turn, state in enumerate(SCENES[scene]):
                    page.set_viewport_size({"width": 1280, "height": 720})
                    if state.address is not None:
                        page.goto(f"{address}/{state.address}")
                        expect(page.locator(".stage .role b, .st-key-awaits-run, .race .lane").first).to_be_attached()
                        page.wait_for_timeout(1_500)
                    for step in state.steps:
                        _go(page, step)
                    for number, (size, (width, height)) in enumerate(_SIZES.items(), turn):
                        page.emulate_media(color_scheme=_SCHEMES[number % 2])
                        page.set_viewport_size({"width": width, "height": height})
                        top = state.scrolled if size in ("768", "390") else ""
                        page.locator(top or "[data-testid=stMain]").first.evaluate("part => part.scrollIntoView()")
                        page.wait_for_timeout(450)
                        page.screenshot(path=folder / f"{scene}-{state.name}-{size}.png")
        browser.close()
    sys.stdout.write(f"The pictures are in {folder}.\n")


if __name__ == "__main__":
    main(ROOT / "build" / "screenshots", sys.argv[1:])
