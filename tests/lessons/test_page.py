"""A lesson as one page: complete and safe. tests/app/test_exported_lesson.py opens it."""

import re
from pathlib import Path

from specviz.lessons.lesson import Lesson
from specviz.lessons.page import page
from specviz.reporting.player.scripts import script
from tests.lessons.writing import built_in, lesson_of, read_changed


def editor(language: str = "en") -> Lesson:
    found = built_in().lesson("editor", language)
    assert found is not None
    return found


def test_it_requests_nothing_and_holds_everything() -> None:
    """One script and one style by their hashes, no address that is fetched, all steps as text, the language and its words."""
    german = page(editor("de"))
    assert '<html lang="de" dir="ltr">' in german
    assert "Weiter" in german
    assert "default-src 'none'" in german
    assert not re.search(r"<(?:img|link|iframe|object)\b|\ssrc=|\bon\w+=\"|style=\"", german)
    for step in editor("de").steps:
        assert step.title in german
    assert len(german.encode()) < 1_000_000


def test_names_of_an_analogy_are_no_markup(tmp_path: Path) -> None:
    """What front matter holds is escaped."""
    hostile = "title: '<script>x</script>'\nanalogies: {'\"><b>': {draft: <i>, target: b}}"
    text = page(lesson_of(read_changed(tmp_path, "title: Small", hostile)))
    assert "<script>x" not in text
    assert '"><b>' not in text
    assert "&lt;script&gt;x" in text


def test_the_scripts_of_learn_join() -> None:
    """Learn and the exported lesson are one script each, with the glossary and the explorables."""
    learn, exported = script("learn"), page(editor())
    for text in (learn, exported):
        assert "lesson-term" in text
        assert "planted bug" in text


def test_only_a_lesson_with_an_explorable_carries_their_style() -> None:
    """Its hash stands in the policy beside the page's own."""
    rule = built_in().lesson("rule")
    assert rule is not None
    assert len(re.findall(r"'sha256-", page(rule).split("\n")[4])) == 3
    assert len(re.findall(r"'sha256-", page(editor()).split("\n")[4])) == 2
    assert len(page(rule).encode()) < 1_000_000
