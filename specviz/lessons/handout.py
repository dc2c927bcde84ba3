"""The handout: two printed pages from one Markdown file, with a round of a recording drawn and the terms from the glossary.

Its form is a lesson's: front matter (`title`, `recordings`), then sections. Under a heading may stand `draw: round 9` (the round as a
table), `terms: token, pass` (their sentences), and `starts: page`. Figures come from the recordings by the same placeholders. The page
has no script, requests nothing, and is black on white on paper of either size, A4 or Letter.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from specviz.errors import LessonError
from specviz.lessons.files import BUILT_IN
from specviz.lessons.glossary import glossary_of
from specviz.lessons.lesson import LessonRecording
from specviz.lessons.placeholders import Filling, Placeholders
from specviz.lessons.reading import find_recording
from specviz.lessons.rendering import inline_html_of, printed_html_of, problems_of
from specviz.lessons.sections import LineError, Section, SplitFile, Text, read_parts
from specviz.reporting.player.html_page import document_head
from specviz.reporting.player.token_styles import STYLES
from specviz.reporting.terminal import token_label
from specviz.trace.records import Closing, Round, TokenBytes, Verdict
from specviz.words import ENGLISH, languages, translate

FILE = BUILT_IN / "handout.md"
# The words of a drawn round, which the languages translate.
TEXTS = (
    "The draft writes ahead",
    "The target would write",
    "Joins the text",
    "Round {number} of {rounds}, as it was recorded. Each column is a position of the text.",
)
_DRAFT, _TARGET, _TEXT, _CAPTION = TEXTS
_LANGUAGE = re.compile(r"[^.]+\.([a-z]{2,3})\.md")
_STYLE = Path(__file__).with_name("handout.css")
_ROUND = re.compile(r"round (\d{1,6})")
_KEYS = ("draw", "terms", "starts")
_EMPTY = '<td class="empty"></td>'
_FOOT = '<p class="made">made with specviz</p>\n</main>\n</body>\n</html>\n'


def handout_file(language: str) -> Path:
    """The handout that comes with the project in a language; the English one where there is none."""
    file = FILE.with_name(f"handout.{language}.md")
    return file if language in languages() and file.is_file() else FILE


def handout_page(file: Path = FILE) -> str:
    """The handout's file as one HTML page, in the language that its name gives: `handout.de.md`. Raises LessonError if
    the file has a mistake; one sentence with file and line."""
    try:
        named = _LANGUAGE.fullmatch(file.name)
        language = named[1] if named else ENGLISH
        return _Handout(read_parts(file), file.parent, language).page()
    except LineError as error:
        raise LessonError(f"{file.name}, line {error.line}: {error.sentence.rstrip('.')}.") from error


class _Handout:
    """A file that was split, and its recordings. Whatever is wrong raises a LineError."""

    def __init__(self, split_file: SplitFile, folder: Path, language: str) -> None:
        self._file, self._language = split_file, language
        names = split_file.keys.get("recordings", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise LineError(1, "recordings is a list of names, as in recordings: [letter, lighthouse]")
        try:
            self._recordings = [find_recording(name, folder) for name in names]
        except ValueError as error:
            raise LineError(split_file.key_lines.get("recordings", 1), str(error)) from error
        self._placeholders = Placeholders(self._recordings, language)

    def page(self) -> str:
        title = self._file.keys.get("title")
        if not isinstance(title, str) or not title.strip():
            raise LineError(1, "the front matter needs a title")
        if self._file.questions:
            raise LineError(
                self._file.questions[0].heading.line, "a handout has no questions to be answered on the page"
            )
        style = _STYLE.read_text(encoding="utf-8")
        head = document_head(title, self._language, None, style)
        sections = "".join(self._section(section) for section in self._file.steps)
        return f"{head}<main>\n<h1>{escape(title)}</h1>\n{self._blocks(self._file.intro)}\n{sections}{_FOOT}"

    def _section(self, section: Section) -> str:
        for key, text in section.keys.items():
            if key not in _KEYS:
                raise LineError(text.line, f"{key!r} is unknown here: write one of {', '.join(_KEYS)}")
        starts = section.keys.get("starts")
        if starts is not None and starts.text != "page":
            raise LineError(starts.line, f"starts was {starts.text!r:.60}: it can be page")
        draw, terms = section.keys.get("draw"), section.keys.get("terms")
        parts = (
            f"<h2>{self._line(section.heading)}</h2>",
            self._round(draw) if draw else "",
            self._blocks(section.body),
            f"<dl>\n{''.join(self._entries(terms))}</dl>" if terms else "",
        )
        inside = "\n".join(part for part in parts if part)
        opening = '<section class="new-page">' if starts else "<section>"
        return f"{opening}\n{inside}\n</section>\n"

    def _round(self, text: Text) -> str:
        number = _ROUND.fullmatch(text.text)
        if number is None or not self._recordings:
            raise LineError(text.line, "draw names a round of the first recording, as in draw: round 9")
        try:
            return round_table(self._recordings[0], int(number[1]), self._language)
        except ValueError as error:
            raise LineError(text.line, str(error)) from error

    def _entries(self, text: Text) -> Iterator[str]:
        sentences = {entry.term: entry.says for entry in glossary_of(self._language)}
        for term in (part.strip() for part in text.text.split(",")):
            if term not in sentences:
                raise LineError(text.line, f"{term!r:.60} is not in the glossary")
            yield f"<div><dt>{escape(term)}</dt> <dd>{escape(sentences[term])}</dd></div>\n"

    def _blocks(self, text: Text) -> str:
        self._check(text)
        return printed_html_of(text.text, self._fill)

    def _line(self, text: Text) -> str:
        self._check(text)
        return inline_html_of(text.text, self._fill)

    def _check(self, text: Text) -> None:
        for line, sentence in problems_of(text.text, self._fill, self._placeholders.knows):
            raise LineError(text.line + line, sentence)

    def _fill(self, inside: str) -> Filling:
        return self._placeholders.fill(inside, self._recordings[0].name if self._recordings else None)


def round_table(recording: LessonRecording, number: int, language: str = ENGLISH) -> str:
    """One round of a recording as an HTML table for paper: the draft, the target's tokens, and what joins the text.

    Each state of a token has its mark, its word and its own border, so that the table needs no colours. Raises
    ValueError if there is no such round, or its draft is no chain; the message has no full stop.

    Args:
        number: of the round, from 1.
        language: of its words.
    """
    run = recording.run
    if not 1 <= number <= len(run.rounds):
        raise ValueError(f"there is no round {number}; the recording {recording.name!r} has {len(run.rounds)}")
    round_ = run.rounds[number - 1]
    if not round_.drafted or any(drafted.parent != index - 1 for index, drafted in enumerate(round_.drafted)):
        raise ValueError(f"round {number} of {recording.name!r} has no draft in one line")
    body = "".join(
        f'<tr><th scope="row">{escape(translate(name, language))}</th>{"".join(cells)}</tr>\n'
        for name, cells in _rows(round_, run.tokens, language)
    )
    caption = escape(translate(_CAPTION, language).format(number=number, rounds=len(run.rounds)))
    return f'<table class="round"><caption>{caption}</caption>\n{body}</table>'


def _rows(round_: Round, tokens: dict[int, TokenBytes], language: str) -> Iterator[tuple[str, list[str]]]:
    def cell(token: int, state: str = "") -> str:
        style = STYLES.get(state)
        word = f'<span class="state">{style.mark} {escape(translate(style.word, language))}</span>' if style else ""
        return f'<td class="{state or "plain"}"><b>{escape(token_label(tokens[token]))}</b>{word}</td>'

    yield _DRAFT, [*(cell(drafted.token, drafted.verdict.value) for drafted in round_.drafted), _EMPTY]
    targets = [
        _EMPTY if drafted.verdict is Verdict.DISCARDED or not drafted.target_top.tokens else cell(drafted.target_top.most_likely)
        for drafted in round_.drafted
    ]  # fmt: skip
    closing = round_.closing
    bonus = closing is not None and closing.how is Closing.BONUS
    yield _TARGET, [*targets, cell(closing.token) if closing and bonus else _EMPTY]
    joined = [cell(round_.drafted[index].token) for index in round_.accepted]
    joined += [cell(closing.token, closing.how.value)] if closing else []
    yield _TEXT, joined + [_EMPTY] * (len(round_.drafted) + 1 - len(joined))
