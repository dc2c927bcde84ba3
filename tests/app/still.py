"""What the static pages of the lessons' pictures share: keys, two frames of rest, the text of a part, a part under the mouse."""

from playwright.sync_api import Page

from tests.app.lab import THEMES

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pictures</title><style>:root { --st-background-color: %s; --st-secondary-background-color: %s; --st-text-color: %s;
--st-border-color: %s; --st-primary-color: %s; --st-font: sans-serif; } body { margin: 8px; background: var(--st-background-color); }</style>
<style>%s</style></head><body><main><h1 style="position: absolute; clip-path: inset(50%%)">Pictures</h1><div id="here"></div></main></body></html>"""


class Still:
    """A page with one picture on it, without Streamlit."""

    def __init__(self, page: Page, scheme: str, sheet: str = "") -> None:
        self.page = page
        page.set_content(_PAGE % (*THEMES[scheme], sheet))

    def settle(self) -> None:
        """Two frames, so that what was asked for is drawn."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, *keys: str) -> None:
        """Keys on what has the focus."""
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def text(self, part: str) -> str:
        """The text of the part with this class."""
        return self.page.locator(f".{part}").inner_text()


def grip(page: Page, selector: str, number: int) -> tuple[float, float]:
    """Press the mouse in the middle of one of these parts, and say where that is."""
    box = page.locator(selector).nth(number).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y
