"""Splits a lesson's file into front matter, steps, their keys and questions, each with its line. Nothing in them is looked up yet."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from specviz.folders import read_text
from specviz.lessons.rendering import blocks_of

MOST_BYTES = 200_000  # of a lesson
_KEY = re.compile(r"([a-z][a-z ]*(?: [^:\n]{1,40})?):(?: +(.*)|$)")
_CHOICE = re.compile(r"[-*] \[([ xX])\] +(.*)")
_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class LineError(Exception):
    """A line that cannot be understood; the sentence has no full stop."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the file, and the line where it begins (from 1)."""

    text: str
    line: int


@dataclass(slots=True)
class Section:
    """A heading with its keys and what follows: a step, or a question with its choices.

    Attributes:
        heading: without `##`, and without the `?` of a question.
        keys: `moment: round 1, drafted` and so on, in the lines right after the heading.
        choices: of a question; `right` marks the answer.
        questions: those inside a step.
    """

    heading: Text
    asks: bool
    keys: dict[str, Text] = field(default_factory=dict)
    body: Text = field(default_factory=lambda: Text("", 0))
    choices: list[tuple[Text, bool]] = field(default_factory=list)
    questions: list["Section"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SplitFile:
    """The parts of a lesson's file."""

    keys: dict[str, Any]
    key_lines: dict[str, int]
    intro: Text
    steps: tuple[Section, ...]
    questions: tuple[Section, ...]


def read_parts(file: Path) -> SplitFile:
    """The parts of a lesson's file, or a handout's. Raises LineError if it cannot be read, or its form cannot be
    understood."""
    try:
        return split(read_text(file, MOST_BYTES))
    except OSError as error:
        raise LineError(1, f"the file cannot be opened ({error.strerror})") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LineError(line, "this is not UTF-8: save the file as UTF-8") from error


def split(text: str) -> SplitFile:
    """Split a lesson's text. Raises LineError if its form cannot be understood."""
    _check_characters(text)
    lines = text.splitlines()
    keys, key_lines, end = _front_matter(lines)
    headings = list(_headings(lines, end + 1))
    first = headings[0][0] if headings else len(lines)
    sections = list(_sections(lines, headings))
    steps = tuple(section for section in sections if not section.asks)
    questions = tuple(section for section in sections if section.asks)
    return SplitFile(keys, key_lines, Text("\n".join(lines[end + 1 : first]), end + 2), steps, questions)


def _check_characters(text: str) -> None:
    for number, line in enumerate(text.splitlines(), start=1):
        if character := _INVISIBLE.search(line):
            code = f"U+{ord(character[0]):04X}"
            raise LineError(
                number, f"an invisible character ({code}) that turns the text or controls a terminal: take it out"
            )


def _front_matter(lines: list[str]) -> tuple[dict[str, Any], dict[str, int], int]:
    """The keys, whose values are texts, lists and tables; their lines; and the index of the line that ends the front matter."""
    end = next((index for index, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), None)
    if not lines or lines[0].rstrip() != "---" or end is None:
        raise LineError(1, "a lesson begins with front matter between two lines of ---: title, minutes, recording")
    text = "\n".join(lines[1:end])
    try:
        for event in yaml.parse(text):
            if isinstance(event, yaml.AliasEvent):  # a few of these can stand for millions of values
                line = event.start_mark.line + 2
                raise LineError(line, "the front matter has a YAML alias (*name), which no lesson needs")
            if isinstance(event, yaml.ScalarEvent) and event.value and event.style is None:
                after = lines[1 + event.end_mark.line][event.end_mark.column :]
                if after.lstrip().startswith("#"):
                    rest = "what follows # is a comment and no text: put the text in quotes, or the comment above it"
                    raise LineError(event.end_mark.line + 2, rest)
        root = yaml.compose(text, Loader=yaml.BaseLoader)
        if not isinstance(root, yaml.MappingNode):
            return {}, {}, end
        keys = yaml.BaseLoader("").construct_document(root)
        return keys, {str(key.value): key.start_mark.line + 2 for key, _ in root.value}, end
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "the form is unknown"
        line = 2 + (mark.line if mark else 0)
        raise LineError(line, f"the front matter is not YAML ({reason})") from error


def _headings(lines: list[str], start: int) -> Iterator[tuple[int, str, str]]:
    """Index of the line, level and text of every heading."""
    blocks = blocks_of("\n".join(lines[start:]))
    for block, inside in pairwise(blocks):
        if block.type == "heading_open" and block.map:
            at = start + block.map[0]
            if block.markup not in ("##", "###") or block.level:
                raise LineError(
                    at + 1, "this heading is of no use here: a step begins with ##, a question in it with ### ?"
                )
            yield at, block.markup, inside.content.strip()


def _sections(lines: list[str], headings: list[tuple[int, str, str]]) -> Iterator[Section]:
    ends = [at for at, _, _ in headings] + [len(lines)]
    step: Section | None = None
    for (at, level, words), end in zip(headings, ends[1:], strict=True):
        asks = words.startswith("?")
        if level == "###" and not (asks and step is not None and not step.asks):
            raise LineError(at + 1, "inside a step only a question has a heading, and it begins with ### ?")
        section = _section(lines, at, end, words.removeprefix("?").strip(), asks)
        if level == "##":
            if step is not None:
                yield step
            step = section
        elif step is not None:
            step.questions.append(section)
    if step is not None:
        yield step


def _section(lines: list[str], at: int, end: int, words: str, asks: bool) -> Section:
    section = Section(Text(words, at + 1), asks)
    if not words:
        raise LineError(at + 1, "a heading without words")
    index = _read_keys(section, lines, at + 1, end)
    if asks:
        index = _read_choices(section, lines, index, end)
    section.body = Text("\n".join(lines[index:end]), index + 1)
    return section


def _read_keys(section: Section, lines: list[str], index: int, end: int) -> int:
    """Read `key: value` lines up to an empty one; a line that begins with two spaces continues the one before."""
    while index < end and not lines[index].strip():
        index += 1
    last = ""
    while index < end and lines[index].strip():
        line = lines[index]
        key = _KEY.fullmatch(line.rstrip())
        if last and line.startswith("  "):
            section.keys[last] = Text(f"{section.keys[last].text} {line.strip()}", section.keys[last].line)
        elif key:
            last = key[1]
            if last in section.keys:
                raise LineError(index + 1, f"{last!r} stands twice under one heading")
            section.keys[last] = Text((key[2] or "").strip(), index + 1)
        elif last:
            raise LineError(index + 1, "an empty line is missing between the keys of a heading and its text")
        else:
            return index
        index += 1
    return index


def _read_choices(section: Section, lines: list[str], index: int, end: int) -> int:
    """Read the list of choices; what stands before it belongs to the question."""
    before: list[str] = []
    while index < end and not _CHOICE.match(lines[index]):
        before.append(lines[index])
        index += 1
    if index == end:
        raise LineError(
            section.heading.line, "a question needs choices: lines of - [ ] and one of - [x] for the right one"
        )
    if words := " ".join(" ".join(before).split()):
        section.heading = Text(f"{section.heading.text} {words}", section.heading.line)
    while index < end:
        if choice := _CHOICE.match(lines[index]):
            section.choices.append((Text(choice[2].strip(), index + 1), choice[1] != " "))
        elif lines[index].startswith("  ") and lines[index].strip():
            text, right = section.choices[-1]
            section.choices[-1] = (Text(f"{text.text} {lines[index].strip()}", text.line), right)
        else:
            break
        index += 1
    return index
