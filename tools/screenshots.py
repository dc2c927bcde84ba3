"""`make screenshots`: every state of the page as pictures, for eyes. Not a test.

Each state is put on the page once and then looked at in all four sizes, in alternating themes: a state that is light at one size is dark
at the next, and the state after it the other way round. States whose colours carry meaning are also taken as people with deuteranopia
see them. `make screenshots SCENES="talk race"` takes some scenes only.
"""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.app.app_server import ROOT, serving
from tests.app.chromium import FLAGS, find, returning
from tests.app.conftest import loaded, unfold

expect.set_options(timeout=60_000)

_RUN: dict[str, Any] = {
    "dtype": "float32",
    "drafter": "model",
    "policy": "fixed",
    "max_new_tokens": 32,
    "prompt": "The capital of Burkina Faso is",
}
_UNUSUAL: dict[str, dict[str, Any]] = {
    "k9": {"k": 9},
    "k16": {"k": 16},
    "dense-tree": {"drafter": "tree", "nodes": 24, "k": 8},
    "lossy": {"rule": "lenient", "lenience": 0.3, "temperature": 0.9},
}


_SIZES = {"1280": (1280, 720), "1920": (1920, 1080), "768": (768, 1024), "390": (390, 844)}
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Photographer:
    """Takes pictures of the states of a page into a folder."""

    def __init__(self, page: Page, address: str, folder: Path, scene: str) -> None:
        self.page, self.address, self.folder, self.scene = page, address, folder, scene
        self._taken = 0

    def open(self, path: str = "", **query: Any) -> None:
        """A page of the app at its first size, when its stage or its lanes are there."""
        self._set_view("1280", "light")
        self.page.goto(f"{self.address}/{path}?{urlencode(query)}")
        expect(
            self.page.locator(
                ".stage .role b:not(:empty), .st-key-awaits-run, .race .lane, [data-testid=stDataFrame]"
            ).first
        ).to_be_attached()
        self.page.wait_for_timeout(1_000)

    @property
    def stage(self) -> Locator:
        """The stage, or the lanes of a race."""
        return self.page.locator(".stage").first

    def press(self, *keys: str) -> None:
        """Keys on the stage."""
        self.stage.focus()
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(80)

    def recorded(self, title: str, **query: Any) -> None:
        """One of the recordings that come with the project, at its start; another one than that on the stage."""
        self.open(**query)
        before = self.page.locator(".stage .manuscript .prompt").text_content() or ""
        self.page.get_by_role("button", name="Save and share").click()
        recordings = self.page.get_by_role("combobox", name="Open a real run, recorded earlier")
        recordings.click()
        self.page.get_by_role("option", name=title).click()
        expect(self.page.locator(".stage .manuscript .prompt")).not_to_have_text(before)
        self.page.keyboard.press("Escape")
        expect(recordings).to_be_hidden()
        self.press("Home")

    def take(
        self, state: str, sizes: Sequence[str] = tuple(_SIZES), *, blind: bool = False, at: str = ".stage"
    ) -> None:
        """The state in each of these sizes, the themes alternating; `at` is what a narrow window is scrolled to."""
        self._taken += 1
        for number, size in enumerate(sizes):
            scheme = _SCHEMES[(number + self._taken) % 2]
            self._set_view(size, scheme)
            self.page.get_by_test_id("stMain").evaluate("page => page.scrollTo(0, 0)")
            if size in ("768", "390") and at:
                self.page.locator(at).first.evaluate(
                    "part => { part.style.scrollMarginTop = '4rem'; part.scrollIntoView({ block: 'start' }); }"
                )
            self._picture(f"{state}-{size}-{scheme}")
        self._set_view("1280", "light")
        if blind:
            session = self.page.context.new_cdp_session(self.page)
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": "deuteranopia"})
            self._picture(f"{state}-deuteranopia")
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})

    def _set_view(self, size: str, scheme: Literal["light", "dark"]) -> None:
        width, height = _SIZES[size]
        self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_timeout(450)

    def _picture(self, name: str) -> None:
        self.page.screenshot(path=self.folder / f"{self.scene}-{name}.png")


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
    scrubber.step = "0.2"; // the beat before a rejection is shorter than a step of the control
    for (let left = 600; left > 0; left -= 1) {
        if (holds(stage)) return true;
        scrubber.value = Number(scrubber.value) + 0.2;
        scrubber.dispatchEvent(new Event("input"));
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
    }
    return false;
}"""


def seek(camera: Photographer, moment: StageMoment) -> None:
    """Put the stage, which shows a whole run, to that moment."""
    camera.press("Home", "n", ",", ",", ",", *["."] * moment.phases)
    assert camera.stage.evaluate(_SEEK, moment.when), f"no such moment: {moment.name}"
    camera.page.wait_for_timeout(900)  # the motion has ended


def next_round_with(camera: Photographer, part: str) -> None:
    """On to the end of the next round whose desk has this."""
    for _ in range(40):
        camera.press("ArrowRight")
        if camera.page.locator(part).count():
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


# ---------------------------------------------------------------- the scenes


def _opening(camera: Photographer) -> None:
    """The page of a new visitor: the title, the list of settings, the list of models."""
    camera.open()
    camera.take("title")
    camera.open()
    unfold(camera.page)
    loaded(camera.page)
    camera.take("settings", at="")
    camera.page.get_by_role("button", name="More models").click()
    expect(camera.page.get_by_role("dialog")).to_contain_text("GB of memory")
    camera.take("more-models", at="")


def _stage(camera: Photographer) -> None:
    """The phases of a round with a rejection, a bonus, the end, and what can be opened."""
    camera.open()
    camera.press("Home")
    camera.take("start")
    _phases(camera, tuple(_SIZES))
    camera.press("w")
    camera.take("why", blind=True)
    camera.press("Escape")
    next_round_with(camera, ".token.bonus.new")
    camera.take("bonus")
    camera.press("w")
    camera.take("why-bonus")
    camera.press("Escape", "End")
    camera.take("end")
    camera.press("?")
    camera.take("keys")
    camera.press("Escape", "Home", "p", " ")
    expect(camera.page.locator(".bets")).to_be_visible()
    camera.take("predict")
    camera.press("3")
    expect(camera.page.get_by_role("button", name="Go on")).to_be_visible()
    camera.take("predict-answer")


def _phases(camera: Photographer, sizes: Sequence[str]) -> None:
    for moment in MOMENTS:
        seek(camera, moment)
        camera.take(moment.name, sizes, blind=moment.coloured)


def _drafters(camera: Photographer) -> None:
    """The drafters other than a small model, and long drafts."""
    for state, title in (("tree", "Products"), ("copied", "In eights"), ("early-exit", "Shells")):
        camera.recorded(title)
        _rejection(camera, state)
    for state, settings in _UNUSUAL.items():
        camera.open(**{**_RUN, **settings})
        run(camera.page)
        camera.press("Home")
        _rejection(camera, state)


def _rejection(camera: Photographer, state: str) -> None:
    """The first rejection of what is on the stage, or its end, and the commit after it."""
    camera.press("n" if state != "early-exit" else "ArrowRight")
    camera.take(state, blind=state == "tree")
    camera.press(".")
    camera.take(f"{state}-commit", ("1280", "1920"))


def _live(camera: Photographer) -> None:
    """A run under way, settings that changed, and what is said when something is wrong."""
    for size in _SIZES:
        camera.open(**{**_RUN, "max_new_tokens": 200, "drafter": "ngram"})
        camera.page.get_by_role("button", name="Run", exact=True).click()
        camera.take(f"waiting-{size}", (size,), at="")
        camera.page.wait_for_timeout(3_000)
        camera.take(f"live-{size}", (size,), at="")
    camera.open()
    camera.page.get_by_role("button", name="A capital", exact=True).first.click()
    camera.page.wait_for_timeout(1_500)
    camera.take("changed", at="")
    camera.page.get_by_role("textbox", name="Prompt").fill("")
    camera.page.keyboard.press("Control+Enter")
    camera.page.get_by_role("button", name="Run", exact=True).click()
    expect(camera.page.get_by_role("alert").first).to_be_visible()
    camera.take("error", at="")
    camera.open(k=999, hide="lanes,dail")
    camera.take("wrong-link", at="")


def _race(camera: Photographer) -> None:
    """A race at its four moments, one that is lost, one of three lanes, and the list of runs."""
    camera.open("race")
    _finish(camera, "won", tuple(_SIZES))
    camera.open("race", **{**_RUN, "k": 16, "temperature": 1.4, "seed": 3})
    race(camera.page)
    _finish(camera, "lost", ("1280", "1920"))
    camera.page.get_by_role("button", name=re.compile("^Runs")).click()
    table = camera.page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    camera.take("runs", at="")
    table.click(position={"x": 16, "y": 54})
    expect(camera.page.get_by_role("dialog").locator(".race .lane").first).to_be_visible()
    camera.take("runs-ticked", at="")
    camera.open("race", **{**_RUN, "rival": "ngram"})
    race(camera.page)
    camera.press("End")
    camera.take("three", at=".race")


def _finish(camera: Photographer, state: str, sizes: Sequence[str]) -> None:
    """A race on its way, when the first is at the flag, and at its end."""
    clock = camera.page.get_by_role("slider", name="Time on the clock")
    clock.fill("300")
    camera.take(f"{state}-on-the-way", sizes, at=".race")
    for share in range(350, 1_001, 25):
        clock.fill(str(share))
        camera.page.wait_for_timeout(60)
        if camera.page.locator(".race .lane.finished").count():
            break
    camera.take(f"{state}-at-the-flag", sizes, at=".race")
    camera.press("End")
    camera.take(f"{state}-end", sizes, at=".race", blind=True)


def _talk(camera: Photographer) -> None:
    """Watch and Race as a room sees them."""
    room = ("1280", "1920", "390")
    camera.open(talk=1)
    camera.take("title", room)
    _phases(camera, room)
    camera.press("w")
    camera.take("why", room)
    camera.press("Escape", "End")
    camera.take("end", room)
    camera.press("Home", "p", " ")
    expect(camera.page.locator(".bets")).to_be_visible()
    camera.take("predict", room)
    camera.page.get_by_role("button", name="Prompt").click()
    camera.take("prompt", room, at="")
    camera.recorded("Products")
    camera.page.get_by_role("button", name="Teach", exact=True).click()
    expect(camera.page.locator(".stage.talk")).to_be_visible()
    camera.page.wait_for_timeout(1_500)
    camera.press("n")
    camera.take("tree", room)
    camera.open("race", talk=1)
    _finish(camera, "race", room)


SCENES: dict[str, Callable[[Photographer], None]] = {
    "opening": _opening,
    "stage": _stage,
    "drafters": _drafters,
    "live": _live,
    "race": _race,
    "talk": _talk,
}


def main(folder: Path, arguments: Sequence[str]) -> None:
    """Take them all, or the named scenes."""
    folder.mkdir(parents=True, exist_ok=True)
    path = find()
    assert path, "no Chromium on this machine: run 'python tests/app/chromium.py'"
    with serving(folder / "server.txt") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for scene in [name for name in arguments if name in SCENES] or SCENES:
            context = browser.new_context()
            returning(context)
            page = context.new_page()
            page.set_default_timeout(60_000)
            SCENES[scene](Photographer(page, address, folder, scene))
            context.close()
        browser.close()
    sys.stdout.write(f"The pictures are in {folder}.\n")


if __name__ == "__main__":
    main(ROOT / "build" / "screenshots", sys.argv[1:])
