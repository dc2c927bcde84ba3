"""The page of a lesson that a room reads, and its question as a vote. Makes no Streamlit call but that for the lessons of this server."""

import re
from dataclasses import asdict
from html import unescape
from typing import Any

from app.lessons import opened
from specviz.errors import InputError
from specviz.lessons.lesson import Question
from specviz.rooms import polls
from specviz.rooms.moment import Page
from specviz.rooms.polls import Poll

_QUESTION, _CHOICE = 200, 80
"""As many characters as a question of a room, and a choice, may have."""
_TAG = re.compile(r"<[^>]*>")


def as_object(page: Page | None) -> dict[str, Any] | None:
    """The page as a follower's lesson hears of it, see `PageNow` in types.d.ts."""
    return None if page is None else asdict(page)


def question_of(page: Page | None) -> Question | None:
    """The question on a page of a lesson."""
    lesson = None if page is None else opened.contents().lesson(page.lesson, page.language)
    if lesson is None or page is None:
        return None
    found: list[Question | None] = [*(step.question for step in lesson.steps), *lesson.questions]
    return found[page.number] if page.number < len(found) else None


def poll_of(page: Page) -> Poll:
    """The question of a page for the room.

    Raises:
        InputError: the page asks nothing.
    """
    question = question_of(page)
    if question is None:
        raise InputError("This page of the lesson asks nothing: go to one with a question.")
    choices = [_short(choice.html, _CHOICE) for choice in question.choices]
    right = next(index for index, choice in enumerate(question.choices) if choice.right)
    return polls.about(polls.asked(_short(question.html, _QUESTION), choices), page.run, page.number, right)


def _short(html: str, most: int) -> str:
    """The text of rendered words, cut where it is too long."""
    text = " ".join(unescape(_TAG.sub("", html)).split())
    return text if len(text) <= most else text[: most - 1] + "…"
