"""The sweep that is open: its table as a heat map, the chosen cell, lines, predicted against measured, and another sweep beside it."""

from functools import partial
from typing import Any

import streamlit as st

from app import widget_state
from app.lab import cell, inputs, kept, pictures, words
from app.text import plain
from specviz.lab import charts, export
from specviz.lab.results import FIGURES, NO_SPEEDUP, SPEEDUP, Cell, Sweep, flat, predictions
from specviz.lab.store import Listed
from specviz.lab.tables import notes

_CHART_PX = 330
_COLUMN_PX, _BESIDE_PX = 50, 150
_PHONE = "@media (max-width: 640px) { .st-key-sweep-table { overflow-x: auto; } .st-key-sweep-table :is([data-testid='stFullScreenFrame'], [data-testid='stPlotlyChart']) { min-width: %dpx; } }"
"""On a phone a wide table is scrolled sideways, so that its words do not run into each other."""
_MOST_REASONS = 3
_AGAINST = "_sweep_against"


def show(sweep: Sweep, listed: tuple[Listed, ...]) -> None:
    """The open sweep."""
    at = cell.chosen(sweep)
    if said := words.conclusion(sweep):
        st.markdown(f"#### {plain(said)}")
    figure = _figure(sweep)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _table(sweep, at, figure)
    with right:
        cell.panel(sweep)
    if sweep.found:
        with st.container(key="sweep-more"):
            _more(sweep, figure)
            _against(sweep, listed, figure)


def _figure(sweep: Sweep) -> str:
    """By which figure the sweep is shown, and the cells without a trusted speedup measured again."""
    if sweep.usual != SPEEDUP:
        st.info(NO_SPEEDUP, icon=":material/timer_off:")

    def row(now: str, **bound: Any) -> str:
        chosen = st.segmented_control(
            "Figure",
            FIGURES,
            default=now,
            required=True,
            format_func=str.capitalize,
            label_visibility="collapsed",
            **bound,
        )
        return chosen or sweep.usual

    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        figure = widget_state.show(f"_sweep_figure {sweep.name}", sweep.usual, row)
        if sweep.untrusted:
            st.button(
                "Measure the busy cells again",
                key="sweep-busy",
                icon=":material/timer:",
                help=f"All cells whose speedup is not trusted, runs: {len(sweep.untrusted):,}. Close other programs first.",
                on_click=cell.measure,
                args=(sweep.name, sweep.untrusted),
                disabled=kept.driver().standing(sweep.name) is not None,
            )
    return figure


def _table(sweep: Sweep, at: tuple[str, ...], shown: str) -> None:
    """The heat map, and what its marks mean."""
    axes = [axis.values for axis in sweep.plan.axes]
    figure = charts.heat_map(sweep, shown)
    if at:
        pictures.mark(figure, axes, at)
    key = f"heat-{sweep.name}"
    rows = len(axes[0]) if len(axes) > 1 else 1
    alt = f"{shown.capitalize()} by {' and '.join(axis.name for axis in sweep.plan.axes)}; the figures are in the table below."
    with st.container(key="sweep-table"):
        st.html(f"<style>{_PHONE % (len(axes[-1]) * _COLUMN_PX + _BESIDE_PX)}</style>")
        pictures.draw(figure, key, alt, height=pictures.height_of(rows), on_select=partial(_click, key, sweep.name))
    st.caption(words.legend(sweep.cells, len(_places(sweep)), shown))
    for why, places in _reasons(sweep):
        st.caption(plain(f"Left out: {places}. {why}"))


def _reasons(sweep: Sweep) -> list[tuple[str, str]]:
    """Why cells were left out, and which, the most frequent reasons first."""
    by_reason: dict[str, list[str]] = {}
    for each in sweep.cells:
        if each.line is None:
            by_reason.setdefault(each.why, []).append(cell.words(each.at, sweep))
    often = sorted(by_reason.items(), key=lambda one: -len(one[1]))[:_MOST_REASONS]
    return [
        (why, "; ".join(at[:_MOST_REASONS]) + (f" and {len(at) - 3} more" if len(at) > _MOST_REASONS else ""))
        for why, at in often
    ]


def _places(sweep: Sweep) -> set[tuple[str, ...]]:
    return {task.at for task in sweep.tasks}


def _click(key: str, name: str) -> None:
    if (at := pictures.clicked(key)) is not None:
        widget_state.put(cell.choice(name), at)


def _more(sweep: Sweep, figure: str) -> None:
    """The charts below, and every figure as a table."""
    left, right = st.columns(2, gap="medium")
    with left:
        _lines(sweep, figure)
    with right:
        if predictions(sweep):
            alt = "Predicted speedup of every measured cell against the measured one."
            chart = charts.predicted_against_measured(sweep)
            chart.update_layout(title_text="Predicted against measured", xaxis_title_text="predicted speedup")
            pictures.draw(chart, f"predicted-{sweep.name}", alt, height=_CHART_PX)
            st.caption(words.predicted(sweep))
        else:
            st.caption(
                "Predicted against measured is drawn for cells that were measured, and whose figures are trusted."
            )
    with st.expander("Every cell in figures"):
        st.dataframe([_row(each, sweep) for each in sweep.cells], hide_index=True, placeholder="–")
    for note in notes(sweep)[:2]:
        st.caption(plain(note))


def _lines(sweep: Sweep, shown: str) -> None:
    """A figure along the first axis, speedups with their spread."""
    if not charts.has_lines(sweep):
        st.caption("Lines are drawn where the second axis has few values.")
        return
    figure = charts.lines_with_spread(sweep, shown)
    key = f"lines-{sweep.name}"
    alt = f"{shown.capitalize()} by {sweep.plan.axes[0].name}."
    pictures.draw(figure, key, alt, height=_CHART_PX, on_select=partial(_click, key, sweep.name))
    if shown == SPEEDUP:
        st.caption("A bar goes from the lowest to the highest figure of a cell; a calculated one has none.")


def _row(each: Cell, sweep: Sweep) -> dict[str, object]:
    """A cell in figures; a speedup that is not trusted is none."""
    row = flat(each, sweep.plan)
    if each.line is not None and not each.line.trusted:
        row |= dict.fromkeys(("speedup", "speedup_spread", "with_prompt"))
    return {name: _shown(value) for name, value in row.items()}


def _shown(value: object) -> object:
    if isinstance(value, list):
        return "–".join(f"{each:.2f}" for each in value)
    return round(value, 3) if isinstance(value, float) else value


def _against(sweep: Sweep, listed: tuple[Listed, ...], figure: str) -> None:
    """Another sweep over the same axes, cell by cell."""
    axes = tuple(axis.name for axis in sweep.plan.axes)
    others = [each.name for each in listed if each.axes == axes and each.name != sweep.name and each.done]
    if not others:
        return
    meaning = "another sweep over the same axes"
    name = inputs.choice(_AGAINST, "Compare with", others, None, placeholder=meaning, width=360)
    if name not in others:
        return
    other = kept.sweep(name)
    found = export.comparison(sweep, other, figure)
    if not found["cells"]:
        st.info("The two sweeps have no cell in common: they have other values.", icon=":material/info:")
        return
    alt = f"{figure.capitalize()} of {sweep.name} and {name}, side by side."
    pictures.draw(charts.compared(sweep, other, figure), f"compared-{sweep.name}", alt, height=_CHART_PX)
    rows = [
        {
            "cell": ", ".join(row["at"]),
            sweep.name: round(row["first"], 2) if row["trusted"] else None,
            name: round(row["second"], 2) if row["trusted"] else None,
            "second / first": None if row["second_over_first"] is None else round(row["second_over_first"], 2),
            "how": " / ".join(dict.fromkeys(row["how"]))
            if row["trusted"]
            else "no figure: busy, or nothing was drafted",
        }
        for row in found["cells"]
    ]
    st.dataframe(rows, hide_index=True, placeholder="–")
