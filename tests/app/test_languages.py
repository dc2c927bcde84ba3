"""The page in another language: chosen by the browser or in the address, kept from screen to screen, and without a word of English on the
stage and in Learn."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app import language
from app.language import PARAMETER
from specviz import words
from tests.app.axe import serious
from tests.app.chromium import returning
from tests.app.conftest import PATIENCE_MS, unfold

_SAID = """root => [...root.querySelectorAll("*")].filter((part) => !part.closest(".manuscript, .end-text")).flatMap((part) => [
    part.title, part.getAttribute("aria-label"), part.dataset?.note,
    ...[...part.childNodes].filter((each) => each.nodeType === 3).map((each) => each.textContent)])
    .filter(Boolean).map((text) => text.trim())"""
"""Every text of a part of the page, and what a pointer or a screen reader gets beside it; not the text that a run wrote."""


def _english(part: Locator, language: str) -> list[str]:
    """Which texts of the language's table a part of the page says in English."""
    table = words.table(language)
    own = {text for each in table.values() for text in (each.values() if isinstance(each, dict) else [each])}
    untranslated = {text for text, said in table.items() if isinstance(said, str) and len(text) > 3} - own
    return [text for text in part.evaluate(_SAID) if text in untranslated]


@pytest.mark.parametrize("language", words.languages()[1:])
def test_the_stage_and_learn_speak_the_language(page: Page, server: str, language: str) -> None:
    """The list of chapters, a lesson, its drawer and its pictures, then the stage of Watch with the list of keys and the end card: no English;
    the roots say which language they speak, axe finds nothing, and the picker goes back."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{server}/learn?{PARAMETER}={language}")
    learn, chapters = page.locator(".learn"), page.locator(".chapter")
    expect(chapters.first).to_have_attribute("lang", language)
    assert _english(learn, language) == []
    chapters.nth(4).click()
    expect(learn).to_have_attribute("lang", language)
    expect(page).to_have_url(re.compile(f"{PARAMETER}={language}"))
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".leaf-title")).to_be_visible()
        assert _english(learn, language) == []
    assert serious(page) == []
    page.get_by_role("link", name="Watch").first.click()
    stage = page.locator(".stage").first
    expect(stage.locator(".caption")).not_to_be_empty()
    expect(stage).to_have_attribute("lang", language)
    expect(page).to_have_url(re.compile(f"{PARAMETER}={language}"))
    stage.focus()
    for key in ("ArrowRight", "w", "?", "Escape", "Escape", "End"):
        page.keyboard.press(key)
        assert _english(stage, language) == [], key
    page.goto(f"{server}/learn?lesson=editor&step=2&{PARAMETER}={language}")
    page.locator(".learn-language").select_option("en")
    expect(page.locator(".leaf-title")).to_have_text("The typist writes ahead")
    expect(learn).to_have_attribute("lang", "en")


def test_the_browser_chooses_and_the_menu_changes_the_language(browser: Browser, server: str) -> None:
    """Without a word in the address the page speaks what the browser asks for; the menu beside the stage has all languages by their own
    names, and the stage is mounted anew in the one that is chosen."""
    with browser.new_context(locale="es-ES") as context:
        returning(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(server)
        stage = page.locator(".stage").first
        expect(stage.locator(".legend")).to_contain_text("aceptado")
        assert PARAMETER not in page.url
        unfold(page)
        picker = page.get_by_role("combobox", name="Language of the stage and of Learn")
        picker.scroll_into_view_if_needed()  # the list of a picker closes when the menu scrolls
        picker.click()
        page.get_by_role("option", name="Deutsch").click()
        expect(stage.locator(".legend")).to_contain_text("angenommen")
        expect(stage).to_have_attribute("lang", "de")
        expect(page).to_have_url(re.compile(f"{PARAMETER}=de"))


def test_a_link_in_learn_keeps_the_language_of_an_older_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the name that the address has for it now; where none is named, none is written."""
    for address, kept in (({"language": "fr"}, {PARAMETER: "fr"}), ({PARAMETER: "de"}, {PARAMETER: "de"}), ({}, {})):
        monkeypatch.setattr("app.language.st.query_params", address)
        assert language.parameters() == kept
