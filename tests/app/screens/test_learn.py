"""Learn in a browser: its list, addresses both ways, the end of a chapter, teaching, languages, a phone. What each step lights: tests/app/test_site.py."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from specviz.lessons.glossary import glossary_of
from tests.app.lab import box_of, until
from tests.helpers.lessons import SMALL, lesson_of
from tests.helpers.node import joined

SMALLEST_PX = 18
_SMALLEST = """learn => Math.min(...[...learn.querySelectorAll(".learn-text *, .learn-bar *")].filter(e => e.checkVisibility()
    && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize)))"""
_FIRST_SCREEN = """learn => { const at = (selector, end) => learn.querySelector(selector).getBoundingClientRect()[end];
    const marks = at(".learn-marks", "top");
    return at(".leaf-title", "bottom") < marks && at(".leaf-text :is(p, li)", "top") + 30 < marks
        && at(".learn-marks", "bottom") <= 844 && document.documentElement.scrollWidth <= 390; }"""
_TREE = """view => {
    const slots = [...view.querySelectorAll(".slot")].filter((slot) => slot.checkVisibility()), { bottom } = view.getBoundingClientRect();
    const rem = (node) => parseFloat(getComputedStyle(node).fontSize);
    const cut = slots.map((slot) => slot.getBoundingClientRect()).filter((row) => row.top < bottom && row.bottom > bottom);
    return [rem(slots[0]) / rem(document.documentElement), cut.length]; }"""
_HIDDEN_BELOW = "main => main.scrollHeight - main.clientHeight"


def _text(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


def _open(page: Page, server: str, query: str) -> None:
    page.goto(f"{server}/learn?{query}")
    expect(page.locator(".leaf-title")).to_be_visible()


def _expect_all_in_view(page: Page, where: object) -> None:
    """Nothing has to be scrolled to: the picture takes its size after the words have taken theirs."""
    assert until(page, lambda: page.get_by_test_id("stMain").evaluate(_HIDDEN_BELOW) <= 0), where


@pytest.fixture
def own_lessons(server_folder: Path) -> Iterator[Path]:
    """The folder from which the server takes lessons of one's own; it is empty again afterwards."""
    folder = server_folder / "lessons"
    yield folder
    for file in folder.iterdir():
        file.unlink()


def test_a_reader_and_a_teacher_go_through_learn(page: Page, server: str, own_lessons: Path) -> None:
    """From the list of chapters through a chapter to its end, then in large type, in another language, and on a phone."""
    page.emulate_media(reduced_motion="reduce")
    lesson, title, problem = lesson_of("editor"), page.locator(".leaf-title"), page.locator(".learn-problem")
    steps = lesson.steps

    # A person's lesson stands beside the built-in ones; one with a script in it is left out with one sentence, and the others work.
    (own_lessons / "20-mine.md").write_text(SMALL.replace("title: Small", "title: My own"), encoding="utf-8")
    hostile = SMALL.replace("An introduction.", "<script>window.hacked = 1</script>")
    (own_lessons / "21-hostile.md").write_text(hostile, encoding="utf-8")
    page.goto(f"{server}/learn")
    expect(page.get_by_role("link", name="My own")).to_be_visible()
    expect(page.locator(".learn-wrong")).to_contain_text("21-hostile.md, line")
    assert page.evaluate("window.hacked") is None

    # A link leads to the glossary with every term as text, and back; another one to the handout.
    page.get_by_role("link", name="Glossary").click()
    expect(page).to_have_url(re.compile("lesson=glossary"))
    expect(page.locator(".glossary dt")).to_have_text([entry.term for entry in glossary_of("en")])
    expect(problem).to_be_hidden()
    page.get_by_role("link", name="Chapters").click()
    expect(page.locator(".chapter").first).to_be_visible()
    handout = page.get_by_role("link", name=re.compile("Handout")).get_attribute("href")
    assert page.evaluate("async address => (await (await fetch(address)).text()).length", handout) > 5000

    # A saved change of one's own lesson is followed.
    page.get_by_role("link", name="My own").click()
    expect(title).to_have_text("The draft")
    (own_lessons / "20-mine.md").write_text(SMALL.replace("## The draft", "## The first draft"), encoding="utf-8")
    expect(title).to_have_text("The first draft")

    # A link opens its step, a reload keeps it, Share gives the code of its frame, the way back leads to the chapter before.
    _open(page, server, "lesson=editor&step=4")
    expect(title).to_have_text(steps[3].title)
    expect(problem).to_be_hidden()
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
    expect(title).to_have_text(steps[2].title)
    page.get_by_role("slider", name=lesson.title).press("End")
    page.get_by_role("button", name="Next chapter").click()
    expect(page).to_have_url(re.compile("lesson=word&step=1$"))
    expect(page.locator(".learn-title")).to_have_text(lesson_of("word").title)
    page.go_back()
    expect(page.locator(".learn-title")).to_have_text(lesson.title)

    # An unknown step or lesson is one sentence, and the keys go on working; a chapter that is part of another one opens there.
    _open(page, server, "lesson=editor&step=99")
    expect(problem).to_contain_text("the address names step '99'")
    page.keyboard.press("ArrowRight")
    expect(title).to_have_text(steps[1].title)
    page.goto(f"{server}/learn?lesson=%3Cb%3Enobody&step=4")
    expect(problem).to_contain_text("The address names the lesson '<b>nobody', which is not here")
    page.keyboard.press("ArrowRight")
    expect(title).to_be_visible()
    _open(page, server, "lesson=disagree&step=3")
    expect(title).to_have_text(steps[2].title)
    expect(problem).to_be_hidden()

    # An analogy is offered where a page has a caption in it, and stays chosen over pages that have none.
    analogy, caption = page.get_by_role("combobox", name="Analogy"), page.locator(".leaf-analogy")
    _open(page, server, "lesson=faster&step=3")
    analogy.select_option("Kitchen")
    expect(caption).to_contain_text("sous-chef")
    page.keyboard.press("ArrowLeft")
    expect(analogy).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(analogy).to_have_value("Kitchen")
    expect(caption).to_contain_text("sous-chef")
    _open(page, server, "lesson=disagree&step=3")

    # The last page has the sentence, the end of a run and the next chapter as its main button; the list of chapters remembers it.
    page.get_by_role("slider", name=lesson.title).press("End")
    expect(title).to_have_text(lesson.ending.html)
    assert lesson.ending.place.moment is not None
    last = lesson.ending.place.moment.round + 1
    expect(page.locator(".round-name")).to_contain_text(f"Round {last} of {last}")
    expect(page.locator(".leaf .learn-button").first).to_have_text("Next chapter: One word at a time")
    expect(page.locator(".leaf .learn-button.main")).to_have_count(1)
    page.get_by_role("button", name="Chapters").click()
    expect(page.locator(".chapter", has=page.get_by_role("img", name="Chapter done"))).to_have_count(1)
    expect(page.locator(".chapter", has_text=lesson.title).locator(".chapter-done")).to_be_visible()
    page.go_back()

    # Another button opens Watch with the prompt and the settings of the lesson; one press on Back leads to the chapter.
    page.get_by_role("button", name="Try it with your own prompt").click()
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value(str(lesson.try_it.parameters["prompt"]))
    expect(page).not_to_have_url(re.compile("/learn"))
    for name, value in lesson.try_it.parameters.items():
        if name not in ("prompt", "pair"):
            expect(page).to_have_url(re.compile(rf"[?&]{name}={value}\b"))
    page.go_back()
    expect(page.locator(".learn-title")).to_have_text(lesson.title)

    # Teaching: large type, all of the picture in view, the bar beside the title; notes on request, with what comes next and the answers.
    page.get_by_role("slider", name=lesson.title).press("Home")
    page.get_by_role("button", name="Teach").click()
    expect(page.locator(".learn.talk .leaf-title")).to_have_text(steps[0].title)
    expect(page.locator(".learn-side")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(title).to_have_text(steps[2].title)
    assert page.locator(".learn").evaluate(_SMALLEST) >= SMALLEST_PX
    assert box_of(page.locator(".learn-title"))["right"] < box_of(page.locator(".st-key-teach-bar"))["x"]
    assert until(page, lambda: page.locator(".learn").evaluate("learn => learn.getBoundingClientRect().bottom") <= 720)
    page.get_by_role("button", name="Notes").click()
    expect(page.locator(".learn-notes")).to_have_text(_text(steps[2].notes))
    expect(page.locator(".learn-then")).to_contain_text(steps[3].title)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".learn-notes")).to_contain_text("The answer: all of them.")

    # The plan leads to its chapters, still teaching; Leave ends it. A chapter speaks the language that is chosen.
    page.get_by_role("button", name="Plan").click()
    page.get_by_role("button", name=lesson_of("word").title).click()
    expect(page.locator(".learn.talk .learn-title")).to_have_text(lesson_of("word").title)
    expect(page.locator(".learn-notes")).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".learn:not(.talk)")).to_be_visible()
    expect(page.locator(".learn-side")).to_be_hidden()
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".learn-title")).to_have_text(lesson_of("word", "de").title)
    expect(page.locator(".learn")).to_have_attribute("lang", "de")

    # On a phone the first screen of a step has its title and the first line of its words above the way on, and a part that it lights.
    page.set_viewport_size({"width": 390, "height": 844})
    _open(page, server, "lesson=editor&step=1")
    for number in (1, 2, 3):
        expect(page).to_have_url(re.compile(rf"step={number}$"))
        expect(page.locator("[data-lit]:visible").first, str(number)).to_be_visible()
        assert until(page, lambda: page.locator(".learn").evaluate(_FIRST_SCREEN)), number
        page.locator(".learn-tools").scroll_into_view_if_needed()  # a page that is turned shows its top
        page.get_by_role("button", name="Next", exact=True).click()


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
    for query in ("word&step=5", "rule&step=7", "pays&step=1", "rush&step=6"):
        _open(page, server, f"lesson={query}&teach=1&notes=1")
        expect(page.locator(".learn-notes")).to_be_visible()
        expect(page.locator(".learn :is(.stage, .explorable, .race)").locator("visible=true").first).to_be_visible()
        _expect_all_in_view(page, query)


def test_a_tree_of_a_lesson_has_large_letters_in_a_room_and_full_rows_on_a_phone(page: Page, server: str) -> None:
    """Its letters grow with its cards, and no row is cut."""
    page.emulate_media(reduced_motion="reduce")
    for width, height, more in ((1920, 1080, "&teach=1"), (390, 844, "")):
        page.set_viewport_size({"width": width, "height": height})
        _open(page, server, f"lesson=heads&step=1{more}")
        expect(page.locator(".tree .slot.accepted").first).to_be_visible()
        letters, cut = page.locator(".tree-view").evaluate(_TREE)
        assert more == "" or letters > 1.2, "in rem: the small letters of a talk are 1.125"
        assert cut == 0, width


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
