"""Learn in a browser: addresses both ways, languages, the end of a chapter, teaching, lessons of one's own. What each step lights: tests/app/test_site.py."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.lab import box_of, until
from tests.helpers.lessons import SMALL, lesson_of
from tests.helpers.node import joined

SMALLEST_PX = 18
_HIDDEN_BELOW = "main => main.scrollHeight - main.clientHeight"


def _text(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


def _open(page: Page, server: str, query: str) -> None:
    page.goto(f"{server}/learn?{query}")
    expect(page.locator(".leaf-title")).to_be_visible()


def _expect_all_in_view(page: Page, where: object) -> None:
    """Nothing has to be scrolled to: the picture takes its size after the words have taken theirs."""
    assert until(page, lambda: page.get_by_test_id("stMain").evaluate(_HIDDEN_BELOW) <= 0), where


def test_an_address_opens_its_step_and_what_is_unknown_is_one_sentence(page: Page, server: str) -> None:
    """A link opens its step, a reload keeps it, Share gives the code of its frame, the way back leads to the chapter before; an unknown step or lesson
    is one sentence, and the keys go on working."""
    page.emulate_media(reduced_motion="reduce")
    steps = lesson_of("editor").steps
    _open(page, server, "lesson=editor&step=4")
    expect(page.locator(".leaf-title")).to_have_text(steps[3].title)
    expect(page.locator(".learn-problem")).to_be_hidden()
    expect(page.locator(".choice.covered"), "its question is not answered by its picture").to_have_count(5)
    page.keyboard.press("1")
    expect(page.locator(".choice.covered")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=3$"))
    expect(page.locator(".choice.covered"), "nor by the one before").to_have_count(5)
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("code", has_text="editor.html?embed=1#step-3")).to_be_visible()
    dialog.get_by_label("Address of a site").fill("https://example.org/specviz/")
    dialog.get_by_label("Address of a site").press("Enter")
    there = "https://example.org/specviz/index.html?embed=1#/learn/editor/3"
    expect(dialog.locator("code", has_text=there)).to_be_visible()
    page.reload()
    expect(page.locator(".leaf-title")).to_have_text(steps[2].title)
    page.locator(".learn-mark").last.click()
    page.get_by_role("button", name="Next chapter").click()
    expect(page).to_have_url(re.compile("lesson=word&step=1$"))
    expect(page.locator(".learn-title")).to_have_text(lesson_of("word").title)
    page.go_back()
    expect(page.locator(".learn-title")).to_have_text(lesson_of("editor").title)
    _open(page, server, "lesson=editor&step=99")
    expect(page.locator(".learn-problem")).to_contain_text("the address names step '99'")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".leaf-title")).to_have_text(steps[1].title)
    _open(page, server, "lesson=disagree&step=3")
    expect(page.locator(".leaf-title"), "a chapter that is part of this one now").to_have_text(steps[2].title)
    expect(page.locator(".learn-problem")).to_be_hidden()
    page.goto(f"{server}/learn?lesson=%3Cb%3Enobody&step=4")
    expect(page.locator(".learn-problem")).to_contain_text(
        "The address names the lesson '<b>nobody', which is not here"
    )
    page.keyboard.press("ArrowRight")
    expect(page.locator(".leaf-title")).to_be_visible()


def test_a_chapter_ends_with_its_sentence_and_a_tick(page: Page, server: str) -> None:
    """The last page has the sentence, the end of a run and the next chapter as its main button; the list of chapters remembers it. Another button
    opens Watch with the prompt and the settings that the lesson names, and Back leads from there to the chapter, which speaks another language when one is chosen."""
    page.emulate_media(reduced_motion="reduce")
    lesson = lesson_of("editor")
    _open(page, server, f"lesson=editor&step={len(lesson.steps) + len(lesson.questions) + 1}")
    expect(page.locator(".leaf-title")).to_have_text(lesson.ending.html)
    assert lesson.ending.place.moment is not None
    last = lesson.ending.place.moment.round + 1
    expect(page.locator(".round-name")).to_contain_text(f"Round {last} of {last}")
    expect(page.locator(".leaf .learn-button").first).to_have_text("Next chapter: One word at a time")
    expect(page.locator(".leaf .learn-button.main")).to_have_count(1)
    page.get_by_role("button", name="Chapters").click()
    expect(page.locator(".chapter", has=page.get_by_role("img", name="Chapter done"))).to_have_count(1)
    expect(page.locator(".chapter", has_text=lesson.title).locator(".chapter-done")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Try it with your own prompt").click()
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value(str(lesson.try_it.parameters["prompt"]))
    expect(page).not_to_have_url(re.compile("/learn"))
    for name, value in lesson.try_it.parameters.items():
        if name not in ("prompt", "pair"):
            expect(page).to_have_url(re.compile(rf"[?&]{name}={value}\b"))
    page.go_back()
    expect(page.locator(".learn-title"), "one press is one entry of the history").to_have_text(lesson.title)
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".learn-title")).to_have_text(lesson_of("editor", "de").title)
    expect(page.locator(".learn")).to_have_attribute("lang", "de")


def test_teaching_a_lesson(page: Page, server: str) -> None:
    """In large type, all of the picture in view, with the bar beside the title; the notes come on request, with what comes next, and at a question
    its answer. The plan leads to its chapters, still teaching; Leave ends it."""
    page.emulate_media(reduced_motion="reduce")
    lesson = lesson_of("editor")
    _open(page, server, "lesson=editor&step=1")
    page.get_by_role("button", name="Teach").click()
    expect(page.locator(".learn.talk .leaf-title")).to_have_text(lesson.steps[0].title)
    expect(page.locator(".learn-side")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".leaf-title")).to_have_text(lesson.steps[2].title)
    smallest = page.locator(".learn").evaluate(
        """learn => Math.min(...[...learn.querySelectorAll(".learn-text *, .learn-bar *")].filter(e => e.checkVisibility()
            && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize)))"""
    )
    assert smallest >= SMALLEST_PX
    title, bar = box_of(page.locator(".learn-title")), box_of(page.locator(".st-key-teach-bar"))
    assert title["right"] < bar["x"]
    assert until(page, lambda: page.locator(".learn").evaluate("learn => learn.getBoundingClientRect().bottom") <= 720)
    page.get_by_role("button", name="Notes").click()
    expect(page.locator(".learn-notes")).to_have_text(_text(lesson.steps[2].notes))
    expect(page.locator(".learn-then")).to_contain_text(lesson.steps[3].title)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".learn-notes")).to_contain_text("The answer: all of them.")
    page.get_by_role("button", name="Plan").click()
    page.get_by_role("button", name=lesson_of("word").title).click()
    expect(page.locator(".learn.talk .learn-title")).to_have_text(lesson_of("word").title)
    expect(page.locator(".learn-notes")).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".learn:not(.talk)")).to_be_visible()
    expect(page.locator(".learn-side")).to_be_hidden()


@pytest.mark.accessibility
def test_teaching_fits_any_screen(page: Page, server: str) -> None:
    """Large pictures on a large screen, and with notes all of the page is in view."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1920, "height": 1080})
    for query, shown in (("rule&step=4", ".explorable"), ("rule&step=7", ".why")):
        _open(page, server, f"lesson={query}&teach=1")
        expect(page.locator(shown).first).to_be_visible()
        _expect_all_in_view(page, query)
        picture = page.locator(".learn-picture")
        assert until(page, lambda: picture.evaluate("one => one.getBoundingClientRect().bottom") > 1000), query  # noqa: B023  # called at once
    page.set_viewport_size({"width": 1280, "height": 720})
    for query in ("word&step=5", "rule&step=7", "pays&step=1", "rush&step=5"):
        _open(page, server, f"lesson={query}&teach=1&notes=1")
        expect(page.locator(".learn-notes")).to_be_visible()
        expect(page.locator(".learn .stage, .learn .explorable").locator("visible=true").first).to_be_visible()
        _expect_all_in_view(page, query)


@pytest.fixture
def own_lessons(server_folder: Path) -> Iterator[Path]:
    """The folder from which the server takes lessons of one's own; it is empty again afterwards."""
    folder = server_folder / "lessons"
    yield folder
    for file in folder.iterdir():
        file.unlink()


def test_lessons_of_ones_own_and_a_hostile_one(page: Page, server: str, own_lessons: Path) -> None:
    """A person's lesson stands beside the built-in ones and a saved change is followed; one with a script in it is left out with one
    sentence, and the others work."""
    (own_lessons / "20-mine.md").write_text(SMALL.replace("title: Small", "title: My own"), encoding="utf-8")
    hostile = SMALL.replace("An introduction.", "<script>window.hacked = 1</script>")
    (own_lessons / "21-hostile.md").write_text(hostile, encoding="utf-8")
    page.goto(f"{server}/learn")
    expect(page.get_by_role("link", name="My own")).to_be_visible()
    expect(page.locator(".learn-wrong")).to_contain_text("21-hostile.md, line")
    assert page.evaluate("window.hacked") is None
    page.get_by_role("link", name="My own").click()
    expect(page.locator(".leaf-title")).to_have_text("The draft")
    (own_lessons / "20-mine.md").write_text(SMALL.replace("## The draft", "## The first draft"), encoding="utf-8")
    expect(page.locator(".leaf-title")).to_have_text("The first draft")


def test_only_what_markdown_can_be_becomes_nodes(blank: Page) -> None:
    """Even HTML that should never come from a lesson makes no script, no picture and no handler."""
    blank.set_content("<div id='here'></div>")
    blank.add_script_tag(content=joined("trusted", "lessons/trusted_html"))
    html = """<script>hacked = 1</script><img src=x onerror="hacked = 1"><b onclick="hacked = 1" style="color: red">bold</b>
        <a href="javascript:hacked = 1">bad</a><a href="//evil.example">bad</a><a href="https://example.org">good</a>
        <svg onload="hacked = 1"></svg><span class="lesson-token" data-how="how">tok</span><span class="stage">x</span>"""
    made = blank.evaluate("html => { here.append(trusted.nodesOf(html)); return here.innerHTML; }", html)
    assert blank.evaluate("window.hacked") is None
    for bad in ("<script", "img", "svg", "onclick", "style", "javascript", "evil", 'class="stage"'):
        assert bad not in made, bad
    assert 'href="https://example.org"' in made
    assert '<span class="lesson-token" data-note="how" aria-description="how" tabindex="0">tok</span>' in made
