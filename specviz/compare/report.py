"""The comparison as files: Markdown, JSON, and a page with charts where Plotly is installed."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from specviz.compare.results import Comparison, Line, as_json, by_category, lines
from specviz.compare.tables import explanations, notes, tables, where_it_goes
from specviz.reporting import markup
from specviz.reporting.files import write_atomically
from specviz.reporting.markup import as_plain, table_row

TITLE = "specviz: drafters compared"
NAMES = ("compare.md", "compare.html", "compare.json")
_STYLE = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"


def write_report(folder: Path, comparison: Comparison) -> list[Path]:
    """Save the comparison in this folder, each file completely or not at all; returns the files."""
    object_text = json.dumps(as_json(comparison), indent=1, allow_nan=False) + "\n"
    texts = {"compare.md": markdown(comparison), "compare.json": object_text}
    if markup.can_draw():
        texts["compare.html"] = page(comparison)
    for name, text in texts.items():
        write_atomically(folder / name, text)
    return [folder / name for name in NAMES if name in texts]


def markdown(comparison: Comparison) -> str:
    """The notes and the tables as Markdown."""
    parts = [f"# {TITLE}", "", *(f"- {as_plain(note)}" for note in notes(comparison))]
    for table in (*tables(comparison), *where_it_goes(comparison)):
        parts += ["", f"## {as_plain(table.title)}", "", table.caption, "", table_row(table.columns)]
        parts += [table_row(["---", *["---:"] * (len(table.columns) - 1)]), *(table_row(row) for row in table.rows)]
    parts += ["", "## the drafters", "", *(f"- {as_plain(each)}" for each in explanations(comparison))]
    return "\n".join(parts) + "\n"


def page(comparison: Comparison) -> str:
    """One HTML file that needs no network: a chart of the speedups, a chart of α over c, and the notes."""
    charts = [_speedups(comparison), _alpha_over_c(lines(comparison.rows))]
    drawn = [
        chart.to_html(full_html=False, include_plotlyjs=index == 0, config={"displaylogo": False})
        for index, chart in enumerate(charts)
    ]
    items = "".join(f"<li>{escape(note)}</li>" for note in notes(comparison))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{TITLE}</h1>{''.join(drawn)}<ul>{items}</ul></body></html>\n"
    )


def _speedups(comparison: Comparison) -> Any:
    """Speedups as bars: a group for each drafter, a bar for each category, with the spread; none where it is not trusted."""
    from plotly import graph_objects

    figure = graph_objects.Figure()
    for category, each in by_category(comparison.rows).items():
        trusted = [line for line in each if line.trusted]
        speeds = [line.speedup for line in trusted]
        figure.add_bar(
            name=escape(category),
            x=[line.drafter for line in trusted],
            y=[speed.median for speed in speeds],
            hovertext=["<br>".join(escape(sentence) for sentence in line.uncaptured) for line in trusted],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [speed.high - speed.median for speed in speeds],
                "arrayminus": [speed.median - speed.low for speed in speeds],
            },
        )
    figure.add_hline(y=1, line_dash="dot", annotation_text="plain decoding")
    return figure.update_layout(
        title="Measured speedup", yaxis={"title": "speedup over plain decoding", "rangemode": "tozero"}
    )


def _alpha_over_c(group: Sequence[Line]) -> Any:
    """α over c; better drafters are further to the upper left. Drafters without α or c are left out."""
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
        title="Acceptance rate and cost of each drafter",
        xaxis={"title": "c: time to draft a token / time of a plain pass", "rangemode": "tozero"},
        yaxis={"title": "α: accepted / judged", "range": [0, 1.1]},
    )
