"""`make screenshots`: every state of the page as pictures, for eyes. Not a test.

Each state is put on the page once and then looked at in all four sizes, in alternating themes: a state that is light at one size is dark
at the next, and the state after it the other way round. States whose colours carry meaning are also taken as people with deuteranopia
see them. `make screenshots SCENES="talk race"` takes some scenes only.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.app.app_server import ROOT, serving
from tests.app.chromium import FLAGS, find, returning
from tests.app.conftest import loaded, unfold

expect.set_options(timeout=60_000)

_ASKED: dict[str, Any] = {
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


class Appearance(NamedTuple):
    """How the page is looked at."""

    size: str
    scheme: str

    @property
    def name(self) -> str:
        """A part of the picture's name."""
        return f"{self.size}-{self.scheme}"


_SIZES = {"1280": (1280, 720), "1920": (1920, 1080), "768": (768, 1024), "390": (390, 844)}
_SCHEMES = ("light", "dark")


class Sitter:
    """A page whose states are taken, and where the pictures go."""

    def __init__(self, page: Page, address: str, folder: Path) -> None:
        self.page = page
        self.address = address
        self.folder = folder
        self.scene = ""
        self._taken = 0

    def open(self, path: str = "", **query: Any) -> None:
        """A page of the app at its first size, when its stage or its lanes are there."""
        self._wear(Appearance("1280", "light"))
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
        """A recording of the project's own on the stage, at its start."""
        self.open(**query)
        open_recording(self.page, title)

    def take(
        self, state: str, sizes: Sequence[str] = tuple(_SIZES), *, blind: bool = False, at: str = ".stage"
    ) -> None:
        """The state in each of these sizes, the themes alternating; `at` is what a narrow window is scrolled to."""
        self._taken += 1
        for number, size in enumerate(sizes):
            look = Appearance(size, _SCHEMES[(number + self._taken) % 2])
            self._wear(look)
            self.page.get_by_test_id("stMain").evaluate("page => page.scrollTo(0, 0)")
            if size in ("768", "390") and at:
                self.page.locator(at).first.evaluate(
                    "part => { part.style.scrollMarginTop = '4rem'; part.scrollIntoView({ block: 'start' }); }"
                )
            self._picture(f"{state}-{look.name}")
        self._wear(Appearance("1280", "light"))
        if blind:
            session = self.page.context.new_cdp_session(self.page)
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": "deuteranopia"})
            self._picture(f"{state}-deuteranopia")
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})

    def _wear(self, look: Appearance) -> None:
        width, height = _SIZES[look.size]
        self.page.emulate_media(color_scheme="dark" if look.scheme == "dark" else "light")
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


def seek(page: Page, moment: StageMoment) -> None:
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


# ---------------------------------------------------------------- the scenes


def _opening(sitter: Sitter) -> None:
    """What a new visitor sees: the title, the list of settings, the list of models, save and share."""
    sitter.open()
    sitter.take("title")
    sitter.open()
    unfold(sitter.page)
    loaded(sitter.page)
    sitter.take("settings", at="")
    sitter.page.get_by_role("button", name="More models").click()
    expect(sitter.page.get_by_role("dialog")).to_contain_text("GB of memory")
    sitter.take("more-models", at="")


def _stage(sitter: Sitter) -> None:
    """The phases of a round with a rejection, a bonus, the end, and what can be opened."""
    sitter.open()
    sitter.press("Home")
    sitter.take("start")
    _phases(sitter, tuple(_SIZES))
    sitter.press("w")
    sitter.take("why", blind=True)
    sitter.press("Escape")
    next_round_with(sitter.page, ".token.bonus.new")
    sitter.take("bonus")
    sitter.press("w")
    sitter.take("why-bonus")
    sitter.press("Escape", "End")
    sitter.take("end")
    sitter.press("?")
    sitter.take("keys")
    sitter.press("Escape", "Home", "p", " ")
    expect(sitter.page.locator(".bets")).to_be_visible()
    sitter.take("predict")
    sitter.press("3")
    expect(sitter.page.get_by_role("button", name="Go on")).to_be_visible()
    sitter.take("predict-answer")


def _phases(sitter: Sitter, sizes: Sequence[str]) -> None:
    for moment in MOMENTS:
        seek(sitter.page, moment)
        sitter.take(moment.name, sizes, blind=moment.coloured)


def _drafters(sitter: Sitter) -> None:
    """The drafters other than a small model, and long drafts."""
    for state, title in (("tree", "Products"), ("copied", "In eights"), ("early-exit", "Shells")):
        sitter.recorded(title)
        _rejection(sitter, state)
    for state, settings in _UNUSUAL.items():
        sitter.open(**{**_ASKED, **settings})
        run(sitter.page)
        sitter.press("Home")
        _rejection(sitter, state)


def _rejection(sitter: Sitter, state: str) -> None:
    """The first rejection of what is on the stage, or its end, and the commit after it."""
    sitter.press("n" if state != "early-exit" else "ArrowRight")
    sitter.take(state, blind=state == "tree")
    sitter.press(".")
    sitter.take(f"{state}-commit", ("1280", "1920"))


def _live(sitter: Sitter) -> None:
    """A run under way, settings that changed, and what is said when something is wrong."""
    for size in _SIZES:
        sitter.open(**{**_ASKED, "max_new_tokens": 200, "drafter": "ngram"})
        sitter.page.get_by_role("button", name="Run", exact=True).click()
        sitter.take(f"waiting-{size}", (size,), at="")
        sitter.page.wait_for_timeout(3_000)
        sitter.take(f"live-{size}", (size,), at="")
    sitter.open()
    sitter.page.get_by_role("button", name="A capital", exact=True).first.click()
    sitter.page.wait_for_timeout(1_500)
    sitter.take("changed", at="")
    sitter.page.get_by_role("textbox", name="Prompt").fill("")
    sitter.page.keyboard.press("Control+Enter")
    sitter.page.get_by_role("button", name="Run", exact=True).click()
    expect(sitter.page.get_by_role("alert").first).to_be_visible()
    sitter.take("error", at="")
    sitter.open(k=999, hide="lanes,dail")
    sitter.take("wrong-link", at="")


def _race(sitter: Sitter) -> None:
    """A race at its four moments, one that is lost, one of three lanes, and the list of runs."""
    sitter.open("race")
    _finish(sitter, "won", tuple(_SIZES))
    sitter.open("race", **{**_ASKED, "k": 16, "temperature": 1.4, "seed": 3})
    race(sitter.page)
    _finish(sitter, "lost", ("1280", "1920"))
    sitter.page.get_by_role("button", name=re.compile("^Runs")).click()
    table = sitter.page.get_by_test_id("stDataFrame")
    expect(table).to_be_visible()
    sitter.take("runs", at="")
    table.click(position={"x": 16, "y": 54})
    expect(sitter.page.get_by_role("dialog").locator(".race .lane").first).to_be_visible()
    sitter.take("runs-ticked", at="")
    sitter.open("race", **{**_ASKED, "rival": "ngram"})
    race(sitter.page)
    sitter.press("End")
    sitter.take("three", at=".race")


def _finish(sitter: Sitter, state: str, sizes: Sequence[str]) -> None:
    """A race on its way, when the first is at the flag, and at its end."""
    clock = sitter.page.get_by_role("slider", name="Time on the clock")
    clock.fill("300")
    sitter.take(f"{state}-on-the-way", sizes, at=".race")
    for share in range(350, 1_001, 25):
        clock.fill(str(share))
        sitter.page.wait_for_timeout(60)
        if sitter.page.locator(".race .lane.finished").count():
            break
    sitter.take(f"{state}-at-the-flag", sizes, at=".race")
    sitter.press("End")
    sitter.take(f"{state}-end", sizes, at=".race", blind=True)


def _talk(sitter: Sitter) -> None:
    """Watch and Race as a room sees them."""
    room = ("1280", "1920", "390")
    sitter.open(talk=1)
    sitter.take("title", room)
    sitter.press("Home")
    _phases(sitter, room)
    sitter.press("w")
    sitter.take("why", room)
    sitter.press("Escape", "End")
    sitter.take("end", room)
    sitter.press("Home", "p", " ")
    expect(sitter.page.locator(".bets")).to_be_visible()
    sitter.take("predict", room)
    sitter.page.get_by_role("button", name="Prompt").click()
    sitter.take("prompt", room, at="")
    _recorded_talk(sitter, "Products")
    sitter.press("n")
    sitter.take("tree", room)
    sitter.open("race", talk=1)
    _finish(sitter, "race", room)


def _recorded_talk(sitter: Sitter, title: str) -> None:
    """A recording on the stage of a talk."""
    sitter.recorded(title)
    sitter.page.get_by_role("button", name="Teach", exact=True).click()
    expect(sitter.page.locator(".stage.talk")).to_be_visible()
    sitter.page.wait_for_timeout(1_500)


SCENES: dict[str, Callable[[Sitter], None]] = {
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
            with _page(browser) as page:
                sitter = Sitter(page, address, folder)
                sitter.scene = scene
                SCENES[scene](sitter)
        browser.close()
    sys.stdout.write(f"The pictures are in {folder}.\n")


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    returning(context)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    page.context.close()


if __name__ == "__main__":
    [_, *named] = sys.argv
    main(ROOT / "build" / "screenshots", named)
