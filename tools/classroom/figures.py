"""Measured figures beside their goals, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.measurement import quantile


@dataclass(frozen=True, slots=True)
class ClassroomFigure:
    """A number that was measured.

    Attributes:
        part: the part of the measurement.
        what: the measured quantity.
        value: in `unit`; None where nothing could be measured.
        goal: the highest good value, or the lowest; None for none.
        at_least: more is better.
        note: a sentence on its cause.
    """

    part: str
    what: str
    value: float | None
    unit: str
    goal: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """True if the goal was reached; None where there is none, or nothing was measured."""
        if self.goal is None or self.value is None:
            return None
        return self.value >= self.goal if self.at_least else self.value <= self.goal


def spread(
    part: str, what: str, values: Sequence[float], unit: str, goals: tuple[float | None, float | None]
) -> list[ClassroomFigure]:
    """Median and 95%, with a goal for each."""
    return [
        ClassroomFigure(part, f"{what}, median of {len(values)}", quantile(values, 0.5), unit, goals[0]),
        ClassroomFigure(part, f"{what}, 95%", quantile(values, 0.95), unit, goals[1]),
    ]


def table(figures: Sequence[ClassroomFigure]) -> str:
    """All of them, one a line."""
    rows = [("part", "what", "measured", "goal", "")]
    rows += [
        (figure.part, figure.what, _shown(figure.value, figure.unit), _goal(figure), _verdict(figure))
        for figure in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    notes = dict.fromkeys(f"{figure.part}: {figure.note}" for figure in figures if figure.note)
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:], *notes])


def _shown(value: float | None, unit: str) -> str:
    if value is None:
        return "not measured"
    number = f"{value:,.0f}" if abs(value) >= 100 or (unit == "" and value == int(value)) else f"{value:.3g}"
    return f"{number} {unit}".rstrip()


def _goal(figure: ClassroomFigure) -> str:
    return "" if figure.goal is None else f"{'≥' if figure.at_least else '≤'} {_shown(figure.goal, figure.unit)}"


def _verdict(figure: ClassroomFigure) -> str:
    return {True: "met", False: "missed", None: ""}[figure.met]
