"""`make screenshots`: the page at every moment that people will look at, as pictures, in both themes, wide, for a room and on a phone.

For eyes, not a test: the pictures lie in the folder named on the command line (default build/screenshots).
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.app.chromium import FLAGS, find, returning
from tests.app.server import ROOT, serving

expect.set_options(timeout=60_000)

_WIDE, _PHONE = (1280, 720), (390, 844)
_ASKED = {"dtype": "float32", "length": 48, "prompt": "The capital of Burkina Faso is"}
_PHASES = ("drafting", "verified", "judged", "committed")


def main(folder: Path) -> None:
    """Take them all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = find()
    assert path, "no Chromium on this machine: run 'make browser'"
    with serving(folder / "server.txt") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for scheme in ("light", "dark"):
            for name, size in (("wide", _WIDE), ("phone", _PHONE)):
                with _page(browser, scheme, size) as page:
                    _watch(page, address, folder / f"{scheme}-{name}")
                with _page(browser, scheme, size) as page:
                    _models(page, address, folder / f"{scheme}-{name}")
            with _page(browser, scheme, _WIDE) as page:
                _room(page, address, folder / f"{scheme}-talk")
        with _page(browser, "light", _WIDE) as page:
            page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": "deuteranopia"})
            _watch(page, address, folder / "deuteranopia")
        browser.close()
    sys.stdout.write(f"The pictures are in {folder}.\n")


@contextmanager
def _page(browser: Browser, scheme: str, size: tuple[int, int]) -> Iterator[Page]:
    width, height = size
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})  # type: ignore[arg-type]
    returning(context)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def _watch(page: Page, address: str, name: Path) -> None:
    """The first screen, the phases of a round with a rejection, the drawer, a tree; then the race and the runs."""
    page.goto(f"{address}/?{urlencode(_ASKED)}")
    expect(page.locator(".stage .slot").first).to_be_visible()
    page.wait_for_timeout(1_500)
    _take(page, name, "first")
    _run(page, "Run", ".stage")
    _phases(page, name)
    page.keyboard.press("w")
    _take(page, name, "why")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    _take(page, name, "end")
    page.goto(f"{address}/?{urlencode({**_ASKED, 'drafter': 'tree'})}")
    _run(page, "Run", ".stage")
    page.keyboard.press("n")
    _take(page, name, "tree")
    _race(page, f"{address}/race?{urlencode(_ASKED)}", name)
    _runs(page)
    _take(page, name, "runs")


def _models(page: Page, address: str, name: Path) -> None:
    """The first screen as a new visitor has it, a prompt of one's own, the cards and the list of more models."""
    page.goto(address)
    expect(page.locator(".stage .slot.accepted").first).to_be_visible()
    _take(page, name, "opening")
    prompt = page.get_by_role("textbox", name="Prompt")
    prompt.fill("What is photosynthesis?")
    prompt.press("Control+Enter")
    expect(page.locator(".st-key-own-prompt")).to_be_visible()
    _take(page, name, "own-prompt")
    expect(page.get_by_text("plain decoding measured at load")).to_be_attached()
    page.get_by_test_id("stExpandSidebarButton").click()
    _take(page, name, "cards")
    page.get_by_role("button", name="More models").click()
    expect(page.get_by_role("dialog")).to_contain_text("GB of memory")
    _take(page, name, "more-models")


def _room(page: Page, address: str, name: Path) -> None:
    """Watch and Race as a room sees them."""
    page.goto(f"{address}/?{urlencode({**_ASKED, 'talk': 1})}")
    _run(page, "Run", ".stage")
    _phases(page, name)
    page.keyboard.press("w")
    _take(page, name, "why")
    _race(page, f"{address}/race?{urlencode({**_ASKED, 'talk': 1})}", name)


def _run(page: Page, button: str, part: str) -> None:
    """Press the button, wait until all is measured, go back to the start."""
    page.get_by_role("button", name=button, exact=True).click()
    stop = page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop")
    expect(stop).to_be_enabled()
    expect(stop).to_be_disabled(timeout=90_000)
    page.wait_for_timeout(1_500)
    page.locator(part).focus()
    page.keyboard.press("Home")


def _phases(page: Page, name: Path) -> None:
    """The first round with a rejection, phase by phase."""
    page.keyboard.press("n")
    for _ in _PHASES:
        page.keyboard.press(",")
    for phase in _PHASES:
        page.keyboard.press(".")
        _take(page, name, phase)


def _race(page: Page, address: str, name: Path) -> None:
    page.goto(address)
    _run(page, "Race", ".race")
    page.keyboard.press(" ")
    page.wait_for_timeout(3_000)
    _take(page, name, "race")
    page.keyboard.press("End")
    _take(page, name, "race-end")


def _runs(page: Page) -> None:
    """The list of the visit, with the race's run ticked; on a phone the links are in the sidebar."""
    narrow = (page.viewport_size or {"width": 0})["width"] < 600
    if narrow:
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("link", name="Runs").click()
    if narrow:
        page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
    table = page.get_by_test_id("stDataFrame")
    expect(table.locator("tbody tr")).to_have_count(1)
    table.click(position={"x": 16, "y": 54})
    expect(page.locator(".race .lane")).to_have_count(1)
    page.wait_for_timeout(1_500)


def _take(page: Page, name: Path, moment: str) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=f"{name}-{moment}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "screenshots")
