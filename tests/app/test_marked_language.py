"""A language whose every text is marked: what a page says without the mark is said in English to everybody."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from app.state import address
from specviz import words
from specviz.site.gallery import built_in
from tests.app.conftest import fresh_page

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


@pytest.fixture
def marked(browser: Browser) -> Iterator[Page]:
    """A page that gets the marked table instead of the language's."""

    def answer(route: Route) -> None:
        route.fulfill(body=_marked(), content_type="application/json")

    with fresh_page(browser) as page:
        page.emulate_media(reduced_motion="reduce")
        page.route(re.compile(rf"words-{LANGUAGE}"), answer)
        yield page


@pytest.mark.parametrize(
    ("path", "root", "keys"),
    [
        ("", ".stage:not(.race)", ("ArrowRight", "w", "?", "Escape", "Escape", "End")),
        ("race", ".stage.race", ("Home", "End")),
    ],
)
def test_every_text_of_a_screen_comes_from_the_table(
    marked: Page, server: str, path: str, root: str, keys: tuple[str, ...]
) -> None:
    """The stage with its drawer, its keys and the card at its end, and the race: nothing is said outside the marks but numbers,
    tokens, prompts, code and names. A screen reader is told which language that is."""
    marked.goto(f"{server}/{path}{'&' if '?' in path else '?'}{address.LANGUAGE}={LANGUAGE}")
    part = marked.locator(root).first
    part.get_by_text("⟦").filter(visible=True).first.wait_for()
    prompts = {" ".join(entry.run.prompt.split()) for entry in built_in()}
    for key in ("", *keys):
        if key:
            part.focus()
            marked.keyboard.press(key)
            marked.wait_for_timeout(100)
        assert [text for text in _unmarked(part) if " ".join(text.split()) not in prompts] == [], key
    assert part.evaluate("part => part.closest('[lang]').lang") == LANGUAGE


def test_learn_says_nothing_in_english(page: Page, server: str) -> None:
    """The list of chapters and the pages of one, whose words come from the server: no English text of the table."""
    page.emulate_media(reduced_motion="reduce")
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
