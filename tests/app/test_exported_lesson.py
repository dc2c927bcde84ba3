"""The exported lesson in a browser: by keyboard alone, each step with its moment and what is lit."""

from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, expect

from specviz.lessons.learn_data import formula_dot
from specviz.lessons.lesson import Highlight
from specviz.lessons.moments import LIT
from specviz.lessons.page import page as lesson_page
from specviz.lessons.reading import read_lesson
from specviz.trace.metrics import divergence
from tests.app.lab import box_of, until
from tests.helpers.lessons import SMALL, lesson_of


def test_arrow_keys_lead_through_it(blank: Page, tmp_path: Path) -> None:
    """Each step shows its moment and lights its part; a question shows its answer; the analogy can be switched; no errors."""
    errors: list[str] = []
    blank.on("pageerror", lambda error: errors.append(str(error)))
    blank.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    blank.emulate_media(reduced_motion="reduce")
    blank.goto(exported("editor", tmp_path))
    lesson = lesson_of("editor")
    begins = blank.locator(".manuscript").inner_text()
    blank.keyboard.press("End")
    assert blank.locator(".manuscript").inner_text() == begins, (
        "nobody leaves the moment of a sentence by a key of the stage"
    )
    for number, step in enumerate(lesson.steps, start=1):
        expect(blank.locator(f"#step-{number} h2")).to_be_visible()
        expect(blank.locator("section:visible")).to_have_count(1)
        assert step.place.moment is not None
        expect(blank.locator(".round-name")).to_contain_text(f"Round {step.place.moment.round + 1} of")
        expect(blank.locator("[data-lit]").first).to_be_attached()
        expect(blank.locator(".desk")).to_have_attribute("data-phase", step.place.moment.phase)
        blank.keyboard.press("ArrowRight")
    assert blank.locator(".lesson-term").count() > len(lesson.steps)
    expect(blank.locator(f"#step-{len(lesson.steps) + 1} h2")).to_be_visible()
    blank.locator("section:visible .lesson-choice").nth(1).click()
    expect(blank.locator("section:visible .outcome.right")).to_be_visible()
    expect(blank.locator("section:visible .outcome.wrong")).to_be_hidden()
    assert errors == []


_FAINTEST = """() => Math.min(...[...document.querySelectorAll("[data-dim]")].filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => { let product = 1; for (let at = e; at; at = at.parentElement) product *= getComputedStyle(at).opacity; return product; }))"""
"""The lowest opacity with which a dimmed part is seen."""


def test_every_part_that_can_be_lit_is_on_the_stage(blank: Page, tmp_path: Path) -> None:
    """For every name of the closed list there is something to light; the rest can still be read, or is not there."""
    text = SMALL.replace("round 1, drafted", "round 1, committed").replace("draft row", "prompt")
    (tmp_path / "01-small.md").write_text(text, encoding="utf-8")
    lesson = read_lesson(tmp_path / "01-small.md").lesson
    assert lesson is not None
    blank.emulate_media(reduced_motion="reduce")
    (step,) = lesson.steps
    parts = [Highlight(name.removesuffix(" N"), 1 if name.endswith(" N") else None) for name in LIT]
    steps = tuple(replace(step, place=replace(step.place, lit=(part,), whole=part.part == "token")) for part in parts)
    file = tmp_path / "parts.html"
    file.write_text(lesson_page(replace(lesson, steps=steps)), encoding="utf-8")
    blank.goto(file.as_uri())
    for part in parts:
        expect(blank.locator("[data-lit]").first, part.part).to_be_visible()
        expect(blank.locator("[data-dim]").first, part.part).to_be_attached()
        assert blank.locator("[data-lit][data-dim]").count() == 0
        least = blank.evaluate(_FAINTEST)
        assert least >= 0.6, part.part
        blank.keyboard.press("ArrowRight")


def test_the_end_of_a_run_is_its_whole_text_beside_the_plain_one(blank: Page, tmp_path: Path) -> None:
    """Wherever a chapter holds a run's last moment, both texts stand there from the prompt to the last token, with how many are the same; where they
    differ, the first token that does is marked in both."""
    blank.emulate_media(reduced_motion="reduce")
    for name in ("faster", "wrong"):
        lesson = lesson_of(name)
        recordings = {recording.name: recording for recording in lesson.recordings}
        address = exported(name, tmp_path)
        steps = [(number, step.place) for number, step in enumerate(lesson.steps, start=1) if step.place.whole]
        assert steps
        for number, place in steps:
            blank.goto(f"{address}#step-{number}")
            recording = recordings[place.recording or ""]
            run, plain = recording.run, recording.plain
            assert plain is not None
            for at, trace in enumerate((plain, run)):
                text = blank.locator(".whole-text").nth(at).text_content() or ""
                assert text.endswith(trace.prompt.rstrip() + trace.text) or text.endswith(trace.prompt + trace.text), (
                    name,
                    number,
                )
                assert blank.locator(".whole-text").nth(at).locator(".token").count() == len(trace.token_ids)
            first = divergence(plain, run)
            count = len(run.token_ids)
            same = f"{count} = {count} tokens identical"
            says = same if first is None else f"they differ from token {first.index + 1} on"
            expect(blank.locator(".whole-verdict")).to_contain_text(says)
            expect(blank.locator(".ink.differs")).to_have_count(0 if first is None else 2)
            expect(blank.locator(".desk")).to_be_hidden()


def exported(name: str, folder: Path) -> str:
    """The address of a chapter that was exported."""
    file = folder / f"{name}.html"
    file.write_text(lesson_page(lesson_of(name)), encoding="utf-8")
    return file.as_uri()


def test_the_explorables_work_offline(blank: Page, tmp_path: Path) -> None:
    """In the exported chapters on the rule and on when it pays a bar is dragged, tokens are drawn, and the recorded runs are there as lanes and as
    dots, with no network and under the page's own policy."""
    blank.emulate_media(reduced_motion="reduce")
    asked: list[str] = []
    errors: list[str] = []
    blank.on("request", lambda request: asked.append(request.url))
    blank.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    blank.context.set_offline(True)
    try:
        blank.goto(f"{exported('rule', tmp_path)}#step-4")
        expect(blank.locator(".explorable")).to_be_visible()
        expect(blank.locator(".learn-picture > .stage")).to_be_hidden()
        bar = blank.get_by_role("slider", name="q of “Lyon”")
        before = float(bar.get_attribute("aria-valuenow") or 0)
        box = box_of(blank.locator(".bar-handle.q .grip").nth(1))
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        blank.mouse.move(x, y)
        blank.mouse.down()
        blank.mouse.move(x, y - 40, steps=4)
        blank.mouse.up()
        assert until(blank, lambda: float(bar.get_attribute("aria-valuenow") or 0) > before + 0.05)
        bar.focus()
        blank.keyboard.press("ArrowRight")
        expect(blank.locator("#step-4 h2"), "a slider keeps its keys").to_be_visible()
        blank.goto(f"{exported('rule', tmp_path)}#step-5")
        blank.get_by_role("button", name="Draw 100", exact=True).click()
        expect(blank.locator(".out-count")).to_contain_text("100 tokens")
        pays_page = exported("pays", tmp_path)
        dots = {dot["name"]: dot for each in lesson_of("pays").recordings if (dot := formula_dot(each))}
        blank.goto(f"{pays_page}#step-1")
        lanes = [f"{dots[name]['speedup']:.2f}×" for name in ("letter", "people", "vowels", "romeo")]
        expect(blank.locator(".race .lane.finished .figure.headline .value")).to_have_text(lanes)
        blank.goto(f"{pays_page}#step-6")
        expect(blank.locator(".run-dot")).to_have_count(len(dots))
    finally:
        blank.context.set_offline(False)
    assert errors == []
    assert [url for url in asked if not url.startswith("file:")] == []
