"""The page for a room and for a lesson: large type, parts left out by the address, access for everybody."""

from playwright.sync_api import Page, expect

from tests.app.conftest import visit
from tests.app.lab import box_of

SMALLEST_PX = 18
"""Legible from the back of a room at 1280x720: no letter on the stage is smaller."""


def test_a_lesson_leaves_parts_out(page: Page, server: str) -> None:
    """hide= takes parts of the page and of the stage away; their settings still hold. Where the page teaches, there is no
    sidebar, the stage takes the whole width, all of it is in view and its letters are large."""
    visit(page, server, teach=1, hide="prompt,lanes", temperature=0.7, seed=7)
    assert "temperature=0.7" in page.url
    assert "seed=7" in page.url
    for part in (page.get_by_role("button", name="Run", exact=True), page.locator(".lanes")):
        expect(part).to_be_hidden()
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
