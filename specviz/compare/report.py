"""The comparison as files: Markdown, JSON, and a page with charts where Plotly is installed."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from specviz.compare.results import Comparison, Line, as_json, by_category, lines
from specviz.compare.tables import notes, tables
from specviz.reporting import markup
from specviz.reporting.files import write_whole
from specviz.reporting.markup import as_plain, table_row

TITLE = "specviz: drafters compared"
NAMES = ("compare.md", "compare.html", "compare.json")
_STYLE = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"


def write_report(folder: Path, comparison: Comparison) -> list[Path]:
    """Save the comparison in this folder, each file whole or not at all."""
    found = json.dumps(as_json(comparison), indent=1, allow_nan=False) + "\n"
    texts = {"compare.md": markdown(comparison), "compare.json": found}
    if markup.can_draw():
        texts["compare.html"] = page(comparison)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in NAMES if name in texts]


def markdown(comparison: Comparison) -> str:
    """The notes and the tables."""
    parts = [f"# {TITLE}", "", *(f"- {as_plain(note)}" for note in notes(comparison))]
    for table in tables(comparison):
        parts += ["", f"## {as_plain(table.title)}", "", table.says, "", table_row(table.columns)]
        parts += [table_row(["---", *["---:"] * (len(table.columns) - 1)]), *(table_row(row) for row in table.rows)]
    return "\n".join(parts) + "\n"


def page(comparison: Comparison) -> str:
    """One HTML file that needs no network: the speedups, and where each drafter stands between being right and being cheap."""
    charts = [_speedups(comparison), _places(lines(comparison.rows))]
    drawn = [
        chart.to_html(full_html=False, include_plotlyjs=place == 0, config={"displaylogo": False})
        for place, chart in enumerate(charts)
    ]
    said = "".join(f"<li>{escape(note)}</li>" for note in notes(comparison))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{TITLE}</h1>{''.join(drawn)}<ul>{said}</ul></body></html>\n"
    )


def _speedups(comparison: Comparison) -> Any:
    """A group of bars for each drafter, a bar for each category, with the spread."""
    from plotly import graph_objects

    figure = graph_objects.Figure()
    for category, each in by_category(comparison.rows).items():
        speeds = [line.speedup for line in each]
        figure.add_bar(
            name=escape(category),
            x=[line.drafter for line in each],
            y=[speed.median for speed in speeds],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [speed.high - speed.median for speed in speeds],
                "arrayminus": [speed.median - speed.low for speed in speeds],
            },
        )
    figure.add_hline(y=1, line_dash="dot", annotation_text="plain decoding")
    return figure.update_layout(
        title="Measured speedup", yaxis={"title": "times as fast as plain", "rangemode": "tozero"}
    )


def _places(group: Sequence[Line]) -> Any:
    """α over c: to the upper left is good; a drafter without either is not there."""
    from plotly import graph_objects

    known = [line for line in group if line.alpha is not None and line.c is not None]
    figure = graph_objects.Figure()
    figure.add_scatter(
        x=[line.c for line in known],
        y=[line.alpha for line in known],
        text=[line.drafter for line in known],
        mode="markers+text",
        textposition="top center",
        marker={"size": 12},
    )
    return figure.update_layout(
        title="How often it is right, and what it costs",
        xaxis={"title": "c: drafting a token over a plain pass", "rangemode": "tozero"},
        yaxis={"title": "α: accepted / judged", "range": [0, 1.1]},
    )
