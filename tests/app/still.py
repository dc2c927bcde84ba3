"""What the static pages of the lessons' pictures share: keys, two frames of rest, the text of a part, a part under the mouse."""

from playwright.sync_api import Page


class Still:
    """A page with one picture on it, without Streamlit."""

    def __init__(self, page: Page) -> None:
        self.page = page

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
