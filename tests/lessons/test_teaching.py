"""The teacher's page: its links open steps that exist."""

import re
import tomllib
from pathlib import Path

import pytest

from specviz.lessons.places import TEACHING
from specviz.site.teaching import teaching_page
from specviz.words import languages
from tests.lessons.writing import built_in

_PAGES = {code: TEACHING.with_name("teaching.md" if code == "en" else f"teaching.{code}.md") for code in languages()}


@pytest.mark.parametrize("language", _PAGES)
def test_every_link_opens_a_step_that_exists(language: str) -> None:
    """Each chapter is linked, and no link names a lesson or a step that is not there."""
    steps = {lesson.name: len(lesson.steps) for lesson in built_in().lessons if lesson.language == language}
    links = re.findall(r"\(/learn\?lesson=([a-z-]+)&step=(\d+)\)", _PAGES[language].read_text(encoding="utf-8"))
    assert {name for name, _ in links} == set(steps)
    assert [link for link in links if not 1 <= int(link[1]) <= steps[link[0]]] == []


@pytest.mark.parametrize("language", _PAGES)
def test_a_link_of_the_plan_names_its_chapter(language: str) -> None:
    """In the table of the plan a link's words are the chapter's title."""
    titles = {lesson.name: lesson.title for lesson in built_in().lessons if lesson.language == language}
    rows = re.findall(
        r"^\|.*\[([^\]]+)\]\(/learn\?lesson=([a-z-]+)", _PAGES[language].read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows
    assert [(words, name) for words, name in rows if titles[name] != words] == []


@pytest.mark.parametrize("language", _PAGES)
def test_the_site_shows_the_same_parts_in_every_language(language: str) -> None:
    """A plan, who reads what, questions and exercises, with as many rows, questions, exercises and links to steps as in English."""
    parts = ("<h2>", "<tr>", "<strong>", "<li>", 'href="#/learn/')
    page, english = teaching_page(language), teaching_page("en")
    assert page["language"] == language
    assert [page["html"].count(part) for part in parts] == [english["html"].count(part) for part in parts]


def test_an_installed_specviz_has_the_page_in_every_language() -> None:
    """The wheel carries each of its files."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {f"docs/{file.name}" for file in _PAGES.values()} == {name for name in carried if "teaching" in name}
