"""A small lesson as text, and what becomes of it when one thing in it is changed."""

from functools import cache
from pathlib import Path

from specviz.lessons.folder import Contents, check_folder
from specviz.lessons.lesson import Lesson, Recorded
from specviz.lessons.places import BUILT_IN
from specviz.lessons.reading import LessonReading, read_lesson
from specviz.trace.files import read_file
from tests.helpers.fuzz import TRACES

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
    """The lessons that come with the project, read once."""
    return check_folder(BUILT_IN)


def recorded(name: str) -> Recorded:
    """A shipped recording, as a lesson has it."""
    traces = read_file(TRACES / f"{name}.json")
    return Recorded(name, TRACES / f"{name}.json", traces[0], traces[1], traces)


def read_changed(folder: Path, old: str = "", new: str = "", name: str = "01-small.md") -> LessonReading:
    """Read the small lesson with one change."""
    assert old in SMALL
    file = folder / name
    file.write_text(SMALL.replace(old, new) if old else SMALL, encoding="utf-8")
    return read_lesson(file)


def lesson_of(reading: LessonReading) -> Lesson:
    """The lesson, where there is one."""
    assert reading.lesson is not None, [str(problem) for problem in reading.problems]
    return reading.lesson
