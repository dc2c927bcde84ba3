"""Presses as a person makes them: the button is down for 120 ms, in which a page can move or replace what is pressed."""

from typing import Any

from playwright.sync_api import Download, Locator, Page

HELD_MS = 120
_click = Locator.click


def _held(locator: Locator, **options: Any) -> None:
    _click(locator, **{"delay": HELD_MS, **options})


Locator.click = _held  # type: ignore[method-assign,assignment]


def downloaded(page: Page, button: Locator) -> Download:
    """The file that one press on a button brings."""
    with page.expect_download() as begun:
        button.click()
    assert begun.value.failure() is None
    return begun.value


def press_at_once(page: Page, button: Locator) -> None:
    """Press a button as soon as it is there, wherever it is by the end of the press; Playwright's own click waits until nothing moves."""
    button.wait_for()
    box = button.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(HELD_MS)
    page.mouse.up()
