"""Folders of lessons: those that come with the project and a person's own, read again when a file changes."""

import re
from dataclasses import dataclass
from pathlib import Path

from specviz.lessons.lesson import Lesson, Problem, Question, Step
from specviz.lessons.places import BUILT_IN, ENGLISH
from specviz.lessons.reading import LessonReading, read_lesson

_MAX_FILES = 200
_NO_LESSON = re.compile(r"(?i)(?:readme|handout)(?:\.[a-z]{2,3})?\.md")
Stamps = tuple[tuple[int, int] | None, ...]
"""When each watched file was changed last, and its size."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in one or more folders: lessons in order of number, name and language, and what is wrong in the files that are left out."""

    lessons: tuple[Lesson, ...]
    problems: tuple[Problem, ...]

    def lesson(self, name: str, language: str = ENGLISH) -> Lesson | None:
        """The lesson of this name in this language, else in English, else in any; None where there is none of this name."""
        named = [lesson for lesson in self.lessons if lesson.name == name]
        wanted = {lesson.language: lesson for lesson in named}
        return wanted.get(language) or wanted.get(ENGLISH) or next(iter(named), None)


class Shelf:
    """The built-in lessons, and those of a person's own folder beside them. A file is read again only when it or its recordings change."""

    def __init__(self, own: Path | None = None, built_in: Path = BUILT_IN) -> None:
        self._folders = [built_in] if own is None else [built_in, own]
        self._read: dict[Path, tuple[Stamps, LessonReading]] = {}

    def contents(self) -> Contents:
        """What is there now. Never raises for what is in a file."""
        files, problems = [], []
        for folder in self._folders:
            found, wrong = lesson_files(folder)
            files += found
            problems += wrong
        readings = [self._reading(file) for file in files]
        self._read = {file: self._read[file] for file in files}
        return _together(readings, problems)

    def _reading(self, file: Path) -> LessonReading:
        known = self._read.get(file)
        if known is not None and known[0] == _stamps(known[1]):
            return known[1]
        reading = read_lesson(file)
        self._read[file] = (_stamps(reading), reading)
        return reading


def lesson_files(folder: Path) -> tuple[list[Path], list[Problem]]:
    """The Markdown files of a folder, without its README and its handout; and what is wrong with the folder itself."""
    try:
        files = sorted(
            file for file in folder.iterdir() if file.suffix == ".md" and not _NO_LESSON.fullmatch(file.name)
        )
    except OSError as error:
        return [], [Problem(folder.name, 1, f"the folder cannot be opened ({error.strerror}).")]
    if len(files) > _MAX_FILES:
        return files[:_MAX_FILES], [
            Problem(folder.name, 1, f"only the first {_MAX_FILES} of {len(files)} files are read.")
        ]
    return files, []


def check_folder(folder: Path) -> Contents:
    """Read every lesson of a folder, and compare translations with their English lesson."""
    files, problems = lesson_files(folder)
    contents = _together([read_lesson(file) for file in files], problems)
    different = [problem for lesson in contents.lessons if (problem := _translation_problem(lesson, contents))]
    return Contents(contents.lessons, (*contents.problems, *different))


def _together(readings: list[LessonReading], problems: list[Problem]) -> Contents:
    """One list of lessons; where two have one name and language, the first one stays."""
    lessons: dict[tuple[str, str], Lesson] = {}
    for reading in readings:
        problems += reading.problems
        lesson = reading.lesson
        if lesson is None:
            continue
        first = lessons.setdefault((lesson.name, lesson.language), lesson)
        if first is not lesson:
            problems.append(
                Problem(
                    reading.file.name,
                    1,
                    f"{first.file.name} is called {lesson.name!r} in this language too: rename one of them.",
                )
            )
    ordered = sorted(lessons.values(), key=lambda lesson: (lesson.number, lesson.name, lesson.language))
    return Contents(tuple(ordered), tuple(problems))


def _translation_problem(lesson: Lesson, contents: Contents) -> Problem | None:
    """Whether a translation points elsewhere than its English lesson, so that a link to a step would mean another one."""
    english = contents.lesson(lesson.name)
    if english is None or english is lesson or english.language != ENGLISH:
        return None
    for ours, theirs in zip(lesson.steps, english.steps, strict=False):
        if ours.place != theirs.place:
            what = f"this step shows another moment or lights other parts than in {english.file.name}."
            return Problem(lesson.file.name, ours.line, what)
        if _pointing(ours) != _pointing(theirs):
            what = f"this step has another picture, measurement or right answer than in {english.file.name}."
            return Problem(lesson.file.name, ours.line, what)
    if len(lesson.steps) != len(english.steps):
        counts = f"{len(lesson.steps)} steps, and {english.file.name} has {len(english.steps)}"
        return Problem(
            lesson.file.name, 1, f"the translation has {counts}: a link to a step must mean the same in both."
        )
    if _end(lesson) != _end(english):
        what = f"the questions at the end, or its last moment, are others than in {english.file.name}."
        return Problem(lesson.file.name, 1, what)
    return None


def _pointing(step: Step) -> tuple[object, ...]:
    """What a step shows beside its moment."""
    return step.picture, step.question and _asked(step.question)


def _end(lesson: Lesson) -> tuple[object, ...]:
    return lesson.ending.place, tuple(map(_asked, lesson.questions))


def _asked(question: Question) -> tuple[object, ...]:
    return question.answer, tuple(choice.right for choice in question.choices)


def _stamps(reading: LessonReading) -> Stamps:
    return tuple(_stamp(file) for file in reading.watched)


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
