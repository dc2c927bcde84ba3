"""A lesson as one page: complete and safe. tests/app/test_exported_lesson.py opens it."""

import re
from pathlib import Path

from specviz.lessons.page import page
from specviz.reporting.player.scripts import script
from tests.helpers.lessons import lesson_of, read_changed, sound


def test_it_requests_nothing_and_holds_everything() -> None:
    """One script and one style by their hashes, no address that is fetched, all steps as text, the language and its words."""
    german = page(lesson_of("editor", "de"))
    assert len(german.encode()) < 1_000_000
    assert '<html lang="de" dir="ltr">' in german
    assert "Weiter" in german
    assert "default-src 'none'" in german
    assert not re.search(r"<(?:img|link|iframe|object)\b|\ssrc=|\bon\w+=\"|style=\"", german)
    assert all(step.title in german for step in lesson_of("editor", "de").steps)


def test_names_of_an_analogy_are_no_markup(tmp_path: Path) -> None:
    """What front matter holds is escaped."""
    hostile = "title: '<script>x</script>'\nanalogies: {'\"><b>': {draft: <i>, target: b}}"
    text = page(sound(read_changed(tmp_path, "title: Small", hostile)))
    assert "<script>x" not in text
    assert '"><b>' not in text
    assert "&lt;script&gt;x" in text


def test_the_scripts_of_learn_join() -> None:
    """Learn and the exported lesson are one script each, with the glossary and the explorables."""
    for text in (script("learn"), page(lesson_of("editor"))):
        assert "lesson-term" in text
        assert "planted bug" in text


def test_only_a_lesson_with_an_explorable_carries_their_style() -> None:
    """Its hash stands in the policy beside the page's own."""
    for name, hashes in (("rule", 3), ("editor", 2)):
        text = page(lesson_of(name))
        assert len(re.findall(r"'sha256-", text.split("\n")[4])) == hashes
        assert len(text.encode()) < 1_000_000
