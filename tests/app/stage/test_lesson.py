"""The page for a room and for a lesson: large type, parts left out by the address, access for everybody."""

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import visit
from tests.app.lab import box_of

SMALLEST_PX = 18
"""Legible from the back of a room at 1280x720: no letter on the stage is smaller."""


@pytest.mark.accessibility
def test_a_talk_grows_with_the_projector(page: Page, server: str) -> None:
    """At 1920x1080 every letter is half as large again as at 1280x720, and at either size, or 4 to 3, the stage fills the window."""
    sizes: dict[tuple[int, int], list[float]] = {}
    for width, height in ((1280, 720), (1920, 1080), (1280, 960)):
        page.set_viewport_size({"width": width, "height": height})
        visit(page, server, teach=1)
        page.locator(".stage").focus()
        page.keyboard.press("n")
        page.keyboard.press(".")
        expect(page.locator(".sunk")).to_be_visible()
        box = box_of(page.locator(".stage"))
        assert 0.97 * height <= box["bottom"] <= height
        letters = ".manuscript, .caption, .figure.speedup .value, .sunk, .role b, .lane-names, .round-name, .chip"
        sizes[width, height] = page.locator(".stage").evaluate(
            "(stage, parts) => [...stage.querySelectorAll(parts)].map(e => parseFloat(getComputedStyle(e).fontSize))",
            letters,
        )
    small, large = sizes[1280, 720], sizes[1920, 1080]
    assert min(small) >= SMALLEST_PX
    assert large == pytest.approx([1.5 * size for size in small], rel=0.01)


def test_a_lesson_leaves_parts_out(page: Page, server: str) -> None:
    """hide= takes parts of the page and of the stage away; their settings still hold. Where the page teaches, there is no
    sidebar, the stage takes the whole width, all of it is in view and its letters are large."""
    visit(page, server, hide="sidebar,prompts,lanes,dial", temperature=0.7, seed=7)
    for part in (
        page.get_by_test_id("stSidebar"),
        page.get_by_test_id("stExpandSidebarButton"),
        page.locator(".st-key-ready-prompts"),
        page.locator(".lanes"),
        page.locator(".dial"),
    ):
        expect(part).to_be_hidden()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()
    assert "temperature=0.7" in page.url
    assert "seed=7" in page.url
    visit(page, server, teach=1, hide="prompt")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_hidden()
    for name in ("stSidebar", "stExpandSidebarButton", "stHeader"):
        expect(page.get_by_test_id(name)).to_be_hidden()
    expect(page.locator(".stage.talk.paged")).to_be_visible()
    box = box_of(page.locator(".stage"))
    assert box["width"] > 1200
    assert box["bottom"] <= 720
    sizes = page.locator(".stage").evaluate(
        """stage => [...stage.querySelectorAll("*")].filter(e => e.checkVisibility() && !e.closest(".unseen")
            && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= SMALLEST_PX
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()


@pytest.mark.accessibility
def test_all_controls_are_in_the_window(page: Page, server: str) -> None:
    """At 1280x720 the controls of the clock are in view without scrolling; in a talk on a large screen the button's word is whole, and
    the drawer leaves the row of buttons free."""
    visit(page, server)
    page.locator(".stage").focus()
    page.keyboard.press("Home")
    box = box_of(page.locator(".transport"))
    scrolled = page.get_by_test_id("stMain").evaluate("main => main.scrollTop")
    assert box["bottom"] + scrolled <= 720, "the focus scrolls a page that is too tall"
    page.set_viewport_size({"width": 1920, "height": 1080})
    visit(page, server, teach=1)
    prompt = page.get_by_role("button", name="Prompt")
    assert prompt.evaluate("box => [box, ...box.querySelectorAll('*')].every(part => part.scrollWidth <= part.clientWidth + 1 || !part.clientWidth)")  # fmt: skip
    page.locator(".stage").focus()
    for key in ("n", "w"):
        page.keyboard.press(key)
    above, below = box_of(prompt), box_of(page.locator(".why"))
    assert above["bottom"] <= below["y"]
