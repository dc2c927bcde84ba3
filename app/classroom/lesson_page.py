"""The page of a lesson that a room reads, for its phones, and its question as a vote. Makes no Streamlit call but that for the lessons of this
server."""

import re
from html import unescape
from typing import Any

from app.classroom import polls
from app.classroom.moment import Page
from app.classroom.polls import Poll
from app.stage import lessons
from specviz.errors import InputError
from specviz.lessons.folder import Contents
from specviz.lessons.learn_data import screen_json, ui_words

_TAG = re.compile(r"<[^>]*>")


def lesson(name: str, language: str, *, talk: bool) -> dict[str, Any] | None:
    """A lesson that the presenter reads, as its audience gets it, see `LearnData` in lesson_types.ts; None where there is none of that name.

    Args:
        talk: in large type, for the window of a projector.
    """
    contents = lessons.contents()
    lesson = contents.lesson(name, language)
    if lesson is None:
        return None
    return {
        **lessons.open_lesson_data(lesson, talk=talk),
        **lessons.glossary_and_handout(lesson, name, lesson.language),
        **screen_json(Contents((), ()), lesson.language, talk=talk),
        "languages": [],
        "problem": "",
        "words": ui_words(lesson.language),
    }


def poll_of(page: Page) -> Poll:
    """The question of a page for the room. Raises InputError if the page asks nothing, or the presenter has answered it."""
    lesson = None if page.chosen is not None else lessons.contents().lesson(page.lesson, page.language)
    questions = [] if lesson is None else [*(step.question for step in lesson.steps), *lesson.questions]
    question = questions[page.number] if page.number < len(questions) else None
    if question is None:
        raise InputError("This page of the lesson asks nothing: go to one with a question.")
    choices = [_short(choice.html, polls.LONGEST_CHOICE) for choice in question.choices]
    right = next(index for index, choice in enumerate(question.choices) if choice.right)
    return polls.about(
        polls.asked(_short(question.html, polls.LONGEST_QUESTION), choices), page.run, page.number, right
    )


def _short(html: str, most: int) -> str:
    """The text of rendered words, cut where it is too long."""
    text = " ".join(unescape(_TAG.sub("", html)).split())
    return text if len(text) <= most else text[: most - 1] + "…"
