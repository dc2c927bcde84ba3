"""`make walks`: five visits, second by second, as lists to read and pictures to look at, in build/walks. Not a test.

The first sixty seconds of a newcomer, a talk by keyboard alone, a student on a phone, a listener to a screen reader, and the last row of a
lecture hall. Each list has what is on the screen at every second: what is said, the headline, the round and the controls that can be reached;
the listener's has what was announced, and what has the focus. A line that is left out is as it was a second before. `WALKS="--dark talk"`
walks in the dark theme.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from tests.app.chromium import FLAGS, find
from tests.app.server import ROOT, serving
from tools import moments

expect.set_options(timeout=60_000)

_SEEN = """() => {
    const everything = (root) => [...root.querySelectorAll("*")].flatMap(
        (node) => [node, ...(node.shadowRoot ? everything(node.shadowRoot) : [])]);
    const inView = (node) => {
        const box = node.getBoundingClientRect();
        return node.checkVisibility({ checkVisibilityCSS: true }) && box.bottom > 0 && box.top < innerHeight && box.width > 0 && !node.closest("[inert]");
    };
    const shown = everything(document.body).filter(inView);
    const words = (selector) => shown.filter((node) => node.matches(selector))
        .map((node) => node.innerText.trim().replace(/\\s+/g, " ")).filter(Boolean).join(" | ");
    return {
        opening: words(".duel"), title: words(".title"), note: words(".note"), round: words(".round-name"), caption: words(".caption"),
        question: words(".bets"), headline: words(".figure.speedup, .figure.headline"), why: words(".why-reason"),
        says: words("[role=alert], .st-key-changed, .st-key-plays, .st-key-own-prompt"),
        controls: shown.filter((node) => node.matches("button, select, textarea, a[href], [role=slider]") && !node.disabled)
            .map((node) => (node.ariaLabel || node.title || node.innerText || node.placeholder).trim().split("\\n").at(-1)).filter(Boolean).join(", "),
    };
}"""


_HEARD = """() => {
    window.heard ??= [];
    const watch = (root) => {
        const node = root.host ?? root;
        if (!root.watched) {
            root.watched = true;
            new MutationObserver(() => {
                for (const live of root.querySelectorAll("[aria-live], [role=status], [role=alert]")) {
                    const words = live.textContent.trim().replace(/\\s+/g, " ");
                    if (words && live.said !== words) { live.said = words; window.heard.push(words); }
                }
            }).observe(root, { subtree: true, childList: true, characterData: true });
        }
        for (const each of root.querySelectorAll("*")) if (each.shadowRoot) watch(each.shadowRoot);
    };
    watch(document);
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    const name = (focused?.ariaLabel || focused?.innerText || focused?.placeholder || "").trim().replace(/\\s+/g, " ").slice(0, 80);
    const role = focused?.getAttribute("role") || focused?.tagName.toLowerCase();
    return { announced: window.heard.splice(0).join(" | "), focus: focused === document.body ? "" : `${role}: ${name}` };
}"""


class Act(NamedTuple):
    """What the visitor does, and at which second."""

    at: int
    words: str
    do: Callable[[Page], object]


class Walk(NamedTuple):
    """A visit: the size of the window, the address, how many seconds it lasts, what is done in it, and what of the page is listed."""

    size: ViewportSize
    address: str
    seconds: int
    acts: Sequence[Act]
    listed: str = _SEEN


def _key(at: int, key: str, words: str) -> Act:
    return Act(at, f"presses {words}", lambda page: page.keyboard.press(key))


def _button(at: int, name: str) -> Act:
    return Act(
        at, f"presses the button {name}", lambda page: page.get_by_role("button", name=name, exact=True).first.click()
    )


def _to_the_stage(page: Page) -> None:
    """By the Tab key alone."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.locator(".stage:focus").count():
            return


_NEWCOMER = Walk(
    {"width": 1280, "height": 720},
    "",
    60,
    (
        _button(17, "Your own prompt"),
        Act(19, "presses Play", lambda page: page.locator(".button.play").click()),
        Act(40, "chooses a ready-made prompt", moments.choose),
        _button(44, "Run"),
    ),
)
_TALK = Walk(
    {"width": 1280, "height": 720},
    "?teach=1",
    60,
    (
        _key(4, "PageDown", "the remote control: on"),
        _key(9, "n", "n: the next rejection"),
        _key(12, ".", "period: the next phase"),
        _key(16, "w", "w: why"),
        _key(24, "Escape", "Escape"),
        _key(26, "p", "p: predict"),
        _key(27, "Home", "Home"),
        _key(28, " ", "space: play"),
        _key(40, "3", "3: the room's guess"),
        _key(48, " ", "space: on"),
        _key(52, "End", "End"),
    ),
)
_PHONES = Walk(
    {"width": 390, "height": 844},
    "",
    60,
    (
        _button(3, "Your own prompt"),
        Act(5, "presses Play", lambda page: page.locator(".button.play").click()),
        _button(22, "Predict"),
        Act(
            34,
            "makes a guess",
            lambda page: (
                page.locator(".bets .chip").nth(2).click() if page.locator(".bets .chip").count() > 2 else None
            ),
        ),
        _button(46, "Run"),
    ),
)
_LISTENER = Walk(
    {"width": 1280, "height": 720},
    "",
    60,
    (
        *(_key(second, "Tab", "Tab") for second in range(2, 14)),
        _button(15, "Your own prompt"),
        Act(18, "presses Tab until the stage has the focus", _to_the_stage),
        _key(20, "ArrowRight", "right: the next round"),
        _key(26, "ArrowRight", "right: the next round"),
        _key(32, "w", "w: why"),
        _key(38, "Escape", "Escape"),
        _key(40, "End", "End"),
        _button(46, "Run"),
    ),
    _HEARD,
)
_LAST_ROW = Walk(
    {"width": 1920, "height": 1080},
    "?teach=1",
    60,
    (
        _key(3, " ", "space: play"),
        _key(30, "End", "End"),
        Act(36, "goes to Race", lambda page: page.get_by_role("link", name="Race", exact=True).first.click()),
    ),
)
WALKS: Mapping[str, Walk] = {
    "newcomer": _NEWCOMER,
    "talk": _TALK,
    "phones": _PHONES,
    "listener": _LISTENER,
    "last-row": _LAST_ROW,
}


def walk(page: Page, address: str, name: str, folder: Path) -> Iterator[str]:
    """Take the walk: the lines of its list, as they come."""
    planned = WALKS[name]
    page.set_viewport_size(planned.size)
    page.goto(f"{address}/{planned.address}")
    expect(page.locator(".stage .role b:not(:empty), .st-key-awaits-run").first).to_be_attached()
    began = time.monotonic()
    yield f"--- {name}"
    before: dict[str, str] = {}
    acts = list(planned.acts)
    for second in range(planned.seconds + 1):
        page.wait_for_timeout(max(0.0, 1000 * (began + second - time.monotonic())))
        yield f"{second // 60}:{second % 60:02d}"
        while acts and acts[0].at <= second:
            act = acts.pop(0)
            yield f"     * {act.words}"
            act.do(page)
        seen: dict[str, str] = page.evaluate(planned.listed)
        for part, words in seen.items():
            if words != before.get(part, ""):
                yield f"     {part}: {words or '(gone)'}"
        before = seen
        if second % 4 == 0:
            page.screenshot(path=folder / f"{name}-{second:02d}.png")


def main(folder: Path, arguments: Sequence[str]) -> None:
    """Take all walks, or the named ones; with --dark in the dark theme."""
    named = [name for name in arguments if name in WALKS]
    scheme: Literal["light", "dark"] = "dark" if "--dark" in arguments else "light"
    folder.mkdir(parents=True, exist_ok=True)
    path = find()
    assert path, "no Chromium on this machine: run 'make browser'"
    with serving(folder / "server.txt") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for name in named or WALKS:
            page = browser.new_context(color_scheme=scheme).new_page()
            page.set_default_timeout(60_000)
            with (folder / f"{name}.txt").open("w", encoding="utf-8") as written:
                for line in walk(page, address, name, folder):
                    print(line, file=written, flush=True)
                    print(line, flush=True)  # noqa: T201
            page.context.close()
        browser.close()
    sys.stdout.write(f"The lists and pictures are in {folder}.\n")


if __name__ == "__main__":
    main(ROOT / "build" / "walks", sys.argv[1:])
