"""What the words of a built-in lesson name is lit on the picture beside them, at a moment when it is there, and can be read in time."""

import re
from collections.abc import Iterator
from html import unescape

from specviz.lessons.lesson import Analogy, Lesson, Place, Question
from specviz.lessons.sections import Section, split
from tests.helpers.lessons import built_in, lessons

_FIGURE = re.compile(r"\{([^{}]+)\}")
_OF = re.compile(r"(.+) of ([a-z0-9-]+)")
_SLOT = re.compile(r"(draft probability|target probability|draft|target|p|q|u) (\d+)\.(\d+)")
_CLOSING = re.compile(r"closing (\d+)")
_ROUND = re.compile(r"round (\d+) (.+)")
_PHASES = ("draft", "verify", "judge", "commit")
_COUNTS = {"accepted", "figures", "lanes"}
_WHOLE = {"text", "lanes", "figures", "speedup", "tokens per pass"}
# The parts of the stage that show a figure of the run. Other figures are not on the stage.
_SHOWN: dict[str, set[str]] = {
    "speedup": {"speedup", "figures"},
    **dict.fromkeys(("accepted", "judged", "rejected", "discarded", "drafted", "acceptance"), _COUNTS),
    **dict.fromkeys(("rounds", "tokens", "time", "plain rounds", "plain time"), _WHOLE),
    "tokens per round": {"tokens per pass", "figures"},
    "tokens per second": _WHOLE | {"rate"},
    "plain pass": {"lanes", "editor", "target row"},
    "prompt": {"prompt", "text"},
    "output": {"text"},
    "target parameters": {"editor", "target row"},
    "draft parameters": {"typist", "draft row"},
    "drafter": {"typist", "draft row"},
}
_SHOWN_OF_A_ROUND: dict[str, set[str]] = {
    "drafted": {"draft row", "target row"},
    "judged": {"draft row"},
    "accepted": {"draft row", "slot"},
    "discarded": {"draft row"},
    "tokens": {"closing", "text"},
    "draft time": {"typist", "draft row"},
    "verify time": {"editor", "target row"},
    "time": {"lanes"},
}
# The pace of somebody who reads English as a second language, and looks at a picture meanwhile.
_WORDS_A_MINUTE = 130
_OTHER_LANGUAGE = 1.1


def _sections(lesson: Lesson) -> Iterator[tuple[Section, Place]]:
    """Every step and question of the stage, as it stands in the file, with where it points."""
    raw = split(lesson.file.read_text(encoding="utf-8"))
    for section, step in zip(raw.steps, lesson.steps, strict=True):
        if step.picture == "stage":
            yield section, step.place
            for inner in section.questions:
                assert step.question is not None
                yield inner, step.question.answer
    for section, question in zip(raw.questions, lesson.questions, strict=True):
        yield section, question.answer


def _unlit(figure: str, place: Place) -> str:
    """The mistake of a figure of the text at this place; "" for none."""
    assert place.moment is not None
    here, phase = place.moment.round + 1, _PHASES.index(place.moment.phase)
    lit = {light.part if light.slot is None else f"{light.part} {light.slot}" for light in place.lit}
    parts = {light.part for light in place.lit}
    if match := _SLOT.fullmatch(figure):
        what, number, slot = match[1], int(match[2]), match[3]
        row = {"draft": {"draft row"}, "draft probability": {"draft row"}, "target": {"target row"}}.get(what, set())
        late = what not in ("draft", "draft probability", "q") and phase < _PHASES.index("verify")
        wanted = {f"slot {slot}", f"why {slot}", *row}
    elif match := _CLOSING.fullmatch(figure):
        number = int(match[1])
        wanted, late = {"closing", "why closing", "text"}, phase < _PHASES.index("commit")
        if number < here:
            number, late, wanted = here, False, {"text"}
    elif match := _ROUND.fullmatch(figure):
        number, lit = int(match[1]), parts
        wanted, late = _SHOWN_OF_A_ROUND[match[2]], match[2] == "tokens" and phase < _PHASES.index("commit")
    else:
        number, late, wanted = here, False, _SHOWN.get(figure, set())
    if number != here:
        return f"{{{figure}}} is not of round {here}, which is shown"
    if late:
        return f"{{{figure}}} is not known yet at this moment"
    if not wanted or lit & wanted:
        return ""
    return f"{{{figure}}} needs one of {sorted(wanted)}, and {sorted(lit)} are lit"


def test_what_the_words_name_is_lit() -> None:
    """Each token and figure in a step's words is on the stage at its moment, in a part that is lit."""
    mistakes = []
    for lesson in built_in().lessons:
        for section, place in _sections(lesson):
            for inside in _FIGURE.findall(f"{section.heading.text} {section.body.text}"):
                figure, recording = " ".join(inside.split()), None
                if match := _OF.fullmatch(figure):
                    figure, recording = match[1], match[2]
                if recording in (None, place.recording):
                    mistakes.append((lesson.file.name, section.heading.line, _unlit(figure, place)))
    assert [mistake for mistake in mistakes if mistake[2]] == []
    assert len(mistakes) > 100


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
