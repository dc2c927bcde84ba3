"""The built-in lessons, read once for all tests of a process."""

from functools import cache

from specviz.lessons.folder import Shelf
from specviz.lessons.lesson import Lesson
from specviz.words import ENGLISH


@cache
def lessons(language: str = ENGLISH) -> list[Lesson]:
    """Those of a language, in their order."""
    return [lesson for lesson in _contents() if lesson.language == language]


def lesson_of(name: str, language: str = ENGLISH) -> Lesson:
    """One of them."""
    return next(lesson for lesson in lessons(language) if lesson.name == name)


@cache
def _contents() -> tuple[Lesson, ...]:
    return tuple(Shelf().contents().lessons)
