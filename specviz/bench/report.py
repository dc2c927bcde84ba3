"""The report as files: Markdown, JSON, and a page with charts where Plotly is installed."""

import json
from html import escape
from pathlib import Path
from typing import Any

from specviz.bench.results import Report, Result, as_json
from specviz.bench.tables import Table, notes, tables
from specviz.reporting import markup
from specviz.reporting.files import write_atomically
from specviz.reporting.markup import as_plain, table_row

TITLE = "specviz: the benchmark"
NAMES = ("bench.md", "bench.html", "bench.json")
_STYLE = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
_STYLE += "table{border-collapse:collapse}td,th{padding:.2rem .7rem;border-bottom:1px solid #ccc;text-align:left}"


def write_report(folder: Path, report: Report) -> list[Path]:
    """Save the report in this folder, each file completely or not at all, the page only where Plotly is installed; returns the files."""
    texts = {"bench.md": markdown(report), "bench.json": json.dumps(as_json(report), indent=1, allow_nan=False) + "\n"}
    if markup.can_draw():
        texts["bench.html"] = page(report)
    for name, text in texts.items():
        write_atomically(folder / name, text)
    return [folder / name for name in NAMES if name in texts]


def markdown(report: Report) -> str:
    """The notes and the tables as Markdown."""
    parts = [f"# {TITLE}", "", *(f"- {as_plain(note)}" for note in notes(report))]
    for table in tables(report):
        parts += [
            "",
            f"## {table.title}",
            "",
            table.caption,
            "",
            table_row(table.columns),
            table_row(["---"] * len(table.columns)),
        ]
        parts += [table_row(row) for row in table.rows]
    return "\n".join(parts) + "\n"


def page(report: Report) -> str:
    """One HTML file that needs no network: notes, charts and tables."""
    charts = [chart for result in report.results for chart in _charts(result)]
    drawn = [
        chart.to_html(full_html=False, include_plotlyjs=index == 0, config={"displaylogo": False})
        for index, chart in enumerate(charts)
    ]
    items = "".join(f"<li>{escape(note)}</li>" for note in notes(report))
    html_tables = "".join(_html(table) for table in tables(report))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{TITLE}</h1><ul>{items}</ul>{''.join(drawn)}{html_tables}</body></html>\n"
    )


def _charts(result: Result) -> list[Any]:
    found = [_rates(result), _curve(result), _waterfall(result)]
    if result.contexts:
        found.append(_contexts(result))
    return found


def _rates(result: Result) -> Any:
    """Tokens per second of each decoder on each prompt, with the spread over the repeats."""
    from plotly import graph_objects

    titles = [row.title for row in result.prompts]
    figure = graph_objects.Figure()
    for name in result.prompts[0].rates:
        rates = [row.rates[name] for row in result.prompts]
        figure.add_bar(
            name=name,
            x=titles,
            y=[rate.median for rate in rates],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [rate.high - rate.median for rate in rates],
                "arrayminus": [rate.median - rate.low for rate in rates],
            },
        )
    return figure.update_layout(
        title=f"Tokens per second in {result.dtype}, including the prefill", yaxis={"title": "tokens per second"}
    )


def _curve(result: Result) -> Any:
    """The cost curve v(n), with its spread."""
    from plotly import graph_objects

    costs = list(result.v.values())
    figure = graph_objects.Figure()
    figure.add_scatter(
        name="v(n)",
        x=list(result.v),
        y=[cost.median for cost in costs],
        mode="lines+markers",
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [cost.high - cost.median for cost in costs],
            "arrayminus": [cost.median - cost.low for cost in costs],
        },
    )
    figure.add_hline(y=result.c.median, line_dash="dot", annotation_text=f"a draft pass, c = {result.c.median:.2f}")
    return figure.update_layout(
        title=f"Cost of a target pass over n tokens in {result.dtype}",
        xaxis={"title": "n", "type": "log", "tickvals": list(result.v)},
        yaxis={"title": "cost relative to a pass over one token", "rangemode": "tozero"},
    )


def _waterfall(result: Result) -> Any:
    """The ledger of the prompt with the median speedup."""
    from plotly import graph_objects

    ordered = sorted(result.prompts, key=lambda row: row.ledger.speedup)
    row = ordered[len(ordered) // 2]
    steps = row.ledger
    figure = graph_objects.Figure(
        graph_objects.Waterfall(
            x=["tokens per pass", "drafting", "longer verify pass", "overhead", "speedup"],
            y=[steps.tokens_per_pass, -steps.drafting, -steps.verification, -steps.overhead, steps.speedup],
            measure=["absolute", "relative", "relative", "relative", "total"],
            text=[
                f"{value:.2f}"
                for value in (
                    steps.tokens_per_pass,
                    -steps.drafting,
                    -steps.verification,
                    -steps.overhead,
                    steps.speedup,
                )
            ],
        )
    )
    return figure.update_layout(title=f"Where the speedup goes in {result.dtype}: {escape(row.title)}")


def _contexts(result: Result) -> Any:
    """Milliseconds per round over the length of the context."""
    from plotly import graph_objects

    figure = graph_objects.Figure()
    lengths = [row.context for row in result.contexts]
    for name, rounds in (
        ("plain round", [row.plain_round_s for row in result.contexts]),
        ("speculative round", [row.speculative_round_s for row in result.contexts]),
    ):
        figure.add_scatter(name=name, x=lengths, y=[seconds.median * 1e3 for seconds in rounds], mode="lines+markers")
    return figure.update_layout(
        title=f"Cost of a round after a long context in {result.dtype}",
        xaxis={"title": "tokens of context"},
        yaxis={"title": "milliseconds per round", "rangemode": "tozero"},
    )


def _html(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<h2>{escape(table.title)}</h2><p>{escape(table.caption)}</p><table><tr>{head}</tr>{rows}</table>"
