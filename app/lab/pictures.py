"""The charts of the lab on the page: those of the export, in the page's colours. Plotly itself is loaded only where one is drawn."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

_COLOURS = ("#4c5fd7", "#d9822b", "#2a9d6f", "#b0479e", "#8a6d3b", "#3f9fc4", "#c4453c", "#7a8b2d", "#6b6f7a")
_BAR = {"displayModeBar": False}
_ROW_PX, _AROUND_PX, _LEAST_PX, _MOST_PX = 44, 120, 200, 620
_MARK = "#e0218a"
"""The border of the chosen cell."""


def draw(figure: Any, key: str, alt: str, *, height: int, on_select: Callable[[], None] | None = None) -> None:
    """Draw a chart; with `on_select` its points can be clicked."""
    title = figure.layout.title.text
    figure.update_layout(
        template=None,
        height=height,
        margin={"l": 8, "r": 8, "t": 40 if title else 8, "b": 8},
        title={"text": title, "font": {"size": 15}},
        dragmode=False,
        colorway=_COLOURS,
    )
    figure.update_xaxes(fixedrange=True, automargin=True)
    figure.update_yaxes(fixedrange=True, automargin=True)
    if on_select is None:
        st.plotly_chart(figure, key=key, config=_BAR, alt=alt)
    else:
        st.plotly_chart(figure, key=key, config=_BAR, alt=alt, on_select=on_select, selection_mode="points")


def height_of(rows: int) -> int:
    """The height of a heat map with so many rows, in pixels."""
    return max(_LEAST_PX, min(_MOST_PX, rows * _ROW_PX + _AROUND_PX))


def mark(figure: Any, axes: Sequence[Sequence[str]], at: Sequence[str]) -> None:
    """Draw a border around the chosen cell of a heat map."""
    x, y = axes[-1].index(at[-1]), axes[0].index(at[0]) if len(axes) > 1 else 0
    figure.add_shape(type="rect", x0=x - 0.5, x1=x + 0.5, y0=y - 0.5, y1=y + 0.5, line={"color": _MARK, "width": 3})


def clicked(key: str) -> tuple[str, ...] | None:
    """The values of the axes of the point that was just clicked; None where none was."""
    state = st.session_state.get(key)
    points = state["selection"]["points"] if state else []
    if not points:
        return None
    data = points[0].get("customdata") or []
    values = [data[each] for each in sorted(data, key=int)] if isinstance(data, dict) else [*data]
    return tuple(str(value) for value in values[1:]) or None
