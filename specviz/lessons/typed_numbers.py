"""Numbers that were typed although the recording has them: a lesson says them with a placeholder, so that they stay true."""

import re
from collections.abc import Iterator, Mapping, Sequence

from specviz.lessons.placeholders import Filled
from specviz.lessons.rendering import pieces_of

_NUMBER = re.compile(
    r"(?<![\w.,/-])(\d{1,7}(?:[.,]\d{1,4})?)(?!(?!(?:x|ms)\b)\w|[/-]|[.,]\d)[\s\u00a0]*(×|%|ms\b|x\b)?"
)
_NAMING = re.compile(
    r"(?i)\b(round|chapter|lesson|step|token|slot|figure|line|page|runde|kapitel|lektion|schritt|zeile|seite"
    r"|chapitre|leçon|étape|jeton|ligne|ronda|capítulo|lección|paso|línea)s?[\s\u00a0]+$"
)
"""A number after one of these names something and counts nothing."""
_SMALLEST = 2


def typed_numbers(
    text: str, known: Mapping[str, Sequence[tuple[str, Filled]]], default: str | None
) -> Iterator[tuple[int, str]]:
    """Every typed number that equals a figure of a recording, with its line (from 0); sentences without a full stop.

    Args:
        known: the numbers of each recording, with their placeholders.
        default: the recording that a placeholder means when it names none.
    """
    for line, piece in pieces_of(text):
        if piece.type != "text":
            continue
        for found in _NUMBER.finditer(piece.content):
            if _NAMING.search(piece.content[: found.start()]):
                continue
            names = [
                name if recording == default else f"{name} of {recording}"
                for recording, figures in known.items()
                for name, filled in figures
                if _equals(found[1].replace(",", "."), found[2] or "", filled)
            ]
            if names:
                shown = found[0].strip()
                ways = " or ".join(f"{{{name}}}" for name in names[:3])
                yield (
                    line,
                    f"{shown} is a figure of the recording: write {ways}, or a word such as six if it means something else",
                )


def _equals(typed: str, unit: str, filled: Filled) -> bool:
    """Whether a typed number is this figure, with as many decimals as were typed."""
    assert filled.number is not None
    decimals = len(typed.partition(".")[2])
    value, unit = float(typed), unit.replace("x", "×")
    if unit != filled.unit and (unit or not decimals):
        return False  # a bare whole number is only compared with what is counted
    if not unit and not decimals and (value < _SMALLEST or filled.number != int(filled.number)):
        return False
    return round(filled.number, decimals) == value
