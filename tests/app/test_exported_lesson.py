"""The exported lesson in a browser: by keyboard alone, each step with its moment and what is lit."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from specviz.lessons.dots import dot
from specviz.lessons.lesson import Lit
from specviz.lessons.page import page as lesson_page
from specviz.lessons.reading import read_lesson
from specviz.lessons.vocabulary import LIT
from tests.app.lab import until
from tests.app.still import grip
from tests.helpers.lessons import lesson_of
from tests.lessons.writing import SMALL


@pytest.fixture
def page(blank: Page) -> Page:
    """No test here needs more than an empty page."""
    return blank


def test_arrow_keys_lead_through_it(page: Page, tmp_path: Path) -> None:
    """Each step shows its moment and lights its part; a question shows its answer; the analogy can be switched; no errors."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.emulate_media(reduced_motion="reduce")
    page.goto(exported("editor", tmp_path))
    lesson = lesson_of("editor")
    begins = page.locator(".manuscript").inner_text()
    page.keyboard.press("End")
    assert page.locator(".manuscript").inner_text() == begins, (
        "nobody leaves the moment of a sentence by a key of the stage"
    )
    for number, step in enumerate(lesson.steps, start=1):
        expect(page.locator(f"#step-{number} h2")).to_be_visible()
        expect(page.locator("section:visible")).to_have_count(1)
        assert step.place.moment is not None
        expect(page.locator(".round-name")).to_contain_text(f"Round {step.place.moment.round + 1} of")
        expect(page.locator("[data-lit]").first).to_be_attached()
        expect(page.locator(".desk")).to_have_attribute("data-phase", step.place.moment.phase)
        page.keyboard.press("ArrowRight")
    assert page.locator(".lesson-term").count() > len(lesson.steps)
    expect(page.locator(f"#step-{len(lesson.steps) + 1} h2")).to_be_visible()
    page.locator("section:visible .lesson-choice").nth(1).click()
    expect(page.locator("section:visible .outcome.right")).to_be_visible()
    expect(page.locator("section:visible .outcome.wrong")).to_be_hidden()
    assert errors == []


_FAINTEST = """() => Math.min(...[...document.querySelectorAll("[data-dim]")].filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => { let product = 1; for (let at = e; at; at = at.parentElement) product *= getComputedStyle(at).opacity; return product; }))"""
"""The lowest opacity with which a dimmed part is seen."""


def test_every_part_that_can_be_lit_is_on_the_stage(page: Page, tmp_path: Path) -> None:
    """For every name of the closed list there is something to light; the rest can still be read, or is not there."""
    text = SMALL.replace("round 1, drafted", "round 1, committed").replace("draft row", "prompt")
    (tmp_path / "01-small.md").write_text(text, encoding="utf-8")
    lesson = read_lesson(tmp_path / "01-small.md").lesson
    assert lesson is not None
    page.emulate_media(reduced_motion="reduce")
    (step,) = lesson.steps
    parts = [Lit(name.removesuffix(" N"), 1 if name.endswith(" N") else None) for name in LIT]
    steps = tuple(replace(step, place=replace(step.place, lit=(part,))) for part in parts)
    file = tmp_path / "parts.html"
    file.write_text(lesson_page(replace(lesson, steps=steps)), encoding="utf-8")
    page.goto(file.as_uri())
    for part in parts:
        expect(page.locator("[data-lit]").first, part.part).to_be_visible()
        expect(page.locator("[data-dim]").first, part.part).to_be_attached()
        assert page.locator("[data-lit][data-dim]").count() == 0
        least = page.evaluate(_FAINTEST)
        assert least >= 0.6, part.part
        page.keyboard.press("ArrowRight")


def exported(name: str, folder: Path) -> str:
    """The address of a chapter that was exported."""
    file = folder / f"{name}.html"
    file.write_text(lesson_page(lesson_of(name)), encoding="utf-8")
    return file.as_uri()


def test_the_explorables_work_offline(page: Page, tmp_path: Path) -> None:
    """In the exported chapters on the rule and on when it pays a bar is dragged, tokens are drawn and the recorded runs are there as dots, with no
    network and under the page's own policy."""
    page.emulate_media(reduced_motion="reduce")
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.context.set_offline(True)
    try:
        page.goto(f"{exported('rule', tmp_path)}#step-4")
        expect(page.locator(".explorable")).to_be_visible()
        expect(page.locator(".learn-picture > .stage")).to_be_hidden()
        bar = page.get_by_role("slider", name="q of “Lyon”")
        before = float(bar.get_attribute("aria-valuenow") or 0)
        x, y = grip(page, ".bar-handle.q .grip", 1)
        page.mouse.move(x, y - 40, steps=4)
        page.mouse.up()
        assert until(page, lambda: float(bar.get_attribute("aria-valuenow") or 0) > before + 0.05)
        bar.focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#step-4 h2"), "a slider keeps its keys").to_be_visible()
        page.get_by_role("button", name="Draw 100", exact=True).click()
        expect(page.locator(".out-count")).to_contain_text("100 tokens")
        grip_colour = page.locator(".bar-handle.q .grip").first.evaluate("node => getComputedStyle(node).fill")
        assert grip_colour != "rgb(0, 0, 0)", "the explorables' own style is there"
        page.goto(f"{exported('pays', tmp_path)}#step-5")
        pays = lesson_of("pays")
        expect(page.locator(".run-dot")).to_have_count(len([each for each in pays.recordings if dot(each)]))
    finally:
        page.context.set_offline(False)
    assert errors == []
    assert [url for url in asked if not url.startswith("file:")] == []
