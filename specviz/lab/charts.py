"""The lab's charts: Plotly figures as pure functions of records. A figure that is not trusted is drawn as a gap, and says so when hovered."""

from collections.abc import Sequence
from html import escape
from typing import Any

from specviz.bench.ledger import Ledger
from specviz.lab.results import HOW, Cell, Sweep, predictions

_LOOK = {"template": "plotly_white", "margin": {"t": 60}}


def charts(sweep: Sweep) -> list[Any]:
    """Every chart that a sweep has: the table as a heat map where it has two axes, lines, the prediction, and a ledger."""
    found = [heat_map(sweep)] if len(sweep.plan.axes) > 1 else []
    found.append(lines_with_spread(sweep))
    if predictions(sweep):
        found.append(predicted_against_measured(sweep))
    if steps := middle_ledger(sweep):
        found.append(waterfall(*steps))
    return found


def heat_map(sweep: Sweep) -> Any:
    """The speedup of every cell of two axes; 1 is the middle of the colours."""
    from plotly import graph_objects

    rows, columns = sweep.plan.axes
    by_place = {cell.at: cell for cell in sweep.cells}
    table = [[by_place.get((row, column)) for column in columns.values] for row in rows.values]
    figure = graph_objects.Figure(
        graph_objects.Heatmap(
            x=[escape(value) for value in columns.values],
            y=[escape(value) for value in rows.values],
            z=[[_speed(cell) for cell in line] for line in table],
            text=[[_short(cell) for cell in line] for line in table],
            customdata=[[_words(cell) for cell in line] for line in table],
            texttemplate="%{text}",
            hovertemplate="%{customdata}<extra></extra>",
            colorscale="RdBu",
            zmid=1,
            colorbar={"title": "speedup"},
            hoverongaps=True,
        )
    )
    return figure.update_layout(
        title=f"Speedup over plain decoding: {escape(sweep.name)}",
        xaxis={"title": columns.name, "type": "category"},
        yaxis={"title": rows.name, "type": "category"},
        **_LOOK,
    )


def lines_with_spread(sweep: Sweep) -> Any:
    """Speedup along the first axis, a line for each value of the second; bars from the lowest to the highest figure."""
    from plotly import graph_objects

    figure = graph_objects.Figure()
    axes = sweep.plan.axes
    for value in axes[1].values if len(axes) > 1 else ("",):
        cells = [cell for cell in sweep.cells if cell.at[1:] in ((value,), ())]
        known = [(cell, speed) for cell in cells if (speed := _speed(cell)) is not None and cell.line is not None]
        figure.add_scatter(
            name=escape(value) or "speedup",
            x=[cell.at[0] for cell, _ in known],
            y=[speed for _, speed in known],
            mode="lines+markers",
            customdata=[_words(cell) for cell, _ in known],
            hovertemplate="%{customdata}<extra></extra>",
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [cell.line.speedup.high - speed for cell, speed in known if cell.line],
                "arrayminus": [speed - cell.line.speedup.low for cell, speed in known if cell.line],
            },
        )
    figure.add_hline(y=1, line_dash="dot", annotation_text="plain decoding")
    return figure.update_layout(
        title=f"Speedup by {axes[0].name}",
        xaxis={"title": axes[0].name, "type": "category", "categoryarray": list(axes[0].values)},
        yaxis={"title": "speedup over plain decoding", "rangemode": "tozero"},
        **_LOOK,
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
        **_LOOK,
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
            text=[f"{value:.2f}" for value in values],
        )
    )
    return figure.update_layout(title=f"Where the speedup goes: {escape(title)}", **_LOOK)


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


def compared(one: Sweep, other: Sweep) -> Any:
    """Two sweeps: the speedups of the cells that both have, side by side."""
    from plotly import graph_objects

    figure = graph_objects.Figure()
    shared = [cell.at for cell in one.cells if cell.at in {cell.at for cell in other.cells}]
    for sweep in (one, other):
        by_place = {cell.at: cell for cell in sweep.cells}
        figure.add_bar(
            name=escape(sweep.name),
            x=[escape(", ".join(at)) for at in shared],
            y=[_speed(by_place[at]) for at in shared],
            customdata=[_words(by_place[at]) for at in shared],
            hovertemplate="%{customdata}<extra></extra>",
        )
    figure.add_hline(y=1, line_dash="dot", annotation_text="plain decoding")
    return figure.update_layout(title="Speedup of two sweeps", yaxis={"title": "speedup"}, **_LOOK)


def acceptance(rows: Sequence[tuple[str, float, float, float]]) -> Any:
    """α of each kind of text with its interval.

    Args:
        rows: name, α, and the lower and the upper end.
    """
    from plotly import graph_objects

    figure = graph_objects.Figure()
    figure.add_scatter(
        x=[escape(name) for name, *_ in rows],
        y=[alpha for _, alpha, _, _ in rows],
        mode="markers",
        marker={"size": 11},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [high - alpha for _, alpha, _, high in rows],
            "arrayminus": [alpha - low for _, alpha, low, _ in rows],
        },
    )
    return figure.update_layout(
        title="Acceptance by kind of text", yaxis={"title": "α, with its 95% interval", "range": [0, 1.05]}, **_LOOK
    )


def frontier(
    drafts: Sequence[tuple[str, float, float]], levels: Sequence[tuple[str, Sequence[tuple[float, float]]]]
) -> Any:
    """Drafts as points, α over c, among lines of equal speedup at the best k.

    Args:
        drafts: name, c and α.
        levels: a label and the points (c, α) of each line.
    """
    from plotly import graph_objects

    figure = graph_objects.Figure()
    for label, points in levels:
        figure.add_scatter(
            name=label,
            x=[c for c, _ in points],
            y=[alpha for _, alpha in points],
            mode="lines",
            line={"dash": "dot"},
            hoverinfo="name",
        )
    figure.add_scatter(
        name="drafts",
        x=[c for _, c, _ in drafts],
        y=[alpha for _, _, alpha in drafts],
        text=[escape(name) for name, *_ in drafts],
        mode="markers+text",
        textposition="top center",
        marker={"size": 12},
    )
    return figure.update_layout(
        title="How good a draft is, and what it costs",
        xaxis={"title": "c: a draft pass, in target passes", "rangemode": "tozero"},
        yaxis={"title": "α: accepted / judged", "range": [0, 1.05]},
        **_LOOK,
    )


def _speed(cell: Cell | None) -> float | None:
    return cell.line.speedup.median if cell is not None and cell.line is not None and cell.line.trusted else None


def _short(cell: Cell | None) -> str:
    if cell is None:
        return ""
    speed = _speed(cell)
    if speed is None:
        return "–" if cell.line is None else "busy"
    return f"{'≈ ' if cell.how != 'measured' else ''}{speed:.2f}"


def _words(cell: Cell | None) -> str:
    """How a cell's figure came about, for its hovering text."""
    if cell is None:
        return "not measured yet"
    if cell.line is None:
        return escape(f"left out: {cell.why}")
    line, alpha = cell.line, "–" if cell.line.alpha is None else f"{cell.line.alpha:.2f}"
    speed = f"{line.speedup.median:.2f}× ({line.speedup.low:.2f}–{line.speedup.high:.2f})"
    trust = "" if line.trusted else "<br>not trusted: the machine was busy, or the timings do not agree"
    places = escape(", ".join(cell.at))
    return f"{places}<br>{speed}, α {alpha}, {line.tokens_per_pass:.2f} tokens per pass<br>{HOW[cell.how]}{trust}"
