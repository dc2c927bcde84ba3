"""What the Learn component is given of an open lesson: the lesson, its recordings, its languages, the list of chapters."""

import threading
from functools import lru_cache
from typing import Any

import streamlit as st

from specviz import words
from specviz.lessons.files import own_folder
from specviz.lessons.folder import Contents, LessonLibrary
from specviz.lessons.learn_data import CLOSED, lesson_json
from specviz.lessons.lesson import Lesson


@st.cache_resource(max_entries=1, show_spinner=False)
def _library() -> tuple[LessonLibrary, threading.Lock]:
    """The lessons of this server: one reader at a time."""
    return LessonLibrary(own_folder()), threading.Lock()


def contents() -> Contents:
    """The lessons of this server, as their files are now."""
    library, free = _library()
    with free:
        return library.contents()


def of(lesson: Lesson | None, contents: Contents, *, talk: bool) -> dict[str, Any]:
    """The part of the data of the Learn component that an open lesson gives, see `LearnData` in types.ts; None for none."""
    if lesson is None:
        return CLOSED
    changed = [file.stat().st_mtime_ns for file in (lesson.file, *(each.file for each in lesson.recordings))]
    edition = f"{lesson.name} {lesson.language} {changed} {talk}"
    return {
        **_alone(_ByEdition(lesson, f"{lesson.file} {edition}"), talk),
        "edition": edition,
    }


class _ByEdition:
    """A lesson that is the same as another one of the same edition."""

    def __init__(self, lesson: Lesson, edition: str) -> None:
        self.lesson, self._edition = lesson, edition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByEdition) and other._edition == self._edition

    def __hash__(self) -> int:
        return hash(self._edition)


@lru_cache(maxsize=8)
def _alone(kept: _ByEdition, talk: bool) -> dict[str, Any]:
    """What depends on the lesson alone: made once for a class that follows it."""
    return lesson_json(kept.lesson, talk=talk)


def languages(lesson: Lesson | None, contents: Contents) -> list[dict[str, str]]:
    """The languages to choose from: those of the page, and of the open lesson, or of any where none is open, each by its own name."""
    also = [each.language for each in contents.lessons if lesson is None or each.name == lesson.name]
    return words.language_choices(also)
