"""What a first visit begins with, above the stage of Watch: the same text written twice, from a recorded run."""

from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from app.components.component import component
from app.screens import learn
from app.stage import recordings
from app.state import language, session, teaching
from specviz.reporting.player.scripts import given, script, style

VISITED: Final = "specviz_visited"
"""The cookie of a browser that has closed it."""
RECORDING: Final = "letter.json"
"""A shipped recording whose text everybody could finish. A browser gets it once, for the opening and for the stage."""
_DUEL, _OPEN, _CHOSEN = "duel", "_opening", "_duel_chosen"
_FIRST, _AGAIN = "first", "again"
"""Why it is open."""
_WHY = "checking"
"""The lesson that answers why it works."""

_recorded_at = recordings.read_shipped(RECORDING)["recorded_at"]
_duel = component(_DUEL, script=script(_DUEL), style=style(_DUEL), html="<div class='stage duel'></div>")


def greet() -> None:
    """Show it where a first visit begins on the page's plain address, until it is closed or something runs; later only where it is asked for."""
    chosen = st.session_state.pop(_CHOSEN, None)
    watching = session.screen() == session.WATCH
    plain = (
        watching
        and not set(st.query_params) - {language.PARAMETER}
        and session.job() is None
        and not st.context.cookies.get(VISITED)
    )
    plain = plain and _at_root()  # elsewhere Streamlit's own dialog says that there is no such page
    now = st.session_state.setdefault(_OPEN, _FIRST if plain else "")
    if chosen is not None or (now == _FIRST and session.job() is not None):
        st.session_state[_OPEN] = ""
    if chosen == "why":
        learn.open_lesson(_WHY)
    with st.container():  # also an empty one, so that nothing below is another element once it is gone
        if shown():
            _duel(
                key=_DUEL,
                data={
                    "cookie": VISITED,
                    "recorded_at": _recorded_at,
                    "prompt_box": ".st-key-prompt-box textarea",
                    **given(),
                },
                on_way_change=_choose,
            )


def shown() -> bool:
    """Whether it is on the page."""
    return bool(st.session_state.get(_OPEN)) and session.screen() == session.WATCH and not teaching.on()


def button() -> None:
    """Shows it again."""
    if not shown():
        st.button(
            "The idea",
            key="opening",
            icon=":material/replay:",
            help="The same text written twice, in 15 seconds.",
            type="tertiary",
            on_click=st.session_state.update,
            args=({_OPEN: _AGAIN},),
        )


def _choose() -> None:
    st.session_state[_CHOSEN] = st.session_state[_DUEL].get("way")


def _at_root() -> bool:
    """Whether the page's address has no path but the server's own: Watch is also what a path that is no page opens."""
    root = str(st.get_option("server.baseUrlPath") or "")
    return urlsplit(st.context.url or "").path.strip("/") == root.strip("/")
