"""Two mistakes that a lesson's author cannot see: an answer that is visible before its question, and a typed number that a recording has."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from specviz.lessons.lesson import LessonMoment, Place, Step
from specviz.lessons.placeholders import Filling
from specviz.lessons.rendering import pieces_of

_PHASES = ("draft", "verify", "judge", "commit")
# Figures that depend on what the target says of a draft, with the round's number and the recording.
_FROM_TARGET = re.compile(
    r"\{\s*(?:(?:target|target probability|p|u|closing) (\d{1,6})(?:\.\d{1,6})?|round (\d{1,6}) (?:judged|accepted|discarded|tokens))"
    r"(?: of ([a-z0-9-]+))?\s*\}"
)
_NUMBER = re.compile(
    r"(?<![\w.,/-])(\d{1,7}(?:[.,]\d{1,4})?)(?!(?!(?:x|ms)\b)\w|[/-]|[.,]\d)[\s\u00a0]*(×|%|ms\b|x\b)?"
)
# A number after one of these words is a name and counts nothing.
_NAMING = re.compile(
    r"(?i)\b(round|chapter|lesson|step|token|slot|figure|line|page|runde|kapitel|lektion|schritt|zeile|seite"
    r"|chapitre|leçon|étape|jeton|ligne|ronda|capítulo|lección|paso|línea)s?[\s\u00a0]+$"
)
_SMALLEST = 2


# ------------------------------------------------------------------ answers before their questions


def with_covers(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps, each with the place where the stage is at it; `asks` is set if this or a later step has a question about its round.

    The stage then covers what the target would write, up to the verdicts that the moment shows.
    """
    places = _stage_places(steps)
    answers = [step.question and step.question.answer for step in steps]
    return tuple(
        replace(step, place=replace(place, asks=any(a and _same_round(place, a) for a in answers[index:])))
        for index, (step, place) in enumerate(zip(steps, places, strict=True))
    )


def early_pictures(steps: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """Indices of a step with a question and of the first step, up to that one, whose picture already shows the answer."""
    places = _stage_places(steps)
    for index, step in enumerate(steps):
        if step.question is not None:
            for earlier in range(index + 1):
                if steps[earlier].picture == "stage" and _shows(places[earlier], step.question.answer):
                    yield index, earlier
                    break


def early_figure(texts: Sequence[str], default: str | None, answer: Place) -> str | None:
    """The first figure in these texts that gives the answer away; None for none. `default`: the recording that a figure
    means where it names none."""
    if answer.moment is None or answer.moment.phase == "draft":
        return None
    for text in texts:
        for figure in _FROM_TARGET.finditer(text):
            round_ = int(figure[1] or figure[2]) - 1
            if round_ == answer.moment.round and (figure[3] or default) == answer.recording:
                return figure[0]
    return None


def _stage_places(steps: Sequence[Step]) -> list[Place]:
    """The stage at each step; a step without a moment leaves it as it was."""
    places = [Place(None, None, ())]
    for step in steps:
        places.append(step.place if step.place.moment is not None else replace(places[-1], lit=step.place.lit))
    return places[1:]


def _same_round(place: Place, answer: Place) -> bool:
    if place.moment is None or answer.moment is None:
        return False
    return (place.recording, place.moment.round) == (answer.recording, answer.moment.round)


def _shows(place: Place, answer: Place) -> bool:
    if place.moment is None or answer.moment is None or place.recording != answer.recording:
        return False
    return _progress(place.moment, covers=_same_round(place, answer)) >= _progress(answer.moment, covers=False)


def _progress(moment: LessonMoment, *, covers: bool) -> tuple[int, int, float]:
    """An order of moments. Where the target's row is covered, a finished pass shows no more than the draft does."""
    if covers and moment.phase == "verify":
        return moment.round, 0, inf
    share = moment.count if moment.count is not None else inf if moment.part == 1 else moment.part
    return moment.round, _PHASES.index(moment.phase), share


# ------------------------------------------------------------------ typed numbers


def typed_numbers(
    text: str, figures: Mapping[str, Sequence[tuple[str, Filling]]], default: str | None
) -> Iterator[tuple[int, str]]:
    """Every typed number that equals a figure of a recording, with its line (from 0); sentences without a full stop.

    Args:
        figures: the numbers of each recording, with their placeholders.
        default: the recording that a placeholder means when it names none.
    """
    for line, piece in pieces_of(text):
        if piece.type != "text":
            continue
        for number in _NUMBER.finditer(piece.content):
            if _NAMING.search(piece.content[: number.start()]):
                continue
            names = [
                name if recording == default else f"{name} of {recording}"
                for recording, fillings in figures.items()
                for name, filling in fillings
                if _equals(number[1].replace(",", "."), number[2] or "", filling)
            ]
            if names:
                ways = " or ".join(f"{{{name}}}" for name in names[:3])
                yield (
                    line,
                    f"{number[0].strip()} is a figure of the recording: write {ways}, or a word such as six if it means something else",
                )


def _equals(typed: str, unit: str, filling: Filling) -> bool:
    """Compare a typed number with a figure, to as many decimals as were typed."""
    assert filling.number is not None
    decimals = len(typed.partition(".")[2])
    value, unit = float(typed), unit.replace("x", "×")
    if unit != filling.unit and (unit or not decimals):
        return False  # a bare whole number is only compared with what is counted
    if not unit and not decimals and (value < _SMALLEST or filling.number != int(filling.number)):
        return False
    return round(filling.number, decimals) == value
