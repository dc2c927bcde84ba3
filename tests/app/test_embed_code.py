"""The code of a frame for a race and for a chapter's step, as the app gives it."""

import pytest
from playwright.sync_api import Page, expect

from specviz.errors import InputError
from specviz.reporting.player.frame import site_address


def test_the_address_of_a_site_is_checked() -> None:
    """The folder or its index.html will do; what is no address is refused."""
    for site in (
        "https://example.org/specviz/",
        "https://example.org/specviz",
        "https://example.org/specviz/index.html",
    ):
        assert site_address(site, "learn/editor/4") == "https://example.org/specviz/index.html?embed=1#/learn/editor/4"
    for site in ("javascript:alert(1)", 'https://a.org/"><script>', "a.org"):
        with pytest.raises(InputError, match="give one such as"):
            site_address(site, "race/mongolia")


def test_a_step_and_a_race_go_into_another_page(page: Page, server: str) -> None:
    """Over a chapter the code names the step that is open, on Race the saved race; a typed site gives the site's address."""
    page.goto(f"{server}/learn?lesson=editor&step=2")
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("code", has_text="editor.html?embed=1#step-2")).to_be_visible()
    dialog.get_by_label("Address of a site").fill("https://example.org/specviz/")
    dialog.get_by_label("Address of a site").press("Enter")
    expect(
        dialog.locator("code", has_text="https://example.org/specviz/index.html?embed=1#/learn/editor/2")
    ).to_be_visible()
    page.goto(f"{server}/race")
    expect(page.locator(".race .lane").first).to_be_visible()
    page.get_by_role("button", name="Save and share").click()
    expect(page.locator("code", has_text="-race.html?embed=1")).to_be_visible()
