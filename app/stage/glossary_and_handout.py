"""What stands beside the lessons: the glossary in the language that is read, and the handout to print."""

from functools import cache
from pathlib import Path
from typing import Any

from specviz.errors import LessonError
from specviz.lessons.glossary import glossary_of
from specviz.lessons.handout import handout_file, handout_page
from specviz.lessons.lesson import Lesson
from specviz.lessons.places import ENGLISH

GLOSSARY = "glossary"
"""What `?lesson=` names to see all terms."""


def extras(lesson: Lesson | None, name: str, language: str) -> dict[str, Any]:
    """The part of the Learn screen's data that is about them.

    Args:
        lesson: the open one, which shows the terms of its own language, or none where that has no glossary.
        name: what the address names.
        language: the address's; the list of all terms is the English one where this language has none.
    """
    listed = lesson is None and name == GLOSSARY
    spoken = lesson.language if lesson else language
    if listed and not glossary_of(spoken):
        spoken = ENGLISH
    return {
        "glossary": [entry.as_json() for entry in glossary_of(spoken)] if lesson or listed else [],
        "glossary_open": listed,
        "glossary_language": spoken,
        "handout": "" if lesson or listed else _handout(handout_file(spoken)),
    }


@cache
def _handout(file: Path) -> str:
    """The handout that comes with the project, in a language; empty where it cannot be made."""
    try:
        return handout_page(file)
    except LessonError:
        return ""
