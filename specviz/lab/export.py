"""A sweep as a report and as files that leave the lab, and two sweeps compared. No torch."""

import csv
import io
from typing import Any

from specviz.lab import charts
from specviz.lab.report import Report
from specviz.lab.results import SPEEDUP, Sweep, as_json, flat, value
from specviz.lab.tables import explanations, notes, tables

_FORMULA = "=+-@\t\r"
"""A spreadsheet takes a cell that begins with one of these for a formula."""


def report_of(sweep: Sweep, stem: str = "sweep", title: str = "", *, stored: bool = False) -> Report:
    """What is said of a sweep.

    Args:
        title: "" for its name.
        stored: as in `specviz.lab.tables.tables`.
    """
    return Report(
        stem=stem,
        title=title or f"specviz lab: {sweep.name}",
        tables=tables(sweep, stored=stored),
        notes=notes(sweep),
        value=as_json(sweep),
        charts=lambda: charts.charts(sweep),
        said=explanations(sweep),
        csv=as_csv(sweep),
    )


def as_csv(sweep: Sweep) -> str:
    """One line a cell; a spread is two columns, and no text can be taken for a formula."""
    out = io.StringIO()
    writer: Any = None
    for cell in sweep.cells:
        row = flat(cell, sweep.plan)
        low, high = row.pop("speedup_spread") or (None, None)
        row |= {"speedup_low": low, "speedup_high": high}
        if writer is None:
            writer = csv.DictWriter(out, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow({name: _harmless(value) for name, value in row.items()})
    return out.getvalue()


def comparison(one: Sweep, other: Sweep, figure: str = SPEEDUP) -> dict[str, Any]:
    """Two sweeps, cell by cell: the figures of those that both have, and their ratio where both are trusted."""
    theirs = {cell.at: cell for cell in other.cells}
    rows = []
    for cell in one.cells:
        match = theirs.get(cell.at)
        if match is None or cell.line is None or match.line is None:
            continue
        mine, yours = value(cell, figure), value(match, figure)
        both = mine is not None and yours is not None
        if figure == SPEEDUP:
            mine, yours = cell.line.speedup.median, match.line.speedup.median
        rows.append(
            {
                "at": list(cell.at),
                "first": mine,
                "second": yours,
                "second_over_first": yours / mine if both and mine and yours is not None else None,
                "trusted": both,
                "how": [cell.how, match.how],
            }
        )
    axes = [[axis.name for axis in sweep.plan.axes] for sweep in (one, other)]
    return {"first": one.name, "second": other.name, "axes": axes, "comparable": axes[0] == axes[1], "cells": rows}


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple(_FORMULA)) else value
