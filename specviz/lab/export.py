"""A sweep as files that leave the lab: CSV, JSON and one HTML page that needs no network; and two sweeps compared. No torch."""

import csv
import io
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from specviz.lab import charts
from specviz.lab.results import NO_SPEEDUP, SPEEDUP, Cell, Sweep, as_json, flat, value
from specviz.reporting.files import write_atomically
from specviz.reporting.markup import can_draw

_STYLE = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
_STYLE += "table{border-collapse:collapse}td,th{padding:.2rem .7rem;border-bottom:1px solid #ccc;text-align:left}"
_FORMULA = "=+-@\t\r"
"""A spreadsheet takes a cell that begins with one of these for a formula."""


def write_sweep(folder: Path, sweep: Sweep) -> list[Path]:
    """Save a sweep in this folder, each file completely or not at all; the page only where Plotly is installed. Returns the files."""
    texts = {"sweep.csv": as_csv(sweep), "sweep.json": json.dumps(as_json(sweep), indent=1, allow_nan=False) + "\n"}
    if can_draw():
        texts["sweep.html"] = page(f"specviz lab: {sweep.name}", charts.charts(sweep), notes(sweep), sweep.cells, sweep)
    for name, text in texts.items():
        write_atomically(folder / name, text)
    return [folder / name for name in texts]


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


def page(title: str, drawn: Sequence[Any], said: Sequence[str], cells: Sequence[Cell], sweep: Sweep) -> str:
    """One HTML file with charts, notes and the table."""
    pictures = "".join(
        chart.to_html(full_html=False, include_plotlyjs=index == 0, config={"displaylogo": False})
        for index, chart in enumerate(drawn)
    )
    items = "".join(f"<li>{escape(note)}</li>" for note in said)
    rows = [flat(cell, sweep.plan) for cell in cells]
    head = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else {}))
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_words(value))}</td>" for value in row.values()) + "</tr>" for row in rows
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1><ul>{items}</ul>{pictures}<table><tr>{head}</tr>{body}</table></body></html>\n"
    )


def notes(sweep: Sweep) -> list[str]:
    """Sentences on what was run, where, and what of it can be trusted."""
    plan = sweep.plan
    found = [
        f"{plan.models.pair or plan.models.target}, {plan.models.dtype}, {sweep.machine}; begun {sweep.created}.",
        f"{len(sweep.found)} of {len(sweep.tasks)} runs; each cell is {plan.repeats} pairs of runs of up to "
        f"{plan.settings.max_new_tokens} tokens, speculative and plain in turn, each alone and warm.",
    ]
    if any(cell.how == "replanned" for cell in sweep.cells):
        found.append(
            "Where a figure says so, its rounds are exact and its times priced: one plain run gives the rounds of every k, "
            "and measured costs of passes give their price. “Measure it” on the page, or `specviz lab measure`, runs such a cell."
        )
    if sweep.within is not None:
        found.append(f"Predicted within 10% of measured: {sweep.within:.0%} of the measured cells.")
    if sweep.decoding_share is not None:
        found.append(f"{sweep.decoding_share:.0%} of the time was decoding that counts.")
    if shaky := sum(cell.line is not None and not cell.line.trusted for cell in sweep.cells):
        found.append(f"{shaky} cells are not trusted: the machine was busy, or the timings do not agree.")
    if sweep.usual != SPEEDUP:
        found.append(NO_SPEEDUP)
    if stays := sum(cell.line is not None and bool(cell.why) for cell in sweep.cells):
        found.append(f"Cells that keep an earlier figure, because a newer measurement gave none: {stays}.")
    found += [f"Left out: {', '.join(cell.at)}. {cell.why}" for cell in sweep.cells if cell.line is None]
    return found


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


def _words(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return "–".join(_words(each) for each in value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple(_FORMULA)) else value
