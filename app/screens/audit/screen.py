"""Audit: a game of finding the broken run, the bugs that engines have shipped, and an audit of the decoder that the page has chosen."""

import streamlit as st

from app.components.widgets import plain
from app.screens.audit import decoder, guess, place, zoo
from app.state.page_state import AUDIT_PART, widget_value

_PARTS = {
    place.GAME: ("Guess which one is broken", guess.screen),
    place.BUGS: ("Bug zoo", zoo.screen),
    place.DECODER: ("Audit your decoder", decoder.screen),
}


def screen() -> None:
    """The screen: a row of parts, and the one that is chosen."""
    part = place.part()
    key = f"{AUDIT_PART}-{part}"
    with st.container(key="audit-parts"):
        st.segmented_control(
            "Part of the audit",
            [*_PARTS],
            default=part,
            required=True,
            format_func=lambda name: _PARTS[name][0],
            label_visibility="collapsed",
            key=key,
            on_change=lambda: place.go(widget_value(key, part)),
        )
    with st.container():
        if sentence := place.refused():
            st.error(plain(sentence), icon=":material/error:")
        _PARTS[part][1]()
