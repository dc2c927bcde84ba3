"""Teaching with the page: its parameters, and the plan, which stands in three places. No browser."""

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.classroom.plan import PLAN, index_of
from app.stage import lessons
from specviz.lessons.files import BUILT_IN
from tests.app.conftest import visit
from tests.app.lab import box_of
from tests.helpers.app_page import run

pytestmark = pytest.mark.slow

_DOCS = Path(__file__).parents[3] / "docs"


def _page() -> None:
    import streamlit as st

    from app.state import teaching

    st.text(f"{teaching.on()} {teaching.notes()} {teaching.parameters()}")
    st.button("Leave", on_click=teaching.switch, args=(False,))
    st.button("Notes", on_click=teaching.switch, args=(True,), kwargs={"notes": True})


def test_the_address_teaches() -> None:
    """Without and with notes; what leads on names it, and Leave ends it."""
    for query, says in (
        ({}, "False False {}"),
        ({"notes": "1"}, "False False {}"),
        ({"teach": "1"}, "True False {'teach': '1'}"),
        ({"teach": "1", "notes": "1"}, "True True {'teach': '1', 'notes': '1'}"),
        ({"teach": "0"}, "False False {}"),
    ):
        page = run(_page, address=query)
        assert page.text[0].value == says, query
        page.button[1].click().run()
        assert page.text[0].value == "True True {'teach': '1', 'notes': '1'}"
        page.button[0].click().run()
        assert page.text[0].value == "False False {}"
        assert not page.query_params.keys() & {"teach", "notes"}


def test_the_plan_is_the_same_everywhere() -> None:
    """Its parts follow one another and open pages that exist; the teacher's page and the handout have the same minutes, words and chapters."""
    minutes = [0, *(part.ends for part in PLAN)]
    assert [(part.begins, part.ends) for part in PLAN] == [*pairwise(minutes)]
    assert minutes[-1] == 45
    page, handout = (_DOCS / "teaching.md").read_text("utf-8"), (BUILT_IN / "handout.md").read_text("utf-8")
    for part in PLAN:
        lesson = lessons.contents().lesson(part.lesson, "en") if part.lesson else None
        begun = f"| {part.begins}–{part.ends} | {part.what} |"
        if lesson is None:
            assert f"{begun} the screen Race |" in page
            assert f"{begun} |" in handout
            continue
        assert 1 <= part.step <= len(lesson.steps)
        assert f"{begun} [{lesson.title}](/learn?lesson={part.lesson}&step={part.step}) |" in page
        assert f"{begun} {lesson.title} |" in handout
        assert PLAN[index_of(part.lesson)].lesson == part.lesson
    assert index_of("glossary") == -1


SMALLEST_PX = 18
"""Legible from the back of a room at 1280x720: no letter on the stage is smaller."""


def test_a_lesson_leaves_parts_out(page: Page, server: str) -> None:
    """hide= takes parts of the page and of the stage away; their settings still hold. Where the page teaches, there is no
    sidebar, the stage takes the whole width, all of it is in view and its letters are large."""
    visit(page, server, teach=1, hide="prompt,lanes", temperature=0.7, seed=7)
    assert "temperature=0.7" in page.url
    assert "seed=7" in page.url
    for part in (page.get_by_role("button", name="Run", exact=True), page.locator(".lanes")):
        expect(part).to_be_hidden()
    for name in ("stSidebar", "stExpandSidebarButton", "stHeader"):
        expect(page.get_by_test_id(name)).to_be_hidden()
    expect(page.locator(".stage.talk.paged")).to_be_visible()
    box = box_of(page.locator(".stage"))
    assert box["width"] > 1200
    assert box["bottom"] <= 720
    sizes = page.locator(".stage").evaluate(
        """stage => [...stage.querySelectorAll("*")].filter(e => e.checkVisibility() && !e.closest(".unseen")
            && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= SMALLEST_PX
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
