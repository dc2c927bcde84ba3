"""The opening of a first visit, above the stage of Watch: the same text written twice, from a recorded run."""

from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from app.components.component import component
from app.screens import learn
from app.server.addresses import base
from app.stage import recordings
from app.state import address, choices, request_form, session, teaching
from app.state.page_state import DUEL, component_value, page_state, set_later
from specviz.reporting.player.scripts import given, script, style

VISITED: Final = "specviz_visited"  # the cookie of a browser that has closed it
RECORDING: Final = "letter.json"
"""A shipped recording whose text everybody could finish. A browser gets it once, for the opening and for the stage."""
_FIRST, _AGAIN, _CLOSED = "first", "again", ""  # why the opening is shown
_WHY = "editor"  # the lesson that answers why it works

_recorded_at = recordings.read_shipped(RECORDING)["recorded_at"]
_duel = component(DUEL, script=script(DUEL), style=style(DUEL), html="<div class='stage duel'></div>")


def greet() -> None:
    """Show it where a first visit begins on the page's plain address, until it is closed or something runs; later only where it is asked for."""
    state = page_state()
    choice, state.opening_choice = state.opening_choice, ""
    if state.opening is None:
        state.opening = _FIRST if _is_first_visit() else _CLOSED
    if choice or (state.opening == _FIRST and state.job is not None):
        state.opening = _CLOSED
    if choice == "why":
        learn.open_lesson(_WHY)
    with st.container():  # also an empty one, so that nothing below is another element once it is gone
        if shown():
            _duel(
                key=DUEL,
                data={
                    "cookie": VISITED,
                    "recorded_at": _recorded_at,
                    "prompt_box": ".st-key-prompt-box textarea",
                    **given(),
                },
                on_way_change=_choose,
            )


def shown() -> bool:
    """True if the opening is on the page."""
    return bool(page_state().opening) and page_state().screen == session.WATCH and not teaching.on()


def button() -> None:
    """Show the opening again."""
    if not shown():
        st.button(
            "The idea",
            key="opening",
            icon=":material/replay:",
            help="The same text written twice, in 15 seconds.",
            type="tertiary",
            on_click=set_later("opening", _AGAIN),
        )


def _choose() -> None:
    way = page_state().opening_choice = component_value(DUEL, "way") or "close"
    if way == "own":
        choices.put(request_form.OWN_PROMPT, True)


def _is_first_visit() -> bool:
    """True if a new visitor opens Watch at the server's plain address. A path that is no page opens Watch too; there Streamlit's own dialog says so."""
    plain = not set(address.parameters()) - {address.LANGUAGE} and page_state().screen == session.WATCH
    at_root = urlsplit(st.context.url or "").path.strip("/") == base().strip("/")
    return plain and at_root and page_state().job is None and not st.context.cookies.get(VISITED)
