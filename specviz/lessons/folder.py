"""Folders of lessons: the built-in one and a person's own, read again when a file changes. A new lesson is a file there."""

import os
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from specviz.errors import LessonError
from specviz.lessons.files import BUILT_IN, file_name, is_name
from specviz.lessons.lesson import Lesson, Problem, Question
from specviz.lessons.reading import ReadResult, read_lesson
from specviz.reporting.files import named_write_errors
from specviz.words import ENGLISH

_NO_LESSON = re.compile(r"(?i)(?:readme|handout)(?:\.[a-z]{2,3})?\.md|\..*")  # or hidden, as an editor's lock
_TEMPLATE = Path(__file__).with_name("template.md")
Stamp = tuple[tuple[str, int, int], ...]  # the name, the last change and the size of each file of a folder


@dataclass(frozen=True, slots=True)
class Contents:
    """The lessons of one or more folders in order of number, name and language, and the problems of the files that are left out."""

    lessons: tuple[Lesson, ...]
    problems: tuple[Problem, ...]

    def lesson(self, name: str, language: str = ENGLISH) -> Lesson | None:
        """The lesson of this name, or that replaces one of this name, in this language, else in English, else in any; None where there is none."""
        named = [lesson for lesson in self.lessons if lesson.name == name]
        translations = {
            lesson.language: lesson for lesson in named or [each for each in self.lessons if name in each.formerly]
        }
        return translations.get(language) or translations.get(ENGLISH) or next(iter(translations.values()), None)


class LessonLibrary:
    """The built-in lessons, and those of a person's own folder beside them. A folder is read again only when a file in it changes."""

    def __init__(self, own: Path | None = None, built_in: Path = BUILT_IN) -> None:
        self._folders = [built_in] if own is None else [built_in, own]
        self._read: dict[Path, tuple[Stamp, list[ReadResult], list[Problem]]] = {}

    def contents(self) -> Contents:
        """The present contents of the folders. No content of a file raises."""
        results, problems = [], []
        for folder in self._folders:
            stamp = _stamp(folder)
            if folder not in self._read or self._read[folder][0] != stamp:
                files, of_folder = lesson_files(folder)
                self._read[folder] = stamp, [read_lesson(file) for file in files], of_folder
            _, of_files, of_folder = self._read[folder]
            results += of_files
            problems += of_folder
        return _contents(results, problems)


def _stamp(folder: Path) -> Stamp:
    try:
        stats = {entry.name: entry.stat() for entry in os.scandir(folder) if entry.is_file()}
    except OSError:  # also of a file that is gone in this moment
        return ()
    return tuple(sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats.items()))


def lesson_files(folder: Path) -> tuple[list[Path], list[Problem]]:
    """The Markdown files of a folder, without its README and its handout; and what is wrong with the folder itself."""
    try:
        files = sorted(
            file for file in folder.iterdir() if file.suffix == ".md" and not _NO_LESSON.fullmatch(file.name)
        )
    except OSError as error:
        return [], [Problem(folder.name, 1, f"the folder cannot be opened ({error.strerror}).")]
    return files, []


def check_folder(folder: Path) -> Contents:
    """Read every lesson of a folder, and compare translations with their English lesson."""
    files, problems = lesson_files(folder)
    contents = _contents([read_lesson(file) for file in files], problems)
    different = [problem for lesson in contents.lessons if (problem := _translation_problem(lesson, contents))]
    return Contents(contents.lessons, (*contents.problems, *different))


def new_lesson(name: str, folder: Path) -> Path:
    """Write a new lesson's file, a complete small lesson, with the next free number. Raises LessonError if the name is
    none, is taken, or nothing can be written there."""
    if not is_name(name):
        raise LessonError(f"The name was {name!r:.80}: use small letters, digits and hyphens, as in my-lesson.")
    names = [parts for file in lesson_files(folder)[0] if (parts := file_name(file)) is not None]
    if any(parts.name == name for parts in names):
        raise LessonError(f"A lesson called {name!r} is in {str(folder)!r} already: choose another name.")
    number = 1 + max((parts.number for parts in names), default=0)
    file = folder / f"{number:02d}-{name}.md"
    text = _TEMPLATE.read_text(encoding="utf-8").replace("{title}", name.replace("-", " ").capitalize())
    with named_write_errors(file, LessonError):
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    return file


def _contents(results: list[ReadResult], problems: list[Problem]) -> Contents:
    """One list of lessons; where two have one name and language, the first one stays."""
    lessons: dict[tuple[str, str], Lesson] = {}
    for result in results:
        problems += result.problems
        lesson = result.lesson
        if lesson is None:
            continue
        first = lessons.setdefault((lesson.name, lesson.language), lesson)
        if first is not lesson:
            problems.append(
                Problem(
                    result.file.name,
                    1,
                    f"{first.file.name} is called {lesson.name!r} in this language too: rename one of them.",
                )
            )
    ordered = sorted(lessons.values(), key=lambda lesson: (lesson.number, lesson.name, lesson.language))
    return Contents(tuple(ordered), tuple(problems))


def _translation_problem(lesson: Lesson, contents: Contents) -> Problem | None:
    """The first difference of a translation from its English lesson, by which a link to a step would mean another one; None for none."""
    english = contents.lesson(lesson.name)
    if english is None or english is lesson or english.language != ENGLISH:
        return None
    pairs = zip_longest(_shown(lesson), _shown(english))
    index = next((index for index, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
    if index is None:
        return None
    line = lesson.steps[index].line if index < len(lesson.steps) else 1
    what = f"this is another step or ending than in {english.file.name}: moment, lit parts, picture and right answers must be the same."
    return Problem(lesson.file.name, line, what)


def _shown(lesson: Lesson) -> list[object]:
    """What a lesson shows apart from its words: each of its steps, and its end."""
    steps = [(step.place, step.picture, step.question and _answer(step.question)) for step in lesson.steps]
    return [*steps, (lesson.ending.place, lesson.ending.picture, *map(_answer, lesson.questions))]


def _answer(question: Question) -> tuple[object, ...]:
    return question.answer, tuple(choice.right for choice in question.choices)
