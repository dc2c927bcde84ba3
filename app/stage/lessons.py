"""The data of the Learn component (`LearnData` in lesson_types.ts): an open lesson with its recordings, its languages, the glossary, the handout to print."""

import threading
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from specviz import words
from specviz.errors import LessonError
from specviz.lessons.files import own_folder
from specviz.lessons.folder import Contents, LessonLibrary
from specviz.lessons.glossary import glossary_of
from specviz.lessons.handout import handout_file, handout_page
from specviz.lessons.learn_data import CLOSED, lesson_json
from specviz.lessons.lesson import Lesson
from specviz.words import ENGLISH

GLOSSARY = "glossary"  # what `?lesson=` names for the list of all terms


@st.cache_resource(max_entries=1, show_spinner=False)
def _library() -> tuple[LessonLibrary, threading.Lock]:
    """The lessons of this server: one reader at a time."""
    return LessonLibrary(own_folder()), threading.Lock()


def contents() -> Contents:
    """The lessons of this server, as their files are now."""
    library, free = _library()
    with free:
        return library.contents()


def open_lesson_data(lesson: Lesson | None, *, talk: bool) -> dict[str, Any]:
    """The part of the data of the Learn component that an open lesson gives, see `LearnData` in lesson_types.ts; None for none."""
    if lesson is None:
        return CLOSED
    changed = [file.stat().st_mtime_ns for file in (lesson.file, *(recording.file for recording in lesson.recordings))]
    edition = f"{lesson.name} {lesson.language} {changed} {talk}"
    return {**_lesson_data(lesson.name, lesson.language, edition, talk=talk), "edition": edition}


@lru_cache(maxsize=8)
def _lesson_data(name: str, language: str, edition: str, *, talk: bool) -> dict[str, Any]:
    """The data that depend on the lesson alone: made once an edition for a class that follows it."""
    lesson = contents().lesson(name, language)
    assert lesson is not None, "it is open"
    return lesson_json(lesson, talk=talk)


def languages(lesson: Lesson | None, contents: Contents) -> list[dict[str, str]]:
    """The languages to choose from: those of the page, and of the open lesson, or of any where none is open, each by its own name."""
    also = [known.language for known in contents.lessons if lesson is None or known.name == lesson.name]
    return words.language_choices(also)


def glossary_and_handout(lesson: Lesson | None, name: str, language: str) -> dict[str, Any]:
    """The glossary and the handout in the data of Learn.

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
