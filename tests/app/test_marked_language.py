"""Languages in the browser, also one whose every text is marked: what a page says without the mark is said in English to everybody."""

import json
import re

from playwright.sync_api import Locator, Page, expect

from app.state import address
from specviz import words
from specviz.site.gallery import built_in
from tests.app.conftest import unfold

LANGUAGE = "de"
_VERBATIM = (
    ".manuscript, .why-before, .end-text, .token, .prompt, .text, .bytes, .tokens, .slot, .choice, .closing, code, kbd"
)
"""Tokens, prompts and code."""
_SAID = """(root, verbatim) => [...root.querySelectorAll("*")]
    .filter((part) => !part.closest(verbatim) && !part.closest("style, script, [hidden]")).flatMap((part) => [
        part.title, part.getAttribute("aria-label"), part.dataset?.note,
        ...[...part.childNodes].filter((each) => each.nodeType === 3).map((each) => each.textContent)])
    .filter(Boolean).map((text) => text.trim())"""
"""Every text of a part of the page, and what a pointer or a screen reader gets beside it."""
_ANSWERED = """{ const own = fetch;
    window.fetch = (...asked) => String(asked[0]).includes("words-%s") ? Promise.resolve(new Response(%s)) : own(...asked); }"""
"""Gives the page another table than the server; a route of Playwright's would do that without the browser's cache."""
_MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
_WORD = re.compile(r"[A-Za-z]{3,}")
_NAMES = re.compile(r"\b(embedded|float32|cpu|English|Deutsch)\b")


def _marked() -> str:
    """The table of the language with a mark around every text."""

    def mark(own: object) -> object:
        return {form: f"⟦{text}⟧" for form, text in own.items()} if isinstance(own, dict) else f"⟦{own}⟧"

    return json.dumps({english: mark(own) for english, own in words.table(LANGUAGE).items()})


def _unmarked(part: Locator) -> list[str]:
    """What a part of the page says outside every mark."""
    found = []
    for text in part.evaluate(_SAID, _VERBATIM):
        left, before = text, ""
        while left != before:
            before, left = left, _MARKED.sub("", left)
        if _WORD.search(_NAMES.sub("", left)):
            found.append(text)
    return found


def _assert_marked(part: Locator, *keys: str) -> None:
    """At every moment nothing is said outside the marks but numbers, tokens, prompts, code and names; a screen reader gets the language."""
    part.get_by_text("⟦").filter(visible=True).first.wait_for()
    prompts = {" ".join(entry.run.prompt.split()) for entry in built_in()}
    for key in ("", *keys):
        if key:
            part.focus()
            part.page.keyboard.press(key)
            part.page.wait_for_timeout(100)
        assert [text for text in _unmarked(part) if " ".join(text.split()) not in prompts] == [], key
    assert part.evaluate("part => part.closest('[lang]').lang") == LANGUAGE


def test_the_browser_chooses_the_language_and_the_menu_changes_it(page: Page, server: str) -> None:
    """On the stage with its drawer, its keys and the card at its end, on the race, and in Learn."""
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(_ANSWERED % (LANGUAGE, json.dumps(_marked())))
    # Chromium before 151 opens a page's socket with its own languages: the header is English, and the page Spanish.
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'es-ES' })")
    page.goto(f"{server}/?dtype=float32")
    stage = page.locator(".stage:not(.race)").first
    expect(stage.locator(".legend")).to_contain_text("aceptado")
    assert address.LANGUAGE not in page.url
    unfold(page)
    picker = page.get_by_role("combobox", name="Language of the stage and of Learn")
    picker.scroll_into_view_if_needed()  # the list of a picker closes when the menu scrolls
    picker.click()
    page.get_by_role("option", name="Deutsch").click()
    expect(page).to_have_url(re.compile(f"{address.LANGUAGE}={LANGUAGE}"))
    _assert_marked(stage, "ArrowRight", "w", "?", "Escape", "Escape", "End")
    page.goto(f"{server}/race?dtype=float32&{address.LANGUAGE}={LANGUAGE}")
    _assert_marked(page.locator(".stage.race").first, "Home", "End")

    # The words of Learn come from the server, without marks: no English text of the table is there.
    table = words.table(LANGUAGE)
    own = {text for each in table.values() for text in (each.values() if isinstance(each, dict) else [each])}
    english = {text for text, said in table.items() if isinstance(said, str) and len(text) > 3} - own
    page.goto(f"{server}/learn?{address.LANGUAGE}={LANGUAGE}")
    learn, chapters = page.locator(".learn"), page.locator(".chapter")
    expect(chapters.first).to_have_attribute("lang", LANGUAGE)
    for number in range(3):
        assert not english & {*learn.evaluate(_SAID, _VERBATIM)}, number
        page.keyboard.press("ArrowRight") if number else chapters.nth(4).click()
        expect(page.locator(".leaf-title")).to_be_visible()
    expect(learn).to_have_attribute("lang", LANGUAGE)
