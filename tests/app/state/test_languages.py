"""The language of a page: chosen by the browser or in the menu, and kept in the address. test_marked_language.py looks for English words."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from app.state import language
from app.state.address import LANGUAGE
from tests.app.conftest import person, unfold


def test_the_browser_chooses_and_the_menu_changes_the_language(browser: Browser, server: str) -> None:
    """Without a word in the address the page speaks what the browser asks for; the menu beside the stage has all languages by their own
    names, and the stage is mounted anew in the one that is chosen."""
    with person(browser, locale="es-ES", reduced_motion=None) as page:
        page.goto(server)
        stage = page.locator(".stage").first
        expect(stage.locator(".legend")).to_contain_text("aceptado")
        assert LANGUAGE not in page.url
        unfold(page)
        picker = page.get_by_role("combobox", name="Language of the stage and of Learn")
        picker.scroll_into_view_if_needed()  # the list of a picker closes when the menu scrolls
        picker.click()
        page.get_by_role("option", name="Deutsch").click()
        expect(stage.locator(".legend")).to_contain_text("angenommen")
        expect(stage).to_have_attribute("lang", "de")
        expect(page).to_have_url(re.compile(f"{LANGUAGE}=de"))


def test_the_browsers_own_language_comes_before_its_header(page: Page, server: str) -> None:
    """Chromium before 151 opens a page's socket with its own languages, whatever the page's are: here the header is English, and the page Spanish."""
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'es-ES' })")
    page.goto(server)
    expect(page.locator(".stage .legend").first).to_contain_text("aceptado")


def test_a_link_in_learn_keeps_the_language_of_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none is named, none is written."""
    for address, kept in (({LANGUAGE: "de"}, {LANGUAGE: "de"}), ({}, {})):
        monkeypatch.setattr("app.state.address.st.query_params", address)
        assert language.parameters() == kept
