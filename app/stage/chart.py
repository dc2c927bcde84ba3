"""The charts of Runs (speedup per prompt) and of Compare, in plain values: Plotly itself is only loaded where one is drawn."""

from typing import Any

from app.stage.visit import VisitRun
from specviz.comparison import results
from specviz.reporting.player import wording
from specviz.reporting.player.provenance import busy, spread
from specviz.reporting.run_figures import Figures

_COUNTED = ("k", "temperature")  # the axes of Compare whose values are numbers
COLOURS = ("#4c5fd7", "#d9822b", "#2a9d6f", "#b0479e", "#8a6d3b", "#3f9fc4")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star")
_TITLE = 26
_APART, _ROOM = 0.12, 0.8
"""The distance between the marks of two series at one prompt, and the width of all of them, in steps from prompt to prompt."""


def short(prompt: str) -> str:
    """A prompt as one short line."""
    line = " ".join(prompt.split())
    return line if len(line) <= _TITLE else line[: _TITLE - 1] + "…"


def series(run: VisitRun) -> str:
    """Runs of one series share a colour and a mark."""
    warm = run.settings.temperature
    parts = [
        wording.drafter(run.pair, run.settings),
        f"k = {run.settings.k}",
        f"temperature {warm:g}" if warm else "",
    ]
    return ", ".join([*filter(None, parts), *wording.extras(run.settings)])


def speedups(runs: list[VisitRun]) -> dict[str, Any]:
    """One mark per run, one colour and shape per drafter and k, the range of the timed pairs, a line at 1."""
    prompts = list(dict.fromkeys(run.prompt for run in runs))
    names = list(dict.fromkeys(series(run) for run in runs))
    apart = min(_APART, _ROOM / max(1, len(names)))
    traces = [
        _series(name, i, apart * (i - (len(names) - 1) / 2), [run for run in runs if series(run) == name], prompts)
        for i, name in enumerate(names)
    ]
    return {
        "data": traces,
        "layout": layout([no_markup(short(prompt)) for prompt in prompts], "speedup over plain", "×"),
    }


def layout(places: list[str], title: str, suffix: str = "", *, against_plain: bool = True) -> dict[str, Any]:
    """The axes of a chart whose size and places do not depend on how many marks are there; `against_plain` adds the line of plain decoding."""
    line = {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": 1,
        "y1": 1,
        "line": {"dash": "dash", "color": "#7d8592"},
        "label": {"text": "1×: as fast as plain", "textposition": "end", "yanchor": "top"},
    }
    return {
        "height": 290,
        "margin": {"l": 48, "r": 12, "t": 12, "b": 40},
        "hovermode": "closest",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "showlegend": True,
        "xaxis": {
            "tickmode": "array",
            "tickvals": list(range(len(places))),
            "ticktext": places,
            "range": [-0.6, max(len(places), 3) - 0.4],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        "yaxis": {"title": {"text": title}, "ticksuffix": suffix, "rangemode": "tozero", "fixedrange": True},
        "shapes": [line] * against_plain,
    }  # fmt: skip


def _series(name: str, index: int, beside: float, runs: list[VisitRun], prompts: list[str]) -> dict[str, Any]:
    figures = [run.figures for run in runs if run.figures is not None]
    middle = [run_figures.speedup for run_figures in figures]
    pairs = [[*run_figures.speedups, run_figures.speedup or 0.0] for run_figures in figures]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": no_markup(name),
        "x": [prompts.index(run.prompt) + beside for run in runs],
        "y": middle,
        "marker": {
            "size": 13,
            "color": COLOURS[index % len(COLOURS)],
            "symbol": [_symbol(index, trusted=run_figures.trusted) for run_figures in figures],
        },
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [max(p) - (m or 0.0) for p, m in zip(pairs, middle, strict=True)],
            "arrayminus": [(m or 0.0) - min(p) for p, m in zip(pairs, middle, strict=True)],
            "thickness": 1.5,
        },
        "text": [f"Run {run.number}: {no_markup(short(run.prompt))}<br>{_said(run.figures)}" for run in runs],
        "hovertemplate": "%{text}<br>%{y:.2f}×<extra>%{fullData.name}</extra>",
    }


def _symbol(series: int, *, trusted: bool) -> str:
    """Hollow where the speedup is not trusted."""
    symbol = SYMBOLS[(series + series // len(COLOURS)) % len(SYMBOLS)]
    return symbol if trusted else f"{symbol}-open"


def no_markup(text: str) -> str:
    """Plotly reads a few tags and entities in its texts: none comes from a prompt."""
    return text.replace("&", "＆").replace("<", "‹").replace(">", "›").replace("%{", "% {")


def _said(figures: Figures | None) -> str:
    """How a speedup was measured, in a sentence."""
    words = busy(figures)
    return f"{words[0].upper()}{words[1:]}." if words else spread(figures) or "Timed once."


def short_value(axis: str, value: str) -> str:
    """A value of an axis of Compare: a number as it is, a name by its label."""
    return value if axis in _COUNTED else results.label(axis, value)


def comparison_chart(table: results.Comparison, figure: str) -> dict[str, Any]:
    """The figure of every row: a mark for a number, a bar for a name; one series for each value of the other axis."""
    along = min(table.varied, key=lambda axis: (axis not in _COUNTED, axis != "k", -len(table.varied[axis])))
    second = next((axis for axis in table.varied if axis != along), None)
    names = [
        short_value(along, value) if along == "temperature" else results.label(along, value)
        for value in table.varied[along]
    ]
    title, suffix = ("speedup over plain", "×") if figure == "speedup" else (results.FIGURES[figure].lower(), "")
    axes = layout([no_markup(name) for name in names], title, suffix, against_plain=figure == "speedup")
    marks = [
        _bars(table, figure, along, second, value, number)
        for number, value in enumerate(table.varied[second] if second else [""])
    ]
    return {"data": marks, "layout": {**axes, "barmode": "group", "showlegend": second is not None}}


def _bars(
    table: results.Comparison, figure: str, along: str, second: str | None, value: str, number: int
) -> dict[str, Any]:
    rows = [row for row in table.rows if getattr(row, figure) is not None and (not second or row.at[second] == value)]
    words = [
        f"{results.label(along, row.at[along])}: {results.figure_words(figure, getattr(row, figure))}" for row in rows
    ]
    series: dict[str, Any] = {
        "type": "bar",
        "name": no_markup(results.label(second, value)) if second else results.FIGURES[figure],
        "x": [table.varied[along].index(row.at[along]) for row in rows],
        "y": [getattr(row, figure) for row in rows],
        "marker": {"color": COLOURS[number % len(COLOURS)]},
        "hovertext": [no_markup(word) for word in words],
        "hovertemplate": "%{hovertext}<extra>%{fullData.name}</extra>",
    }
    if along in _COUNTED:
        series |= {"type": "scatter", "mode": "lines+markers"}
        series["marker"] |= {"size": 10, "symbol": SYMBOLS[number % len(SYMBOLS)]}
    if figure == "speedup":
        ends = [(row.low or 0.0, row.speedup or 0.0, row.high or 0.0) for row in rows]
        above, below = [high - at for _, at, high in ends], [at - low for low, at, _ in ends]
        series["error_y"] = {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.5}
    return series
