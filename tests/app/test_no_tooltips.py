"""No part of a page explains itself in a native tooltip, which neither touch nor the keyboard opens."""

from playwright.sync_api import Page

from tests.app.lab import Lab
from tests.helpers.views import trace_of, view_of

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


def test_a_run_at_every_moment_has_no_native_tooltip(lab: Lab) -> None:
    """In the text, as cards, with the why drawer and the keys open, at the end card; what the boxes of a head do opens at the
    name of its card."""
    lab.show(view_of(trace_of(["aard"], drafter="eagle", label="eagle", of=12, parents=(-1, 0, 1, 0))))
    for keys in (("Home",), ("ArrowRight",), ("w",), ("Escape", "c"), ("?",), ("Escape", "End")):
        lab.press(*keys)
        assert not tooltips(lab.page), keys
    assert lab.page.locator(".role.draft > b").get_attribute("aria-description")
