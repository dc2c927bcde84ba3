"""The handout: two printed pages from one Markdown file, with a round of a recording drawn and the terms from the glossary.

Its form is a lesson's: front matter (`title`, `recordings`), then sections. Under a heading may stand `draw: round 9` (the round as a
table), `terms: token, pass` (their sentences), and `starts: page`. Figures come from the recordings by the same placeholders. The page
has no script, requests nothing, and is black on white on paper of either size, A4 or Letter.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from specviz.errors import LessonError
from specviz.lessons.files import BUILT_IN, language_of
from specviz.lessons.glossary import Entry, glossary_of
from specviz.lessons.lesson import LessonRecording
from specviz.lessons.placeholders import Filling, Placeholders
from specviz.lessons.reading import find_recording
from specviz.lessons.rendering import Fill, html_of, inline_html_of, problems_of
from specviz.lessons.sections import LineError, Section, SplitFile, Text, read_parts
from specviz.reporting.player.html_page import document
from specviz.reporting.player.scripts import STYLES
from specviz.reporting.templates import html_from
from specviz.reporting.terminal import token_label
from specviz.trace.records import Closing, Verdict
from specviz.words import languages, translate

FILE = BUILT_IN / "handout.md"
# The words of a drawn round, which the languages translate.
TEXTS = (
    "The draft writes ahead",
    "The target would write",
    "Joins the text",
    "Round {number} of {rounds}, as it was recorded. Each column is a position of the text.",
)
_DRAFT, _TARGET, _TEXT, _CAPTION = TEXTS
_STYLE = Path(__file__).with_name("handout.css")
_ROUND = re.compile(r"round (\d{1,6})")
_KEYS = ("draw", "terms", "starts")


def handout_file(language: str) -> Path:
    """The handout that comes with the project in a language; the English one where there is none."""
    file = FILE.with_name(f"handout.{language}.md")
    return file if language in languages() and file.is_file() else FILE


def handout_page(file: Path = FILE) -> str:
    """The handout's file as one HTML page, in the language that its name gives: `handout.de.md`. Raises LessonError if
    the file has a mistake; one sentence with file and line."""
    try:
        return _Handout(read_parts(file), file.parent, language_of(file)).page()
    except LineError as error:
        raise LessonError(f"{file.name}, line {error.line}: {error.sentence.rstrip('.')}.") from error


class _Handout:
    """A file that was split, and its recordings. Whatever is wrong raises a LineError."""

    def __init__(self, split_file: SplitFile, folder: Path, language: str) -> None:
        self._file, self._language = split_file, language
        names = split_file.keys.get("recordings", [])
        try:
            self._recordings = [find_recording(str(name), folder) for name in names]
        except ValueError as error:
            raise LineError(split_file.key_lines.get("recordings", 1), str(error)) from error
        self._placeholders = Placeholders(self._recordings, language)

    def page(self) -> str:
        title = self._file.keys.get("title", "")
        if not title:
            raise LineError(1, "the front matter needs a title")
        if self._file.questions:
            line = self._file.questions[0].heading.line
            raise LineError(line, "a handout has no questions to be answered on the page")
        sections = [self._section(section) for section in self._file.steps]
        intro = self._html(self._file.intro, html_of)
        body = html_from("lessons/handout.html", title=title, intro=intro, sections=sections)
        return document(title, self._language, body, None, _STYLE.read_text(encoding="utf-8"))

    def _section(self, section: Section) -> dict[str, Any]:
        """A section's parts, as the template has them."""
        for key, text in section.keys.items():
            if key not in _KEYS:
                raise LineError(text.line, f"{key!r} is unknown here: write one of {', '.join(_KEYS)}")
        draw, terms = section.keys.get("draw"), section.keys.get("terms")
        return {
            "heading": self._html(section.heading, inline_html_of),
            "new_page": "starts" in section.keys,
            "drawn": draw and self._drawn(draw),
            "body": self._html(section.body, html_of),
            "terms": terms and list(self._entries(terms)),
        }

    def _drawn(self, text: Text) -> dict[str, Any]:
        number = _ROUND.fullmatch(text.text)
        if number is None or not self._recordings:
            raise LineError(text.line, "draw names a round of the first recording, as in draw: round 9")
        try:
            return drawn_round(self._recordings[0], int(number[1]), self._language)
        except ValueError as error:
            raise LineError(text.line, str(error)) from error

    def _entries(self, text: Text) -> Iterator[Entry]:
        entries = {entry.term: entry for entry in glossary_of(self._language)}
        for term in (part.strip() for part in text.text.split(",")):
            if term not in entries:
                raise LineError(text.line, f"{term!r:.60} is not in the glossary")
            yield entries[term]

    def _html(self, text: Text, render: Callable[[str, Fill], str]) -> str:
        for line, sentence in problems_of(text.text, self._fill):
            raise LineError(text.line + line, sentence)
        return render(text.text, self._fill)

    def _fill(self, inside: str) -> Filling:
        return self._placeholders.fill(inside, self._recordings[0].name if self._recordings else None)


def drawn_round(recording: LessonRecording, number: int, language: str) -> dict[str, Any]:
    """One round of a recording as rows of cells for paper: the draft, the target's tokens, and what joins the text; None is an empty cell.

    Each state of a token has its mark and its word, so that the table needs no colours. Raises ValueError if there is
    no such round, or its draft is no chain; the message has no full stop.

    Args:
        number: of the round, from 1.
        language: of its words.
    """
    run = recording.run
    if not 1 <= number <= len(run.rounds):
        raise ValueError(f"there is no round {number}; the recording {recording.name!r} has {len(run.rounds)}")
    round_ = run.rounds[number - 1]
    drafted, closing = round_.drafted, round_.closing
    if not drafted or any(token.parent != index - 1 for index, token in enumerate(drafted)):
        raise ValueError(f"round {number} of {recording.name!r} has no draft in one line")

    def say(text: str) -> str:
        return translate(text, language)

    def cell(token: int, state: str = "") -> dict[str, str]:
        word = f"{STYLES[state].mark} {say(STYLES[state].word)}" if state else ""
        return {"label": token_label(run.tokens[token]), "state": state or "plain", "word": word}

    ahead = [cell(token.token, token.verdict.value) for token in drafted]
    targets = [
        None if token.verdict is Verdict.DISCARDED or not token.target_top.tokens else cell(token.target_top.most_likely)
        for token in drafted
    ]  # fmt: skip
    bonus = cell(closing.token) if closing and closing.how is Closing.BONUS else None
    joined = [cell(drafted[index].token) for index in round_.accepted]
    joined += [cell(closing.token, closing.how.value)] if closing else []
    empty = [None] * (len(drafted) + 1 - len(joined))
    return {
        "caption": say(_CAPTION).format(number=number, rounds=len(run.rounds)),
        "rows": {say(_DRAFT): [*ahead, None], say(_TARGET): [*targets, bonus], say(_TEXT): [*joined, *empty]},
    }
