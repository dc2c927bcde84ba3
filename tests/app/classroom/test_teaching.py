"""Teaching with the page: its parameters, and the plan, which stands in three places. No browser."""

from itertools import pairwise
from pathlib import Path

import pytest

from app.classroom.plan import PLAN, index_of
from app.stage import lessons
from specviz.lessons.files import BUILT_IN
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
