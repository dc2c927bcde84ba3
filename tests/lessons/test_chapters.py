"""The built-in chapters can be read in their time, with one analogy and in plain words."""

import re
from html import unescape

from specviz.lessons.lesson import Analogy, Question
from tests.helpers.lessons import built_in, lessons

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


def test_one_analogy_goes_through_all_chapters() -> None:
    """In every chapter that has one it is the same: two comparisons at once explain nothing."""
    analogies = {analogy for lesson in lessons() for analogy in lesson.analogies}
    assert analogies == {Analogy("Writers", "typist", "editor")}
    assert all(len(lesson.analogies) <= 1 for lesson in built_in().lessons)


def test_chapters_have_the_plain_word() -> None:
    """Where a word is no term of the field, the chapters do without it."""
    stop = re.compile(
        r"\b(?:judged|policy|first choice|grandfather|chef|prompt read in|low confidence)\b", re.IGNORECASE
    )
    for lesson in built_in().lessons:
        texts = [text for step in lesson.steps for text in (step.title, step.html, *step.captions.values())]
        assert [text for text in texts if stop.search(text)] == [], lesson.file.name
