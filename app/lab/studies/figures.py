"""The charts of the studies: Plotly figures as pure functions of records. What other programs disturbed is drawn as busy, never as a figure."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from plotly import graph_objects

from app.lab.studies import point_names
from specviz.lab.best_k import BestK
from specviz.lab.charts import ink, spread
from specviz.lab.frontier import DraftCandidate
from specviz.lab.guests import Best, Surface
from specviz.lab.service import ADAPTIVE, OFF, ON, ROUTED, Served
from specviz.lab.strip import KindOfText
from specviz.reporting.figures import Figure
from specviz.reporting.player import wording
from specviz.reporting.terminal import visible

BLUE, ORANGE, GREEN, PURPLE, GREY = "#4c5fd7", "#d9822b", "#2a9d6f", "#b0479e", "#7d8592"
_ABOVE = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}
"""The legend above the chart: beside it a phone has no room."""
_HIGHEST = 1.2
"""The upper end of the axis of α: above 1 there is room for names."""
_CHEAP, _DEAR = (0xE9, 0xED, 0xFB), (0x26, 0x37, 0x9B)
"""The two ends of the colours of costs."""
_MODES = {
    OFF: (GREY, "dot", "circle"),
    ON: (BLUE, "solid", "square"),
    ADAPTIVE: (GREEN, "dash", "diamond"),
    ROUTED: (ORANGE, "dashdot", "triangle-up"),
}


def _line_at_one(figure: Any) -> None:
    figure.add_hline(y=1, line_dash="dot", line_color=GREY)


def best_k(best: BestK) -> Any:
    """Speedup by draft length: the prediction as a line, measurements as points with their spread, the cost-aware policy as a level."""
    figure = graph_objects.Figure()
    ks = sorted({*best.predicted, *best.measured})
    known = [k for k in ks if k in best.predicted]
    if best.costs is None or best.costs.trusted:
        figure.add_scatter(
            name="predicted",
            x=[str(k) for k in known],
            y=[best.predicted[k] for k in known],
            mode="lines",
            line={"color": ORANGE, "width": 3},
            hovertemplate="k = %{x}<br>predicted %{y:.2f}×<extra></extra>",
        )
    trusted = [k for k in ks if k in best.measured and best.measured[k].trusted]
    rows = [best.measured[k] for k in trusted]
    figure.add_scatter(
        name="measured",
        x=[str(k) for k in trusted],
        y=[row.speedup.median for row in rows],
        mode="markers",
        marker={"color": BLUE, "size": 12},
        error_y={**spread([row.speedup for row in rows]), "color": BLUE, "thickness": 2},
        customdata=[
            f"k = {k}<br>{row.speedup.median:.2f}× measured ({row.speedup.low:.2f}–{row.speedup.high:.2f})<br>"
            f"{row.accepted} of {row.judged} checked tokens accepted"
            for k, row in zip(trusted, rows, strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    busy = {k for k in best.measured if not best.measured[k].trusted}
    aware = best.cost_aware
    if aware is not None and aware.trusted:
        level = aware.speedup.median
        figure.add_scatter(
            name=f"cost-aware length, {level:.2f}×",
            x=[str(k) for k in ks],
            y=[level] * len(ks),
            mode="lines",
            line={"color": GREEN, "dash": "dash", "width": 2},
            hovertemplate=f"cost-aware length: {level:.2f}× measured<extra></extra>",
        )
    _line_at_one(figure)
    return figure.update_layout(
        xaxis={
            "title": "draft length k",
            "type": "category",
            "categoryarray": [str(k) for k in ks],
            "tickvals": [str(k) for k in ks],
            "ticktext": [f"{k}<br>busy" if k in busy else str(k) for k in ks],
            "range": [-0.5, len(ks) - 0.5],
        },
        yaxis={"title": "speedup; plain decoding is 1", "rangemode": "tozero"},
        legend=_ABOVE,
    )


def acceptance(rows: Sequence[KindOfText]) -> Any:
    """α of each kind of text as a bar, with its interval as whiskers."""
    figure = graph_objects.Figure()
    figure.add_bar(
        x=[each.alpha for each in rows],
        y=[f"{escape(each.name)} {each.alpha:.2f}" for each in rows],
        orientation="h",
        marker={"color": BLUE},
        error_x={
            **spread([Figure(each.alpha, each.low, each.high) for each in rows]),
            "color": ORANGE,
            "thickness": 2.5,
            "width": 6,
        },
        customdata=[
            f"{escape(each.name)}<br>α {each.alpha:.2f} ({each.low:.2f}–{each.high:.2f}) over {len(each.strip):,} positions"
            for each in rows
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    return figure.update_layout(xaxis={"title": "α, the acceptance rate", "range": [0, 1.02]}, showlegend=False)


def rejected(rows: Sequence[tuple[str, float]]) -> Any:
    """Tokens that are proposed in vain, the most frequent at the top."""
    figure = graph_objects.Figure()
    names = [escape(visible(text)) or "(part of a character)" for text, _ in rows]
    figure.add_bar(
        x=[times for _, times in rows],
        y=[*range(len(rows))],
        orientation="h",
        marker={"color": ORANGE},
        customdata=names,
        hovertemplate="“%{customdata}”: %{x:.1f} times expected<extra></extra>",
    )
    return figure.update_layout(
        xaxis={"title": "times that it is expected to be rejected", "rangemode": "tozero"},
        yaxis={"tickvals": [*range(len(rows))], "ticktext": names, "autorange": "reversed"},
        showlegend=False,
    )


def cost_surface(surface: Surface) -> Any:
    """What a measured pass costs, in passes over one token of one guest, by guests and tokens of each."""
    guests = sorted({each.guests for each in surface.target})
    lengths = surface.lengths
    seconds = {(each.guests, each.tokens): each.seconds for each in surface.target}
    one = seconds.get((1, 1)) or min(seconds.values())
    table = [[seconds.get((b, n)) for b in guests] for n in lengths]
    most = math.log(max(1.01, max(seconds.values()) / one))
    shares = [[None if each is None else max(0.0, math.log(each / one)) / most for each in row] for row in table]
    figure = graph_objects.Figure(
        graph_objects.Heatmap(
            x=[str(b) for b in guests],
            y=[str(n) for n in lengths],
            z=shares,
            zmin=0,
            zmax=1,
            customdata=[
                [
                    "not measured" if each is None else f"{each * 1e3:.2f} ms, {each / one:.2f} passes of one"
                    for each in row
                ]
                for row in table
            ],
            hovertemplate="%{x} guests, %{y} tokens of each<br>%{customdata}<extra></extra>",
            colorscale=[[0, f"rgb{_CHEAP}"], [1, f"rgb{_DEAR}"]],
            showscale=False,
            xgap=2,
            ygap=2,
        )
    )
    known = [
        (str(b), str(n), f"<span style='color:{ink(_ground(share))}'>{each / one:.1f}</span>")
        for n, row, far in zip(lengths, table, shares, strict=True)
        for b, each, share in zip(guests, row, far, strict=True)
        if each is not None and share is not None
    ]
    figure.add_scatter(
        x=[x for x, _, _ in known],
        y=[y for _, y, _ in known],
        text=[words for _, _, words in known],
        mode="text",
        hoverinfo="skip",
        showlegend=False,
    )
    return figure.update_layout(
        xaxis={"title": "guests in the batch", "type": "category"},
        yaxis={"title": "tokens of each", "type": "category"},
    )


def _ground(share: float) -> str:
    """The colour at this share of the way from the cheapest to the dearest pass."""
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for low, high in zip(_CHEAP, _DEAR, strict=True))


def guests(lines: Mapping[str, Sequence[Best]], off: int | None) -> Any:
    """Speedup at the best k by guests, a line for each kind of text; the number of guests from which on speculation is switched off."""
    figure = graph_objects.Figure()
    looks = ((BLUE, "solid", 4), (GREEN, "dash", 2), (ORANGE, "dot", 2))
    for (name, rows), (colour, dash, width) in zip(lines.items(), looks, strict=False):
        figure.add_scatter(
            name=escape(name),
            x=[row.guests for row in rows],
            y=[row.speedup for row in rows],
            mode="lines",
            line={"color": colour, "dash": dash, "width": width},
            customdata=[row.k for row in rows],
            hovertemplate="%{x} guests: %{y:.2f}× at k = %{customdata}, calculated<extra>" + escape(name) + "</extra>",
        )
    _line_at_one(figure)
    if off is not None:
        figure.add_vline(x=off, line_dash="dash", line_color=PURPLE)
        figure.add_annotation(
            x=off,
            y=1,
            yref="paper",
            text=f"switch off from {off}",
            showarrow=False,
            xanchor="left",
            xshift=6,
            yanchor="top",
        )
    return figure.update_layout(
        xaxis={"title": "guests in the batch", "rangemode": "tozero"},
        yaxis={"title": "speedup; plain decoding is 1", "rangemode": "tozero"},
        legend=_ABOVE,
    )


def server(rows: Sequence[Served], what: str) -> Any:
    """Latency or throughput of the simulated server against the arrival rate, a line for each way to serve.

    Args:
        what: "latency_s" or "tokens_per_s".
    """
    figure = graph_objects.Figure()
    unit = "s" if what == "latency_s" else "tokens a second"
    for mode, (colour, dash, symbol) in _MODES.items():
        those = [row for row in rows if row.mode == mode]
        figure.add_scatter(
            name=mode,
            x=[row.rate for row in those],
            y=[getattr(row, what) for row in those],
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 3},
            marker={"symbol": symbol, "size": 9},
            customdata=[f"{row.guests:.1f} guests on average, {row.drafting:.0%} of the steps draft" for row in those],
            hovertemplate=f"{mode}: %{{y:.3g}} {unit} at %{{x:.3g}} requests a second<br>%{{customdata}}<br>simulated<extra></extra>",
        )
    title = "mean latency in seconds (simulated)" if what == "latency_s" else "tokens a second (simulated)"
    return figure.update_layout(
        xaxis={"title": "requests a second", "rangemode": "tozero"},
        yaxis={"title": title, "rangemode": "tozero"},
        legend=_ABOVE,
    )


def drafts(found: Sequence[DraftCandidate], levels: Mapping[str, Sequence[tuple[float, float]]]) -> Any:
    """Drafts as points, α over c, among lines of equal speedup at the best k; both ends named.

    Args:
        levels: none where the costs behind them cannot be trusted.
    """
    figure = graph_objects.Figure()
    placed = sorted(found, key=lambda each: each.c)
    least, most = (
        0.6 * min((each.c for each in placed), default=0.05),
        max(1.3, 1.3 * max((each.c for each in placed), default=1.0)),
    )
    names = [called(each.name) for each in placed]
    sides = point_names.places(
        [((math.log10(each.c / least)) / math.log10(most / least), each.alpha / _HIGHEST) for each in placed], names
    )
    for index, (label, line) in enumerate(levels.items()):
        points = [(c, alpha) for c, alpha in line if c >= least]
        if not points:
            continue
        figure.add_scatter(
            x=[c for c, _ in points],
            y=[alpha for _, alpha in points],
            mode="lines",
            line={"dash": "dot", "color": GREY, "width": 1.5 + 0.5 * index},
            hovertemplate=f"{label} at the best k, by the formula<extra></extra>",
            showlegend=False,
        )
        c, alpha = points[-1]
        figure.add_annotation(x=math.log10(c), y=alpha, text=label, showarrow=False, xanchor="left", xshift=4)
    looks = (
        ("pays", BLUE, "circle", [each for each in placed if each.measured is not None and each.verdict == "pays"]),
        (
            "does not pay",
            ORANGE,
            "diamond",
            [each for each in placed if each.measured is not None and each.verdict != "pays"],
        ),
        ("busy: c is no figure", GREY, "x", [each for each in placed if each.measured is None]),
    )
    for name, colour, symbol, those in looks:
        figure.add_scatter(
            name=name,
            x=[each.c for each in those],
            y=[each.alpha for each in those],
            text=[escape(called(each.name)) for each in those],
            mode="markers+text",
            textposition=[sides[placed.index(each)] for each in those],
            marker={"size": 12, "color": colour, "symbol": symbol},
            customdata=[_draft_words(each) for each in those],
            hovertemplate="%{text}<br>%{customdata}<extra></extra>",
            showlegend=bool(those),
        )
    ends = (
        (0, 0.04, "left", "bottom", "too weak: cheap,<br>but seldom right"),
        (1, 1, "right", "top", "too strong: right, but slow"),
    )
    for x, y, side, edge, words in ends:
        figure.add_annotation(
            x=x, y=y, xref="paper", yref="paper", xanchor=side, yanchor=edge, text=words, align="left", showarrow=False
        )
    return figure.update_layout(
        xaxis={
            "title": "c: a draft pass, in target passes",
            "type": "log",
            "range": [math.log10(least), math.log10(most)],
            "tickvals": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
        },
        yaxis={"title": "α: accepted / checked", "range": [0, _HIGHEST], "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1]},
        legend=_ABOVE,
    )


def called(name: str) -> str:
    """What people call a draft: a drafter's label, another draft of the family by its own name."""
    return wording.label(name.removeprefix("embedded-"))


def _draft_words(each: DraftCandidate) -> str:
    if each.measured is None:
        return f"α {each.alpha:.2f}; busy: no figure for c and the speedup"
    return (
        f"α {each.alpha:.2f}, c {each.c:.3f}: {each.verdict}<br>best k = {each.best_k} gives {each.speedup:.2f}× by the formula<br>"
        f"measured at the page's k: {each.measured:.2f}×"
    )
