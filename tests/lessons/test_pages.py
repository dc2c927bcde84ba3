"""The handout, a lesson as one page and the teacher's page: complete and safe, with figures from the recordings and links that open steps.
tests/app/test_handout.py prints the first and test_exported_lesson.py opens the second."""

import re
from html import unescape
from pathlib import Path

import pytest

from specviz.errors import LessonError
from specviz.lessons.handout import FILE, handout_page
from specviz.lessons.page import page
from specviz.reporting.terminal import token_label
from specviz.site.build import TEACHING
from specviz.trace.metrics import speedup
from specviz.trace.records import Verdict
from specviz.words import languages
from tests.helpers.lessons import lesson_of, lessons, read_changed, recorded, sound


def test_a_handout_is_complete_and_requests_nothing() -> None:
    """One style by its hash, nothing that is fetched, no script allowed. The speedup is the recording's; every drafted token of the drawn round stands there
    with its own verdict."""
    page = handout_page()
    assert "default-src 'none'; script-src 'none'; style-src 'sha256-" in page
    assert not re.search(r"<(?:script|img|link|iframe|object|svg)\b|\ssrc=|\bon\w+=\"|style=\"|url\(|@import", page)
    letter = recorded("letter")
    assert letter.plain is not None
    assert f"{speedup(letter.plain, letter.run):.2f}×" in page
    round_ = letter.run.rounds[8]
    row = re.findall(r'<td class="(accepted|rejected|discarded)"><b>(.*?)</b>', page)
    assert [(state, unescape(text)) for state, text in row] == [
        (drafted.verdict.value, token_label(letter.run.tokens[drafted.token])) for drafted in round_.drafted
    ]
    assert {drafted.verdict for drafted in round_.drafted} == set(Verdict)
    assert "✎ target's own token" in unescape(page)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("draw: round 9", "draw: round 99", "line 11: there is no round 99; the recording 'letter' has"),
        ("terms: token", "terms: tokken", "'tokken' is not in the glossary"),
        ("starts: page", "begins: page", "'begins' is unknown here"),
        ("[letter, lighthouse]", "[letter, nothing]", "line 3: the recording 'nothing' is not there"),
        ("The text is the target's own.", "<b onclick=x>y</b>", "HTML such as"),
        ("The text is the target's own.", "[x](javascript:alert(1))", "is not http, https or relative"),
    ],
)
def test_a_mistake_in_a_handout_is_one_sentence(tmp_path: Path, old: str, new: str, says: str) -> None:
    """File, line and reason."""
    text, file = FILE.read_text(encoding="utf-8"), tmp_path / "handout.md"
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(LessonError, match=r"^handout\.md, line \d+: [^\n]+\.$") as error:
        handout_page(file)
    assert says in str(error.value)


@pytest.mark.slow
def test_a_lesson_requests_nothing_and_holds_everything() -> None:
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
