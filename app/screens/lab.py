"""Lab: questions answered with real runs on this machine. They are listed in `app.lab.sections`."""

import streamlit as st

from app import request_form, session, widget_state
from app.lab.sections import TABS, tab_of
from app.screens import shared

_LOOK = """<style>
.st-key-lab [data-testid="stCaptionContainer"] { color: inherit; opacity: 1; }
.st-key-lab [data-testid="stCaptionContainer"] p { color: color-mix(in srgb, currentColor 82%, transparent); }
.st-key-lab .js-plotly-plot :is(.xtick, .ytick, .g-gtitle, .g-xtitle, .g-ytitle, .cbaxis, .cbtitle, .legend, .point) text,
.st-key-sweep-more .js-plotly-plot .annotation text { fill: currentColor !important; }
</style>"""
"""Captions and the words around charts have the ink of the text, in both themes."""


def screen() -> None:
    """The screen: a row of tabs, and the question of the one that is chosen."""
    shared.sidebar()
    usual = next(iter(TABS["Sweeps"]))
    now = widget_state.value(request_form.SECTION, usual)
    tab = tab_of(now)
    with st.container(horizontal=True, gap="medium"):
        _row("Tab of the Lab", {next(iter(known)): words for words, known in TABS.items()}, next(iter(TABS[tab])), now)
        if len(TABS[tab]) > 1:
            _row("Question", {name: words for name, (words, _) in TABS[tab].items()}, now, now)
    widget_state.note(request_form.SECTION, usual)
    with st.container():
        shared.problem()
    st.html(_LOOK)
    with st.container(key="lab"):
        TABS[tab].get(now, TABS[tab][next(iter(TABS[tab]))])[1]()
    session.write_address()


def _row(label: str, known: dict[str, str], chosen: str, now: str) -> None:
    """A row of buttons, of which one is pressed; another one opens its question."""
    key = f"{label}-{now}"
    st.segmented_control(
        label,
        [*known],
        default=chosen if chosen in known else next(iter(known)),
        required=True,
        format_func=known.__getitem__,
        label_visibility="collapsed",
        key=key,
        on_change=lambda: widget_state.put(request_form.SECTION, st.session_state[key]),
    )
