"""Learn in a browser: every step of every lesson by keyboard alone, addresses both ways, two windows, lessons of one's own."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from specviz.lessons.lesson import Lesson, Place, Question, Step
from specviz.lessons.vocabulary import PICTURES
from tests.app.lab import box_of, until
from tests.helpers.lessons import SMALL, lesson_of, lessons
from tests.helpers.node import joined

LIT = {
    "prompt": ".manuscript .prompt", "text": ".manuscript", "typist": ".role.draft", "editor": ".role.target",
    "draft row": ".column > .slot", "target row": ".column > .choice", "slot": ".column > .slot", "closing": ".column > .closing",
    "why": ".why", "why closing": ".why", "figures": ".dial", "speedup": ".figure.speedup", "rate": ".figure.rate",
    "tokens per pass": ".figure.perPass", "accepted": ".figure.accepted", "caption": ".caption", "legend": ".legend", "lanes": ".lanes",
    "controls": ".transport",
}  # fmt: skip
"""What each name of a lit part means on the stage. Written down here once more, so that the page's own list is checked."""
SMALLEST_PX = 18
_CUT_ROWS = """view => { const { top, bottom } = view.getBoundingClientRect();
    return [...view.querySelectorAll(".slot")].map((slot) => slot.getBoundingClientRect())
        .filter((slot) => slot.top < bottom - 1 && slot.bottom > bottom + 1 || slot.top < top - 1 && slot.bottom > top + 1).length; }"""
"""How many rows of a tree the edges of its view cut through."""
_HIDDEN_BELOW = "main => main.scrollHeight - main.clientHeight"
NOT_THE_STAGE = set(PICTURES) - {"stage"}


def _text(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


def _open(page: Page, server: str, query: str) -> None:
    page.goto(f"{server}/learn?{query}")
    expect(page.locator(".leaf-title")).to_be_visible()


def _expect_all_in_view(page: Page, where: object) -> None:
    """Nothing has to be scrolled to: the picture takes its size after the words have taken theirs."""
    assert until(page, lambda: page.get_by_test_id("stMain").evaluate(_HIDDEN_BELOW) <= 0), where


def _expect_lit(page: Page, place: Place) -> None:
    """What the step names is lit, and something else on the stage is dim."""
    if not place.lit:
        expect(page.locator("[data-dim]")).to_have_count(0)
        return
    for lit in place.lit:
        where = f".column:nth-child({lit.slot}) > .slot" if lit.part == "slot" else LIT[lit.part]
        expect(page.locator(where).first, lit.part).to_have_attribute("data-lit", "")
    expect(page.locator("[data-dim]").first).to_be_attached()


def _expect_step(page: Page, lesson: Lesson, number: int, step: Step) -> bool:
    """The open page is this step, and all of it is in the window; whether it shows a tree."""
    expect(page.locator(".leaf-title")).to_have_text(_text(step.title))
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_in_viewport(ratio=1)
    _expect_all_in_view(page, (lesson.name, number))
    expect(page).to_have_url(re.compile(rf"/learn\?lesson={lesson.name}&step={number}$"))
    if step.picture in NOT_THE_STAGE:
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            expect(page.locator(".explorable:visible")).to_have_attribute("data-theme", scheme)
        expect(page.locator(".learn .stage").first).to_be_hidden()
        return False
    if step.place.moment is not None:
        expect(page.locator(".round-name")).to_contain_text(f"Round {step.place.moment.round + 1} of")
        expect(page.locator(".desk")).to_have_attribute("data-phase", step.place.moment.phase)
    _expect_lit(page, step.place)
    expect(page.locator(".caption"), "nothing can be played here").not_to_contain_text("press Play")
    if not page.locator(".tree .slot").count():
        return False
    assert until(page, lambda: page.locator(".tree-view").evaluate(_CUT_ROWS) == 0), (lesson.name, number)
    return True


def _answer(page: Page, question: Question) -> None:
    """The open page is this question, with its own round on the stage; the right answer leads to its moment."""
    expect(page.locator(".leaf-title")).to_have_text(_text(question.html))
    if question.answer.moment is not None:
        expect(page.locator(".round-name")).to_contain_text(f"Round {question.answer.moment.round + 1} of")
        expect(page.locator("[data-dim]")).to_have_count(0)
    page.keyboard.press(str(1 + [choice.right for choice in question.choices].index(True)))
    expect(page.locator(".verdict.right")).to_be_visible()
    expect(page.locator(".because")).to_have_text(_text(question.because))
    if question.answer.moment is not None:
        expect(page.locator(".desk")).to_have_attribute("data-phase", question.answer.moment.phase)
    _expect_lit(page, question.answer)


@pytest.mark.parametrize("count", [1, pytest.param(None, marks=pytest.mark.accessibility)])
def test_every_step_of_a_lesson_opens_by_keyboard(page: Page, server: str, count: int | None) -> None:
    """From the list of chapters the right arrow leads through the first one, and through all of them: title, address, moment and what is lit
    are those of the file, no page needs scrolling, no row of a tree is cut, and a question has a picture of its own round. What can be explored follows a
    change of the theme while it is open."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{server}/learn")
    expect(page.locator(".chapter")).to_have_count(len(lessons()))
    trees = 0
    for lesson in lessons()[:count]:
        for number, step in enumerate(lesson.steps, start=1):
            page.keyboard.press("ArrowRight")
            trees += _expect_step(page, lesson, number, step)
        for question in lesson.questions:
            page.keyboard.press("ArrowRight")
            _answer(page, question)
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Try it with your own prompt")).to_be_visible()
    assert trees > 2 or count == 1


def test_an_address_opens_its_step_and_what_is_unknown_is_one_sentence(page: Page, server: str) -> None:
    """A link opens its step, a reload keeps it, Share gives the code of its frame, the way back leads to the chapter before; an unknown step or lesson
    is one sentence, and the keys go on working."""
    page.emulate_media(reduced_motion="reduce")
    steps = lesson_of("editor").steps
    _open(page, server, "lesson=editor&step=1")
    page.locator(".stage").focus()
    for key in ("End", ".", "n"):  # the stage is held at the moment of the sentence
        page.keyboard.press(key)
    expect(page.locator(".round-name")).to_contain_text("Round 1 of")
    expect(page.locator(".figure.speedup .value")).to_have_text("–")
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
    expect(page).to_have_url(re.compile("lesson=disagree&step=1$"))
    expect(page.locator(".learn-title")).to_have_text(lesson_of("disagree").title)
    page.go_back()
    expect(page.locator(".learn-title")).to_have_text(lesson_of("editor").title)
    _open(page, server, "lesson=editor&step=99")
    expect(page.locator(".learn-problem")).to_contain_text("the address names step '99'")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".leaf-title")).to_have_text(steps[1].title)
    page.goto(f"{server}/learn?lesson=%3Cb%3Enobody&step=4")
    expect(page.locator(".learn-problem")).to_contain_text(
        "The address names the lesson '<b>nobody', which is not here"
    )
    page.keyboard.press("ArrowRight")
    expect(page.locator(".leaf-title")).to_be_visible()


def test_a_chapter_ends_with_its_sentence_and_a_tick(page: Page, server: str) -> None:
    """The last page has the sentence, the end of a run and the next chapter as its main button; the list of chapters remembers it. Another button
    opens Watch with the prompt and the settings that the lesson names, and Back leads from there to the chapter."""
    page.emulate_media(reduced_motion="reduce")
    lesson = lesson_of("editor")
    _open(page, server, f"lesson=editor&step={len(lesson.steps) + len(lesson.questions) + 1}")
    expect(page.locator(".leaf-title")).to_have_text(lesson.ending.html)
    assert lesson.ending.place.moment is not None
    last = lesson.ending.place.moment.round + 1
    expect(page.locator(".round-name")).to_contain_text(f"Round {last} of {last}")
    expect(page.locator(".leaf .learn-button").first).to_have_text("Next chapter: Where they disagree")
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


def test_a_language_is_chosen(page: Page, server: str) -> None:
    """The picker changes the words and keeps the step, and terms have their sentences in that language; one analogy has no buttons to choose it."""
    page.emulate_media(reduced_motion="reduce")
    _open(page, server, "lesson=editor&step=2")
    german = lesson_of("editor", "de").steps[1]
    expect(page.locator(".leaf-analogy")).to_have_count(1)
    expect(page.locator("[data-analogy]")).to_have_count(0)
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".leaf-title")).to_have_text(german.title)
    expect(page.locator(".learn")).to_have_attribute("lang", "de")
    expect(page).to_have_url(re.compile("lang=de"))
    page.keyboard.press("ArrowRight")
    page.locator(".lesson-term", has_text="Durchlauf").focus()
    expect(page.locator(".note-shown:visible")).to_contain_text("Durchlauf")


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
    page.get_by_role("button", name=lesson_of("disagree").title).click()
    expect(page.locator(".learn.talk .learn-title")).to_have_text(lesson_of("disagree").title)
    expect(page.locator(".learn-notes")).to_be_visible()
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".learn:not(.talk)")).to_be_visible()
    expect(page.locator(".learn-side")).to_be_hidden()


@pytest.mark.accessibility
def test_teaching_fits_any_screen(page: Page, server: str) -> None:
    """Large pictures on a large screen, and with notes all of the page is in view."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1920, "height": 1080})
    for query, shown in (("rule&step=4", ".explorable"), ("rule&step=8", ".why")):
        _open(page, server, f"lesson={query}&teach=1")
        expect(page.locator(shown).first).to_be_visible()
        _expect_all_in_view(page, query)
        picture = page.locator(".learn-picture")
        assert until(page, lambda: picture.evaluate("one => one.getBoundingClientRect().bottom") > 1000), query  # noqa: B023  # called at once
    page.set_viewport_size({"width": 1280, "height": 720})
    for query in ("word&step=5", "rule&step=8", "pays&step=1", "rush&step=5"):
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
