"""The built-in chapters can be read in their time, in either of two analogies and in plain words."""

import re
from html import unescape

from specviz.lessons.lesson import Analogy, Question
from tests.helpers.lessons import built_in

# The pace of somebody who reads English as a second language, and looks at a picture meanwhile.
_WORDS_A_MINUTE = 130
_OTHER_LANGUAGE = 1.1


def _count(html: str) -> int:
    return len(re.findall(r"[^\W_]+(?:['’.,-][^\W_]+)*", unescape(re.sub("<[^>]*>", " ", html))))


def _count_question(question: Question | None) -> int:
    if question is None:
        return 0
    return sum(map(_count, (question.html, *(choice.html for choice in question.choices), question.because)))


def test_a_chapter_can_be_read_in_its_time() -> None:
    """Introduction, steps, the questions in them and the captions of one analogy have no more words than its minutes allow; other languages need
    a few more for the same."""
    too_long = []
    for lesson in built_in().lessons:
        words = _count(lesson.intro) + sum(_count(step.html) + _count_question(step.question) for step in lesson.steps)
        captions = [sum(_count(step.captions.get(pair.name, "")) for step in lesson.steps) for pair in lesson.analogies]
        total = words + max(captions, default=0)
        if total > _WORDS_A_MINUTE * lesson.minutes * (1 if lesson.language == "en" else _OTHER_LANGUAGE):
            too_long.append((lesson.file.name, total))
    assert too_long == []


def test_two_analogies_go_through_all_chapters() -> None:
    """Every chapter speaks in both, in the same order in every language, so that a reader chooses once."""
    for lesson in built_in().lessons:
        if lesson.language == "en":
            assert lesson.analogies == (
                Analogy("Writers", "typist", "editor"),
                Analogy("Kitchen", "sous-chef", "master chef"),
            )
        assert len(lesson.analogies) == 2
        assert [step.title for step in lesson.steps if step.captions][1:], lesson.file.name
