"""The teacher's page: its links open steps that exist."""

import re
from pathlib import Path

from specviz.lessons.folder import check_folder
from specviz.lessons.places import BUILT_IN

_PAGE = Path(__file__).parents[2] / "docs" / "teaching.md"


def test_every_link_opens_a_step_that_exists() -> None:
    """Each chapter is linked, and no link names a lesson or a step that is not there."""
    steps = {lesson.name: len(lesson.steps) for lesson in check_folder(BUILT_IN).lessons if lesson.language == "en"}
    links = re.findall(r"\(/learn\?lesson=([a-z-]+)&step=(\d+)\)", _PAGE.read_text(encoding="utf-8"))
    assert {name for name, _ in links} == set(steps)
    assert [link for link in links if not 1 <= int(link[1]) <= steps[link[0]]] == []


def test_a_link_of_the_plan_names_its_chapter() -> None:
    """In the table of the plan a link's words are the chapter's title."""
    titles = {lesson.name: lesson.title for lesson in check_folder(BUILT_IN).lessons if lesson.language == "en"}
    rows = re.findall(r"^\|.*\[([^\]]+)\]\(/learn\?lesson=([a-z-]+)", _PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows
    assert [(words, name) for words, name in rows if titles[name] != words] == []
