"""What the words of a built-in lesson name is lit on the picture beside them, at a moment when it is there, and can be read in time."""

import re
from collections.abc import Iterator
from html import unescape

from specviz.lessons.lesson import Lesson, Place, Question
from specviz.lessons.sections import Section, split
from tests.lessons.writing import built_in

_FIGURE = re.compile(r"\{([^{}]+)\}")
_OF = re.compile(r"(.+) of ([a-z0-9-]+)")
_SLOT = re.compile(r"(draft probability|target probability|draft|target|p|q|u) (\d+)\.(\d+)")
_CLOSING = re.compile(r"closing (\d+)")
_ROUND = re.compile(r"round (\d+) (.+)")
_PHASES = ("draft", "verify", "judge", "commit")
_COUNTS = {"accepted", "figures", "lanes"}
_WHOLE = {"text", "lanes", "figures", "speedup", "tokens per pass"}
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
"""A figure of the run, and the parts of the stage one of which shows it. What is not here stands nowhere on the stage."""
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
_WORDS_A_MINUTE = 130
"""Of somebody who reads English as a second language, and looks at a picture meanwhile."""
_OTHER_LANGUAGE = 1.1


def _sections(lesson: Lesson) -> Iterator[tuple[Section, Place]]:
    """Every step and question of the stage, as it stands in the file, with where it points."""
    raw = split(lesson.file.read_text(encoding="utf-8"))
    for section, step in zip(raw.steps, lesson.steps, strict=True):
        if step.picture == "stage":
            yield section, step.place
            for asked in section.questions:
                assert step.question is not None
                yield asked, step.question.answer
    for section, question in zip(raw.questions, lesson.questions, strict=True):
        yield section, question.answer


def _unlit(figure: str, place: Place) -> str:
    """What is wrong with a figure of the text at this place; "" for nothing."""
    assert place.moment is not None
    here, phase = place.moment.round + 1, _PHASES.index(place.moment.phase)
    lit = {each.part if each.slot is None else f"{each.part} {each.slot}" for each in place.lit}
    parts = {each.part for each in place.lit}
    if found := _SLOT.fullmatch(figure):
        what, number, slot = found[1], int(found[2]), found[3]
        row = {"draft": {"draft row"}, "draft probability": {"draft row"}, "target": {"target row"}}.get(what, set())
        late = what not in ("draft", "draft probability", "q") and phase < _PHASES.index("verify")
        wanted = {f"slot {slot}", f"why {slot}", *row}
    elif found := _CLOSING.fullmatch(figure):
        number = int(found[1])
        wanted, late = {"closing", "why closing", "text"}, phase < _PHASES.index("commit")
        if number < here:
            number, late, wanted = here, False, {"text"}
    elif found := _ROUND.fullmatch(figure):
        number, lit = int(found[1]), parts
        wanted, late = _SHOWN_OF_A_ROUND[found[2]], found[2] == "tokens" and phase < _PHASES.index("commit")
    else:
        number, late, wanted = here, False, _SHOWN.get(figure, set())
    if number != here:
        return f"{{{figure}}} is not of round {here}, which is shown"
    if late:
        return f"{{{figure}}} is not known yet at this moment"
    return (
        "" if not wanted or lit & wanted else f"{{{figure}}} needs one of {sorted(wanted)}, and {sorted(lit)} are lit"
    )


def test_what_the_words_name_is_lit() -> None:
    """Each token and figure in a step's words is on the stage at its moment, in a part that is lit."""
    wrong = []
    checked = 0
    for lesson in built_in().lessons:
        for section, place in _sections(lesson):
            for inside in _FIGURE.findall(f"{section.heading.text} {section.body.text}"):
                figure, named = " ".join(inside.split()), None
                if found := _OF.fullmatch(figure):
                    figure, named = found[1], found[2]
                if named in (None, place.recording):
                    checked += 1
                    wrong.append((lesson.file.name, section.heading.line, _unlit(figure, place)))
    assert [each for each in wrong if each[2]] == []
    assert checked > 100


def _count(html: str) -> int:
    return len(re.findall(r"[^\W_]+(?:['’.,-][^\W_]+)*", unescape(re.sub("<[^>]*>", " ", html))))


def _asked(question: Question | None) -> int:
    if question is None:
        return 0
    return _count(question.html) + sum(_count(each.html) for each in question.choices) + _count(question.because)


def test_a_chapter_can_be_read_in_its_time() -> None:
    """Introduction, steps, the questions in them and the captions of one analogy have no more words than its minutes allow; other languages need
    a few more for the same."""
    long = []
    for lesson in built_in().lessons:
        words = _count(lesson.intro) + sum(_count(step.html) + _asked(step.question) for step in lesson.steps)
        captions = [sum(_count(step.captions.get(each.name, "")) for step in lesson.steps) for each in lesson.analogies]
        if (found := words + max(captions, default=0)) > _WORDS_A_MINUTE * lesson.minutes * (
            1 if lesson.language == "en" else _OTHER_LANGUAGE
        ):
            long.append((lesson.file.name, found))
    assert long == []


def test_one_analogy_goes_through_all_chapters() -> None:
    """In every chapter that has one it is the same: two comparisons at once explain nothing."""
    known = {analogy for lesson in built_in().lessons if lesson.language == "en" for analogy in lesson.analogies}
    assert {(each.name, each.draft, each.target) for each in known} == {("Writers", "typist", "editor")}
    assert all(len(lesson.analogies) <= 1 for lesson in built_in().lessons)


def test_chapters_have_the_plain_word() -> None:
    """Where a word is no term of the field, the chapters do without it."""
    stop = re.compile(
        r"\b(?:judged|policy|first choice|grandfather|chef|prompt read in|low confidence)\b", re.IGNORECASE
    )
    for lesson in built_in().lessons:
        for step in lesson.steps:
            found = [text for text in (step.title, step.html, *step.captions.values()) if stop.search(text)]
            assert found == [], (lesson.file.name, found)
