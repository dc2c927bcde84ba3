"""The results of a comparison: its table, its conclusions in sentences, and its files. Standard library only."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from specviz.comparison.planning import AXES, MOST_AXES, Cell
from specviz.folders import ASSETS
from specviz.reporting.player import wording
from specviz.reporting.player.provenance import busy, untrusted
from specviz.reporting.run_figures import Figures

# The figures that are compared. The last two come from counts, which a busy machine does not change.
FIGURES = {"speedup": "Speedup", "tokens_per_pass": "Tokens a pass", "alpha": "Acceptance rate α"}
SCHEMA = "specviz.comparison/1"


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """The figures of one cell; None where there is no such figure.

    Attributes:
        at: see `Cell`.
        speedup: over the cell's own plain run; None where its times are not trusted; `why` has the reason.
        low, high: the lowest and the highest speedup of the timed pairs of runs.
        tokens_per_pass, alpha: exact counts of this run.
        text: the agreement with the plain text, see `specviz.reporting.run_figures.Same`.
        why: the reason of a missing figure; "" where none is missing.
    """

    at: Mapping[str, str]
    speedup: float | None = None
    low: float | None = None
    high: float | None = None
    tokens_per_pass: float | None = None
    alpha: float | None = None
    tokens: int = 0
    passes: int = 0
    text: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of measured runs.

    Attributes:
        varied: see `ComparisonPlan`.
        rows: of the finished cells, in the order of the plan.
        cells: the number of all cells.
        about: the machine, and the settings that all cells share, in a few words.
    """

    varied: Mapping[str, tuple[str, ...]]
    rows: tuple[ComparisonRow, ...]
    cells: int
    about: str = ""


def row_of(cell: Cell, figures: Figures) -> ComparisonRow:
    """The row of a cell, from the figures of its own run and its own plain run."""
    trusted = figures.trusted and figures.speedup is not None
    return ComparisonRow(
        dict(cell.at),
        figures.speedup if trusted else None,
        min(figures.speedups, default=figures.speedup),
        max(figures.speedups, default=figures.speedup),
        figures.tokens / figures.passes if figures.passes else None,
        figures.acceptance_rate,
        figures.tokens,
        figures.passes,
        figures.text.same.value,
        "" if trusted else str(untrusted(figures) or busy(figures)) or "plain decoding was stopped earlier",
    )


def label(axis: str, value: str) -> str:
    """A value with the name of its axis where that is needed."""
    if axis == "drafter":
        return wording.label(value)
    return f"{axis} = {value}" if axis == "k" else f"temperature {value}" if axis == "temperature" else value


def figure_words(figure: str, value: float | None) -> str:
    """A figure with its unit; "–" where there is none."""
    if value is None:
        return "–"
    return {"speedup": f"{value:.2f}×", "tokens_per_pass": f"{value:.2f}", "alpha": f"{value:.0%}"}[figure]


def table_of(comparison: Comparison) -> list[dict[str, str]]:
    """Every row in words: the values of its axes, then its figures."""
    return [
        {
            **{AXES[axis].capitalize(): label(axis, row.at[axis]) for axis in comparison.varied},
            "Speedup": figure_words("speedup", row.speedup),
            "Timed pairs": "" if row.low is None or row.high is None else f"{row.low:.2f} to {row.high:.2f}",
            "Tokens a pass": figure_words("tokens_per_pass", row.tokens_per_pass),
            "α": figure_words("alpha", row.alpha),
            "Text": row.text or "–",
            "": row.why,
        }
        for row in comparison.rows
    ]


def conclusion(comparison: Comparison, figure: str) -> str:
    """The conclusion from the table about a figure, in a sentence or two."""
    finished, ranked = len(comparison.rows), _ranked(comparison.rows, figure)
    so_far = "" if finished == comparison.cells else f"So far, {finished} of {comparison.cells} runs. "
    if not ranked:
        return f"{so_far}There is no {FIGURES[figure].lower()} yet.{_missing(comparison, figure)}"
    (most, best), (least, worst) = ranked[0], ranked[-1]
    top, bottom, tied = _SENTENCES[figure]
    words = figure_words(figure, most)
    sentence = top.format(name=_cell_name(comparison, best), value=words)
    if figure == "speedup" and most <= 1:
        sentence = f"Nothing is faster than plain decoding: the best is {_cell_name(comparison, best)}, {words}"
    # A timed pair of another row was as fast as the best row's median, so that the order of the two is not known.
    close = [
        row
        for value, row in ranked[1:]
        if figure_words(figure, value) == words or (figure == "speedup" and (row.high or 0.0) >= most)
    ]
    if close:
        sentence += tied.format(names=_joined_names([_cell_name(comparison, row) for row in close]))
    if worst is not best and worst not in close:
        sentence += bottom.format(name=_cell_name(comparison, worst), value=figure_words(figure, least))
    return f"{so_far}{sentence}.{_best_of_each(comparison, figure)}{_missing(comparison, figure)}"


# For each figure: the best cell, the worst one, and those that may be as good.
_SENTENCES = {
    "speedup": ("The fastest is {name}: {value}", "; the slowest is {name}: {value}", ", and {names} may be as fast"),
    "tokens_per_pass": ("The most tokens a pass, {value}, come from {name}", "; the fewest, {value}, from {name}", " and {names}"),
    "alpha": ("The most guesses, {value}, are accepted at {name}", "; the fewest, {value}, at {name}", " and {names}"),
}  # fmt: skip


def _ranked(rows: Iterable[ComparisonRow], figure: str) -> list[tuple[float, ComparisonRow]]:
    """The rows that have a figure, each with it, the largest first."""
    found = [(value, row) for row in rows if (value := getattr(row, figure)) is not None]
    return sorted(found, key=lambda ranked: -ranked[0])


def _missing(comparison: Comparison, figure: str) -> str:
    """The number of cells without such a figure, by reason."""
    reasons = Counter(
        "nothing was guessed" if row.passes and figure != "speedup" else row.why.rstrip(".")
        for row in comparison.rows
        if getattr(row, figure) is None
    )
    return "".join(f" {count} of {comparison.cells} without: {why}." for why, count in reasons.items())


def _best_of_each(comparison: Comparison, figure: str) -> str:
    """For each value of the second axis, the best of the first; "" where one axis varies."""
    if len(comparison.varied) < MOST_AXES:
        return ""
    first, second = comparison.varied
    parts = []
    for value in comparison.varied[second]:
        if ranked := _ranked((row for row in comparison.rows if row.at[second] == value), figure):
            most, best = ranked[0]
            parts.append(f"{label(second, value)}: {label(first, best.at[first])} ({figure_words(figure, most)})")
    return f" Best {AXES[first]} for each {AXES[second]}: {', '.join(parts)}."


def _cell_name(comparison: Comparison, row: ComparisonRow) -> str:
    return " with ".join(label(axis, row.at[axis]) for axis in comparison.varied)


def _joined_names(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{len(names)} others"
    return " and ".join(names) if len(names) < 3 else f"{names[0]}, {names[1]} and {names[2]}"


# ------------------------------------------------------------------ files


def as_object(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values."""
    return {
        "schema": SCHEMA,
        "about": comparison.about,
        "cells": comparison.cells,
        "varied": {axis: list(values) for axis, values in comparison.varied.items()},
        "rows": [{**row.at, **{name: value for name, value in asdict(row).items() if name != "at"}} for row in comparison.rows],
        "conclusions": {figure: conclusion(comparison, figure) for figure in FIGURES},
    }  # fmt: skip


def as_json(comparison: Comparison) -> str:
    """The comparison as JSON text."""
    return json.dumps(as_object(comparison), indent=1, allow_nan=False)


def as_csv(comparison: Comparison) -> str:
    """One line for each row, with unrounded figures."""
    out = io.StringIO()
    columns = [*AXES, *(name for name in ComparisonRow.__slots__ if name != "at")]
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(as_object(comparison)["rows"])
    return out.getvalue()


def read(text: str) -> Comparison:
    """A comparison that `as_object` wrote."""
    fields = json.loads(text)
    rows = [ComparisonRow({axis: row.pop(axis) for axis in AXES}, **row) for row in fields["rows"]]
    return Comparison({axis: tuple(values) for axis, values in fields["varied"].items()}, tuple(rows), fields["cells"], fields["about"])  # fmt: skip


def example() -> Comparison:
    """The comparison that comes with the project: draft lengths on three kinds of text."""
    return read((ASSETS / "comparison.json").read_text(encoding="utf-8"))
