"""Whether something already gives the answer of a question away: the picture beside it, that of an earlier step, or the text above it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

from specviz.lessons.lesson import LessonMoment, Place, Question, Step

_PHASES = ("draft", "verify", "judge", "commit")
_FROM_TARGET = re.compile(
    r"\{\s*(?:(?:target|target probability|p|u|closing) (\d{1,6})(?:\.\d{1,6})?|round (\d{1,6}) (?:judged|accepted|discarded|tokens))"
    r"(?: of ([a-z0-9-]+))?\s*\}"
)
"""Figures that a round has only from what the target says of its draft, with the round's number and the recording."""


def covered(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same, each place with whether a question of this or a later step asks about its round: the stage covers there what the target
    would write, up to the verdicts that the moment shows."""
    held = _held(steps)
    return tuple(
        replace(step, place=replace(step.place, asks=_asked_from(index, held[index], steps)))
        for index, step in enumerate(steps)
    )


def shown_before(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """The indices of a step with a question and of the first step, itself or an earlier one, whose picture shows the answer already."""
    held = _held(steps)
    for index, step in enumerate(steps):
        if step.question is not None:
            first = next(
                (i for i in range(index + 1) if steps[i].picture == "stage" and _shows(held[i], step.question)), None
            )
            if first is not None:
                yield index, first


def said_before(texts: Sequence[str], default: str | None, answer: Place) -> str | None:
    """The first figure in these texts that gives the answer away; None for none.

    Args:
        default: the recording that a figure means where it names none.
    """
    if answer.moment is None or answer.moment.phase == "draft":
        return None
    for text in texts:
        for found in _FROM_TARGET.finditer(text):
            round_ = int(found[1] or found[2]) - 1
            if round_ == answer.moment.round and (found[3] or default) == answer.recording:
                return found[0]
    return None


def _held(steps: Sequence[Step]) -> list[Place]:
    """What the stage shows at each step: one without a moment holds that of the one before."""
    held, places = Place(None, None, ()), []
    for step in steps:
        held = step.place if step.place.moment is not None else held
        places.append(held)
    return places


def _asked_from(index: int, place: Place, steps: Sequence[Step]) -> bool:
    questions = (step.question for step in steps[index:] if step.question is not None)
    return any(_same_round(place, question.answer) for question in questions)


def _same_round(place: Place, answer: Place) -> bool:
    if place.moment is None or answer.moment is None:
        return False
    return (place.recording, place.moment.round) == (answer.recording, answer.moment.round)


def _shows(place: Place, question: Question) -> bool:
    answer = question.answer
    if place.moment is None or answer.moment is None or place.recording != answer.recording:
        return False
    return _known(place.moment, covers=_same_round(place, answer)) >= _known(answer.moment, covers=False)


def _known(moment: LessonMoment, *, covers: bool) -> tuple[int, int, float]:
    """How much of the run is shown: larger is more. Where the target's row is covered its pass shows no more than the draft does."""
    if covers and moment.phase == "verify":
        return moment.round, 0, inf
    much = moment.count if moment.count is not None else inf if moment.part == 1 else moment.part
    return moment.round, _PHASES.index(moment.phase), much
