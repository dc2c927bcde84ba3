"""Lab: one question each, answered with real runs on this machine. Its sections are listed in `app.lab.sections`."""

from typing import Any

import streamlit as st

from app import request_form, session, widget_state
from app.lab.sections import SECTIONS, name_of
from app.screens import shared, strip

_LOOK = """<style>
.st-key-lab [data-testid="stCaptionContainer"] { color: inherit; opacity: 1; }
.st-key-lab [data-testid="stCaptionContainer"] p { color: color-mix(in srgb, currentColor 82%, transparent); }
.st-key-lab .js-plotly-plot :is(.xtick, .ytick, .g-gtitle, .g-xtitle, .g-ytitle, .cbaxis, .cbtitle, .legend, .point) text,
.st-key-sweep-more .js-plotly-plot .annotation text { fill: currentColor !important; }
</style>"""
"""Captions and the words around charts have the ink of the text, in both themes."""


def screen() -> None:
    """The screen: one row of sections, and the one that is chosen."""
    shared.sidebar()
    strip.apply(teach=False)
    known = {name_of(label): label for label in SECTIONS}
    usual = next(iter(known))
    with st.container():
        chosen = _row(known, usual)
    with st.container():
        shared.problem()
    st.html(_LOOK)
    with st.container(key="lab"):
        SECTIONS[known.get(chosen, known[usual])]()
    session.write_address()


def _row(known: dict[str, str], usual: str) -> str:
    """The row of sections; returns the name of the one that is chosen. A row with one button is left out."""
    if len(known) < 2:
        return usual

    def row(now: str, **bound: Any) -> str:
        chosen = st.segmented_control(
            "Section of the Lab",
            [*known],
            default=now if now in known else usual,
            required=True,
            format_func=known.__getitem__,
            label_visibility="collapsed",
            **bound,
        )
        return chosen or usual

    return widget_state.show(request_form.SECTION, usual, row)
