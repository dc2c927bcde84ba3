"""The lab's charts: Plotly figures as pure functions of records. A figure that is not trusted is drawn as a gap, and says so when hovered."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from specviz.lab.ledger import Ledger
from specviz.lab.results import ALPHA, HOW, SPEEDUP, TOKENS, Cell, Found, Sweep, predictions, value
from specviz.lab.rows import mean_of
from specviz.reporting.figures import Figure

LOOK = {"template": "plotly_white", "margin": {"t": 60}}
_SCALE = ("#8c3b00", "#d9822b", "#f4d9b4", "#f6f4ee", "#c3cdf3", "#6a7fdc", "#26379b")
"""From slower than plain decoding to faster; the middle is as fast."""
_BUSY, _LEFT_OUT = "#b9bec8", "#e4e1d9"
"""The grounds of cells without a figure."""
_EMPTY = "rgba(125, 133, 146, 0.14)"
"""Of those that were not made yet."""
_TOTAL, _LOSS, _GAIN = "#4c5fd7", "#d9822b", "#2a9d6f"
"""What there is, what it costs, and a cost that is a gain."""
_LINE = "#7d8592"
_TICKS = (0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20)
_LEAST_REACH = math.log2(1.25)
_INKS = ("#14171f", "#ffffff")
_LEAST_ROWS = 4
"""Beside fewer rows there is no room for the scale."""
_MOST_LINES = 24
_MOST_WORDS = 400
"""Of more cells the figures stand in the hovering text only."""


def spread(figures: Sequence[Figure]) -> dict[str, Any]:
    """Bars from the lowest to the highest measurement."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [each.high - each.median for each in figures],
        "arrayminus": [each.median - each.low for each in figures],
    }


def charts(sweep: Sweep) -> list[Any]:
    """Every chart that a sweep has: the table as a heat map where it has two axes, lines, the prediction, and a ledger. Where no speedup is
    trusted, table and lines show an exact figure."""
    found = [heat_map(sweep, sweep.usual)] if len(sweep.plan.axes) > 1 else []
    if has_lines(sweep):
        found.append(lines_with_spread(sweep, sweep.usual))
    if predictions(sweep):
        found.append(predicted_against_measured(sweep))
    if steps := middle_ledger(sweep):
        found.append(waterfall(*steps))
    return found


def heat_map(sweep: Sweep, figure: str = SPEEDUP) -> Any:
    """The figure of every cell, of one axis as a single row. Of speedups 1 is the middle of the colours, which go by doublings.

    A cell that is not trusted, or was left out, has a grey ground and a word. The points over the cells are what a pointer meets; the data
    beside each is its words and its values of the axes.
    """
    from plotly import graph_objects

    axes = sweep.plan.axes
    columns, rows = axes[-1], axes[0].values if len(axes) > 1 else ("",)
    by_place = {cell.at: cell for cell in sweep.cells}
    places = [[(row, column) if row else (column,) for column in columns.values] for row in rows]
    table = [[by_place.get(at) for at in line] for line in places]
    scaled = [[_scaled(cell, figure) for cell in line] for line in table]
    least = {SPEEDUP: _LEAST_REACH, TOKENS: 2.0, ALPHA: 1.0}[figure]
    reach = max([least, *(abs(each) for line in scaled for each in line if each is not None)])
    low, colours = _range(figure, reach)
    ticks = [tick for tick in _TICKS if abs(_log(tick)) <= reach]
    scale = {"tickvals": [_log(tick) for tick in ticks], "ticktext": [f"{tick:g}×" for tick in ticks]}
    x, y = [escape(value) for value in columns.values], [escape(row) for row in rows]
    grounds = [[ground(cell, reach, figure) for cell in line] for line in table]
    chart = graph_objects.Figure(
        graph_objects.Heatmap(
            x=x,
            y=y,
            z=scaled,
            text=[[_short(cell, figure) for cell in line] for line in table],
            zmin=low,
            zmax=reach,
            colorscale=[[index / (len(colours) - 1), colour] for index, colour in enumerate(colours)],
            colorbar={
                "title": {"text": figure.replace(" ", "<br>")},
                "thickness": 10,
                "outlinewidth": 0,
                **(scale if figure == SPEEDUP else {}),
            },
            showscale=len(rows) >= _LEAST_ROWS,
            hoverinfo="skip",
            xgap=2,
            ygap=2,
        )
    )
    for colour, shown in ((_BUSY, _BUSY), (_LEFT_OUT, _LEFT_OUT), ("", _EMPTY)):
        chart.add_heatmap(
            x=x,
            y=y,
            z=[[1 if each == colour else None for each in line] for line in grounds],
            colorscale=[[0, shown], [1, shown]],
            showscale=False,
            hoverinfo="skip",
            xgap=2,
            ygap=2,
        )
    chart.add_scatter(
        x=[column for _ in y for column in x],
        y=[row for row in y for _ in x],
        mode="markers",
        marker={"size": 24, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=[
            [_words(cell), *at]
            for line, ats in zip(table, places, strict=True)
            for cell, at in zip(line, ats, strict=True)
        ],
        hovertemplate="%{customdata[0]}<extra></extra>",
        showlegend=False,
    )
    if len(x) * len(y) <= _MOST_WORDS:
        for i, line in enumerate(table):
            for j, cell in enumerate(line):
                colour = grounds[i][j]
                chart.add_annotation(
                    x=j,
                    y=i,
                    text=_short(cell, figure),
                    showarrow=False,
                    font={"color": ink(colour) if colour else None, "size": 13},
                )
    return chart.update_layout(
        title=f"{_title(figure)}: {escape(sweep.name)}",
        xaxis={"title": columns.name, "type": "category", "showgrid": False},
        yaxis={
            "title": axes[0].name if len(axes) > 1 else "",
            "type": "category",
            "autorange": "reversed",
            "showgrid": False,
        },
        hoverdistance=-1,
        **LOOK,
    )


def ground(cell: Cell | None, reach: float, figure: str = SPEEDUP) -> str:
    """The colour under a cell; "" for one that was not made, which has none.

    Args:
        reach: how far the colours go: of speedups from 1, in doublings.
    """
    if cell is None:
        return ""
    scaled = _scaled(cell, figure)
    if scaled is None:
        return _LEFT_OUT if cell.line is None else _BUSY
    least, colours = _range(figure, reach)
    along = min(1.0, max(0.0, (scaled - least) / (reach - least))) * (len(colours) - 1)
    low = min(int(along), len(colours) - 2)
    one, other = _channels(colours[low]), _channels(colours[low + 1])
    mixed = (round(a + (b - a) * (along - low)) for a, b in zip(one, other, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _range(figure: str, reach: float) -> tuple[float, tuple[str, ...]]:
    """The lower end of the colours, and the colours: a count has no middle, so that it needs one half of them."""
    return (-reach, _SCALE) if figure == SPEEDUP else (1.0 if figure == TOKENS else 0.0, _SCALE[len(_SCALE) // 2 :])


def _scaled(cell: Cell | None, figure: str) -> float | None:
    found = value(cell, figure)
    return _log(found) if figure == SPEEDUP and found is not None else found


def _title(figure: str) -> str:
    return "Speedup over plain decoding" if figure == SPEEDUP else figure.capitalize()


def _log(speed: float) -> float:
    """Doublings: half as fast is as far from 1 as twice as fast."""
    return math.log2(max(speed, 1e-3))


def ink(colour: str) -> str:
    """The ink that is read best on a ground: of dark and white, one always has a contrast of 4.5 at least."""
    return max(_INKS, key=lambda each: contrast(each, colour))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21, as WCAG defines it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (each / 255 for each in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def has_lines(sweep: Sweep) -> bool:
    """Whether the lines can be told apart: a sweep with many values on its second axis has too many."""
    return len(sweep.plan.axes) == 1 or len(sweep.plan.axes[1].values) <= _MOST_LINES


def lines_with_spread(sweep: Sweep, figure: str = SPEEDUP) -> Any:
    """A figure along the first axis, a line for each value of the second; bars from the lowest to the highest speedup."""
    from plotly import graph_objects

    chart = graph_objects.Figure()
    axes, cells_of = sweep.plan.axes, sweep.cells
    for name in axes[1].values if len(axes) > 1 else ("",):
        cells = [cell for cell in cells_of if cell.at[1:] in ((name,), ())]
        known = [(cell, each) for cell in cells if (each := value(cell, figure)) is not None]
        chart.add_scatter(
            name=escape(name) or figure,
            x=[escape(cell.at[0]) for cell, _ in known],
            y=[each for _, each in known],
            mode="lines+markers",
            customdata=[[_words(cell), *cell.at] for cell, _ in known],
            hovertemplate="%{customdata[0]}<extra></extra>",
            error_y=spread([cell.line.speedup for cell, _ in known if cell.line]) if figure == SPEEDUP else None,
        )
    if figure != ALPHA:
        chart.add_hline(
            y=1, line_dash="dot", line_color=_LINE, annotation_text="plain decoding", annotation_position="bottom left"
        )
    return chart.update_layout(
        title=f"{figure.capitalize()} by {axes[0].name}",
        xaxis={
            "title": axes[0].name,
            "type": "category",
            "categoryarray": [escape(value) for value in axes[0].values],
            "range": [-0.5, len(axes[0].values) - 0.5],
        },
        yaxis={"title": _title(figure).lower(), "rangemode": "tozero"},
        **LOOK,
    )


def predicted_against_measured(sweep: Sweep) -> Any:
    """Every measured cell: what the costs of passes predict, and what was measured; on the diagonal they are equal."""
    from plotly import graph_objects

    pairs = predictions(sweep)
    most = 1.1 * max((value for pair in pairs for value in pair), default=1.0)
    share = "" if sweep.within is None else f": {sweep.within:.0%} of {len(pairs)} cells within 10%"
    figure = graph_objects.Figure()
    figure.add_scatter(
        name="equal", x=[0, most], y=[0, most], mode="lines", line={"dash": "dot", "color": "grey"}, hoverinfo="skip"
    )
    figure.add_scatter(name="cells", x=[one for one, _ in pairs], y=[other for _, other in pairs], mode="markers")
    return figure.update_layout(
        title=f"Predicted against measured{share}",
        xaxis={"title": "predicted speedup: these rounds at the measured costs of passes", "range": [0, most]},
        yaxis={"title": "measured speedup", "range": [0, most]},
        showlegend=False,
        **LOOK,
    )


def waterfall(title: str, steps: Ledger) -> Any:
    """The ledger: tokens per pass, minus what drafting, verification and the rest cost, is the speedup that is left."""
    from plotly import graph_objects

    values = [steps.tokens_per_pass, -steps.drafting, -steps.verification, -steps.overhead, steps.speedup]
    figure = graph_objects.Figure(
        graph_objects.Waterfall(
            x=["tokens per pass", "drafting", "verification", "rest", "speedup"],
            y=values,
            measure=["absolute", "relative", "relative", "relative", "total"],
            text=[f"{value or 0.0:.2f}".replace("-", "−") for value in values],
            textposition="outside",
            cliponaxis=False,
            totals={"marker": {"color": _TOTAL}},
            increasing={"marker": {"color": _GAIN}},
            decreasing={"marker": {"color": _LOSS}},
            connector={"line": {"color": _LINE, "width": 1}},
            hoverinfo="skip",
        )
    )
    most = max(1.0, steps.tokens_per_pass, steps.speedup, steps.tokens_per_pass - steps.drafting)
    return figure.update_layout(
        title=f"Where the speedup goes: {escape(title)}", yaxis={"range": [0, 1.18 * most]}, showlegend=False, **LOOK
    )


def mean_ledger(found: Iterable[Found]) -> tuple[int, Ledger] | None:
    """The mean ledger of the measured runs that are trusted, and of how many; None without one."""
    known = [each.ledger for each in found if each.ledger is not None and each.trusted]
    mean = mean_of(known)
    return None if mean is None else (len(known), mean)


def middle_ledger(sweep: Sweep) -> tuple[str, Ledger] | None:
    """The ledger of the measured run with the median speedup, and what run it is; None without one."""
    known = sorted(
        ((each.ledger.speedup, each.task, each.ledger) for each in sweep.found if each.ledger and each.trusted),
        key=lambda one: one[:2],
    )
    if not known:
        return None
    _, task, steps = known[len(known) // 2]
    return ", ".join(sweep.tasks[task].at), steps


def compared(one: Sweep, other: Sweep, figure: str = SPEEDUP) -> Any:
    """Two sweeps: a figure of the cells that both have, side by side."""
    from plotly import graph_objects

    chart = graph_objects.Figure()
    theirs = {cell.at for cell in other.cells}
    shared = [cell.at for cell in one.cells if cell.at in theirs]
    for sweep in (one, other):
        by_place = {cell.at: cell for cell in sweep.cells}
        chart.add_bar(
            name=escape(sweep.name),
            x=[escape(", ".join(at)) for at in shared],
            y=[value(by_place[at], figure) for at in shared],
            customdata=[_words(by_place[at]) for at in shared],
            hovertemplate="%{customdata}<extra></extra>",
        )
    if figure != ALPHA:
        chart.add_hline(y=1, line_dash="dot", line_color=_LINE)
    return chart.update_layout(
        title=f"{figure.capitalize()} of two sweeps", yaxis={"title": _title(figure).lower()}, **LOOK
    )


def _short(cell: Cell | None, figure: str) -> str:
    if cell is None:
        return ""
    found = value(cell, figure)
    if found is None:
        return "left<br>out" if cell.line is None else "busy" if figure == SPEEDUP else "–"
    return f"{'≈ ' if cell.how != 'measured' and figure == SPEEDUP else ''}{found:.2f}"


def _words(cell: Cell | None) -> str:
    """How a cell's figure came about, for its hovering text."""
    if cell is None:
        return "not measured yet"
    if cell.line is None:
        return escape(f"left out: {cell.why}")
    line, alpha = cell.line, "–" if cell.line.alpha is None else f"{cell.line.alpha:.2f}"
    speed = f"{line.speedup.median:.2f}× ({line.speedup.low:.2f}–{line.speedup.high:.2f})"
    trust = "" if line.trusted else "<br>not trusted: the machine was busy, or the timings do not agree"
    unlike = "".join(f"<br>{escape(sentence)}" for sentence in (*filter(None, [cell.why]), *line.uncaptured))
    places = escape(", ".join(cell.at))
    return (
        f"{places}<br>{speed}, α {alpha}, {line.tokens_per_pass:.2f} tokens per pass<br>{HOW[cell.how]}{trust}{unlike}"
    )
