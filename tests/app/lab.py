"""The player alone on an empty page: hand-made recordings, no server, no model."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, TypeVar

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from specviz.reporting.player.scripts import given, style
from tests.helpers.node import joined

T = TypeVar("T")
_THEMES = {
    "light": ("#fbfaf7", "#f0eee8", "#1d2129", "#d9d5ca", "#3b4cca"),
    "dark": ("#12151c", "#1b2029", "#e8eaf0", "#343b48", "#5563de"),
}


def themed(scheme: str) -> str:
    """Streamlit's colours and font, as it hands them to a component, for an empty page."""
    names = ("background-color", "secondary-background-color", "text-color", "border-color", "primary-color")
    colours = "".join(f"--st-{name}: {colour}; " for name, colour in zip(names, _THEMES[scheme], strict=True))
    return f":root {{ {colours}--st-font: sans-serif; }}"


def until(page: Page, holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether something holds, now or soon: on a busy machine a changed layout can come a few frames late."""
    late = monotonic() + seconds
    while not holds():
        if monotonic() > late:
            return False
        page.evaluate(_TWO_FRAMES)
    return True


def resting(page: Page, measure: Callable[[], T]) -> T:
    """What is measured when it has stopped changing: the same twice, some frames apart."""
    found = measure()
    for _ in range(100):
        for _ in range(3):
            page.evaluate(_TWO_FRAMES)
        before, found = found, measure()
        if before == found:
            break
    return found


def box_of(part: Locator) -> dict[str, float]:
    """Where a visible part is."""
    box = part.bounding_box()
    assert box is not None
    left, top, width, height = box["x"], box["y"], box["width"], box["height"]
    return {"x": left, "y": top, "width": width, "height": height, "right": left + width, "bottom": top + height}


_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_AT_EACH = """async ([moments, measure]) => {
    const stage = stages.get(document.querySelector(".stage")), found = [];
    for (const [index, phase, share] of moments) {
        const { plan } = stage.head;
        const length = (plan.starts[index + 1] ?? plan.end) - plan.starts[index];
        stage.move((head) => head.seek(clockOf(plan, index, phase) + share * plan.shares[index][phase] * length));
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        found.push(eval(measure)());
    }
    return found;
}"""
PHASES = ("draft", "verify", "judge", "commit")
Moment = tuple[int, str, float]
"""The index of a round, a phase of it and how much of that has passed."""
SIZES = ((1280, 720), (390, 844))
"""A keynote's screen and a phone."""


def written(page: Page) -> str:
    """The text on the stage as it stands."""
    found: str = page.locator(".manuscript").evaluate(
        "box => [...box.querySelectorAll('.prompt, .token:not([hidden])')].map(c => c.textContent).join('')"
    )
    return found


class Bench:
    """An empty page with one part of the app on it; keys go to the element that a selector names, else to what has the focus."""

    def __init__(self, page: Page, hears: str = "") -> None:
        self.page = page
        self._hears = hears

    def settle(self) -> None:
        self.page.evaluate(_TWO_FRAMES)

    def press(self, *keys: str) -> None:
        """Press keys, each drawn before the next."""
        press = self.page.locator(self._hears).press if self._hears else self.page.keyboard.press
        for key in keys:
            press(key)
            self.settle()


class Lab(Bench):
    """A page with nothing but the player on it."""

    def __init__(self, page: Page, *, cards: bool = True) -> None:
        """With `cards` the rounds are on the desk, else in the text, as a run begins."""
        super().__init__(page, ".stage")
        self._cards = cards
        self._given = given()
        looks = f"<style>{themed('light')} {style('player')}</style>"
        page.set_content(f"{looks}<div id='root'><div class='stage'></div></div>")
        inside = joined("inside", "player/mount_player", "player/schedule")
        page.add_script_tag(content=f"{inside} Object.assign(window, inside);")

    def show(self, view: dict[str, Any]) -> None:
        """Hand the player a view, as Streamlit does at mount and at every change."""
        self.page.evaluate(
            """([data, cards]) => {
                mount({ data, parentElement: document.getElementById('root') });
                if (cards) stages.get(document.querySelector(".stage")).chosen ??= true;
            }""",
            [{"view": view, **self._given}, self._cards],
        )
        self.settle()

    def take(self) -> None:
        """Take what the player sends, as Streamlit does where the page has a form: its values come into `sent`."""
        self.page.evaluate(
            """() => {
                const alone = mount;
                window.sent = [];
                window.mount = (given) => alone({ ...given, setTriggerValue: (_, value) => sent.push(value) });
            }"""
        )

    def at_each(self, moments: Iterable[Moment], measure: str = "() => null") -> list[Any]:
        """What a JavaScript function finds at each of these moments, when it is drawn."""
        found: list[Any] = self.page.evaluate(_AT_EACH, [list(moments), measure])
        return found

    def text(self) -> str:
        return written(self.page)

    def slots(self) -> list[str]:
        """What each slot of the board is: typed, accepted, rejected ..."""
        found: list[str] = self.page.locator(".board .slot").evaluate_all(
            "all => all.map(slot => slot.className.split(' ')[1])"
        )
        return found


_TOOLTIPS = """() => { // Streamlit names the frames of its parts, and repeats the text of a choice
    const within = (root) => [...root.querySelectorAll("*")].flatMap((part) =>
        [part, ...(part.shadowRoot ? within(part.shadowRoot) : [])]);
    return within(document)
        .filter((part) => (part.getAttribute("title") && !part.matches("iframe, [class*=st-emotion]")) || part.matches("svg title"))
        .map((part) => part.outerHTML.slice(0, 200));
}"""


def tooltips(page: Page) -> list[str]:
    """Every native tooltip of a page, as the journeys through the screens look for them."""
    found: list[str] = page.evaluate(_TOOLTIPS)
    return found


def serious(page: Page) -> list[tuple[str, list[str]]]:
    """Its serious and critical violations, each with the parts of the page that it is about."""
    found = Axe().run(page).response["violations"]
    return [(v["id"], [n["target"] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")]
