"""The terms of a lesson, which are hovered or focused for their sentence."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.app.lab import box_of, until
from tests.app.test_exported_lesson import exported
from tests.helpers.node import joined


def _inside(page: Page) -> bool:
    box = box_of(page.locator(".note-shown:visible"))
    size = page.viewport_size
    assert size is not None
    return min(box["x"], box["y"]) >= 0 and box["right"] <= size["width"] and box["bottom"] <= size["height"]


def test_a_term_is_hovered_or_focused_for_its_sentence(blank: Page, tmp_path: Path) -> None:
    """Once in a step; the note is its description, stays in the window, and goes with Escape, with
    the pointer and with the focus."""
    page = blank
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{exported('editor', tmp_path)}#step-2")
    terms = page.locator("section:visible .lesson-term")
    texts = [text.casefold() for text in terms.all_inner_texts()]
    assert len(texts) == len(set(texts)) >= 3
    note = page.locator(".note-shown:visible")
    expect(note).to_have_count(0)
    terms.nth(1).hover()
    expect(note).to_have_count(1)
    assert str(terms.nth(1).get_attribute("aria-description")) in note.inner_text()
    assert note.inner_text().split(" ", 1)[1]
    assert until(page, lambda: _inside(page))
    note.hover()  # the way from the term to its note does not close it
    page.wait_for_timeout(400)
    expect(note).to_have_count(1)
    page.mouse.move(2, 2)
    expect(note).to_have_count(0)
    terms.first.focus()
    expect(note).to_have_count(1)
    for _ in range(9):  # past the figures between them, which have notes too
        page.keyboard.press("Tab")
        if terms.nth(1).evaluate("term => term.matches(':focus')"):
            break
    expect(note).to_have_count(1)
    assert str(terms.nth(1).get_attribute("aria-description")) in note.inner_text()
    page.keyboard.press("Escape")
    expect(note).to_have_count(0)
    terms.first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#step-3 h2")).to_be_visible()
    expect(note).to_have_count(0)


def test_only_sentences_are_marked_and_only_with_text(blank: Page) -> None:
    """What a model wrote, figures, code, links and buttons hold no term, whatever stands in them; a sentence of the glossary is no markup."""
    page = blank
    page.set_content("<main id='here'></main>")
    page.add_script_tag(content=joined("terms", "lessons/terms"))
    html = """<p>A <span class="lesson-token">token</span>, <span class="lesson-figure">2 tokens</span>, <code>token</code>,
        <a href="#x">token</a>, <button>token</button> and a <em>to</em>ken, then: <strong>Tokens</strong> and a token.</p>"""
    entry = {"term": "token", "says": "<img src=x onerror='hacked = 1'>", "forms": ["token", "tokens"], "others": []}
    page.evaluate(
        """([html, entry]) => { here.innerHTML = html; terms.gloss([here.firstChild], new terms.TermFinder([entry])); }""",
        [html, entry],
    )
    expect(page.locator(".lesson-term")).to_have_text(["Tokens"])
    assert page.locator("strong > .lesson-term").count() == 1
    page.locator(".lesson-term").focus()
    expect(page.locator(".note-shown")).to_have_text("token <img src=x onerror='hacked = 1'>")
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
