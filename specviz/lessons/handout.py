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
from specviz.lessons.drawn import drawn_round
from specviz.lessons.glossary import glossary_of
from specviz.lessons.lesson import Recorded
from specviz.lessons.placeholders import Filled, Placeholders
from specviz.lessons.places import BUILT_IN, ENGLISH
from specviz.lessons.reading import find_recording
from specviz.lessons.rendering import inline_html_of, printed_html_of, problems_of
from specviz.lessons.sections import LineError, Raw, Section, Text, split
from specviz.reporting.player.html_page import HEAD, content_policy
from specviz.words import languages

FILE = BUILT_IN / "handout.md"
_LANGUAGE = re.compile(r"[^.]+\.([a-z]{2,3})\.md")
_STYLE = Path(__file__).with_name("handout.css")
_ROUND = re.compile(r"round (\d{1,6})")
_KEYS = ("draw", "terms", "starts")


def handout_file(language: str) -> Path:
    """The handout that comes with the project in a language; the English one where there is none."""
    file = FILE.with_name(f"handout.{language}.md")
    return file if language in languages() and file.is_file() else FILE


def handout_page(file: Path = FILE) -> str:
    """The handout's file as one HTML page, in the language that its name gives: `handout.de.md`.

    Raises:
        LessonError: the file has a mistake; one sentence with file and line.
    """
    try:
        named = _LANGUAGE.fullmatch(file.name)
        language = named[1] if named else ENGLISH
        return _Handout(split(file.read_text(encoding="utf-8")), file.parent, language).page()
    except LineError as error:
        raise LessonError(f"{file.name}, line {error.line}: {error.sentence.rstrip('.')}.") from error
    except OSError as error:
        raise LessonError(f"The handout {str(file)!r} cannot be opened ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise LessonError(f"The handout {str(file)!r} is not UTF-8: save it as UTF-8.") from error


class _Handout:
    """A file that was split, and its recordings. Whatever is wrong raises a LineError."""

    def __init__(self, raw: Raw, folder: Path, language: str) -> None:
        self._raw, self._language = raw, language
        self._recordings = [self._recording(name, folder) for name in self._names()]
        self._placeholders = Placeholders(self._recordings, language)

    def page(self) -> str:
        title = self._raw.keys.get("title")
        if not isinstance(title, str) or not title.strip():
            raise LineError(1, "the front matter needs a title")
        if self._raw.questions:
            raise LineError(
                self._raw.questions[0].heading.line, "a handout has no questions to be answered on the page"
            )
        style = _STYLE.read_text(encoding="utf-8")
        head = HEAD.format(
            policy=content_policy(None, style),
            language=self._language,
            direction="ltr",
            title=escape(title),
            style=f"<style>{style}</style>",
        )
        sections = "".join(self._section(section) for section in self._raw.steps)
        return f"{head}<main>\n<h1>{escape(title)}</h1>\n{self._blocks(self._raw.intro)}\n{sections}{_FOOT}"

    def _names(self) -> list[str]:
        names = self._raw.keys.get("recordings", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise LineError(1, "recordings is a list of names, as in recordings: [letter, lighthouse]")
        return names

    def _recording(self, name: str, folder: Path) -> Recorded:
        try:
            return find_recording(name, folder)
        except ValueError as error:
            raise LineError(self._raw.key_lines.get("recordings", 1), str(error)) from error

    def _section(self, section: Section) -> str:
        for key, text in section.keys.items():
            if key not in _KEYS:
                raise LineError(text.line, f"{key!r} is unknown here: write one of {', '.join(_KEYS)}")
        starts = section.keys.get("starts")
        if starts is not None and starts.text != "page":
            raise LineError(starts.line, f"starts was {starts.text!r:.60}: it can be page")
        parts = (
            f"<h2>{self._line(section.heading)}</h2>",
            self._drawn(section.keys.get("draw")),
            self._blocks(section.body),
            self._terms(section.keys.get("terms")),
        )
        inside = "\n".join(part for part in parts if part)
        opening = '<section class="new-page">' if starts else "<section>"
        return f"{opening}\n{inside}\n</section>\n"

    def _drawn(self, text: Text | None) -> str:
        if text is None:
            return ""
        found = _ROUND.fullmatch(text.text)
        if found is None or not self._recordings:
            raise LineError(text.line, "draw names a round of the first recording, as in draw: round 9")
        try:
            return drawn_round(self._recordings[0], int(found[1]), self._language)
        except ValueError as error:
            raise LineError(text.line, str(error)) from error

    def _terms(self, text: Text | None) -> str:
        return "" if text is None else f"<dl>\n{''.join(self._entries(text))}</dl>"

    def _entries(self, text: Text) -> Iterator[str]:
        known = {entry.term: entry for entry in glossary_of(self._language)}
        for term in (each.strip() for each in text.text.split(",")):
            if term not in known:
                raise LineError(text.line, f"{term!r:.60} is not in the glossary")
            yield f"<div><dt>{escape(term)}</dt> <dd>{escape(known[term].says)}</dd></div>\n"

    def _blocks(self, text: Text) -> str:
        self._check(text)
        return printed_html_of(text.text, self._fill)

    def _line(self, text: Text) -> str:
        self._check(text)
        return inline_html_of(text.text, self._fill)

    def _check(self, text: Text) -> None:
        for line, sentence in problems_of(text.text, self._fill, self._placeholders.knows):
            raise LineError(text.line + line, sentence)

    def _fill(self, inside: str) -> Filled:
        return self._placeholders.fill(inside, self._recordings[0].name if self._recordings else None)


_FOOT = '<p class="made">made with specviz</p>\n</main>\n</body>\n</html>\n'
