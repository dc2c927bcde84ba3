"""The teacher's page: its links open steps that exist."""

import re
import tomllib
from pathlib import Path

import pytest

from specviz.site.teaching import TEACHING, teaching_page
from specviz.words import languages
from tests.helpers.lessons import lessons

_PAGES = {code: TEACHING.with_name("teaching.md" if code == "en" else f"teaching.{code}.md") for code in languages()}


@pytest.mark.slow
@pytest.mark.parametrize("language", _PAGES)
def test_every_link_opens_a_step_that_exists(language: str) -> None:
    """Each chapter is linked, and no link names a lesson or a step that is not there; in the table of the plan a link's words are the chapter's
    title."""
    chapters = {lesson.name: lesson for lesson in lessons(language)}
    text = _PAGES[language].read_text(encoding="utf-8")
    links = re.findall(r"\(/learn\?lesson=([a-z-]+)&step=(\d+)\)", text)
    assert {name for name, _ in links} == set(chapters)
    assert [link for link in links if not 1 <= int(link[1]) <= len(chapters[link[0]].steps)] == []
    rows = re.findall(r"^\|.*\[([^\]]+)\]\(/learn\?lesson=([a-z-]+)", text, re.MULTILINE)
    assert rows
    assert [(words, name) for words, name in rows if chapters[name].title != words] == []


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
