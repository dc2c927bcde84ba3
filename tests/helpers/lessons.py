"""The built-in lessons and the shipped recordings, read once for all tests of a process; a small lesson to be changed."""

from functools import cache
from pathlib import Path

from specviz.lessons.files import BUILT_IN
from specviz.lessons.folder import Contents, check_folder
from specviz.lessons.lesson import Lesson, LessonRecording
from specviz.lessons.reading import ReadResult, find_recording, read_lesson
from specviz.words import ENGLISH

SMALL = """---
title: Small
minutes: 2
recording: capital
---

An introduction.

## The draft
moment: round 1, drafted
light: draft row

It writes {round 1 drafted} tokens.

## ? First question
moment: round 1, judged

- [x] yes
- [ ] no

## ? Second question
moment: end

- [ ] yes
- [x] no
"""


@cache
def built_in() -> Contents:
    return check_folder(BUILT_IN)


@cache
def lessons(language: str = ENGLISH) -> list[Lesson]:
    """The built-in lessons of a language, in their order."""
    return [lesson for lesson in built_in().lessons if lesson.language == language]


def lesson_of(name: str, language: str = ENGLISH) -> Lesson:
    return next(lesson for lesson in lessons(language) if lesson.name == name)


def recorded(name: str) -> LessonRecording:
    """A shipped recording, as a lesson has it."""
    return find_recording(name, BUILT_IN)


def read_changed(folder: Path, old: str = "", new: str = "", name: str = "01-small.md") -> ReadResult:
    """Read the small lesson with one change."""
    assert old in SMALL
    file = folder / name
    file.write_text(SMALL.replace(old, new) if old else SMALL, encoding="utf-8")
    return read_lesson(file)


def sound(result: ReadResult) -> Lesson:
    """The lesson of a file without problems."""
    assert result.lesson is not None, [str(problem) for problem in result.problems]
    return result.lesson
