"""What a first visit begins with, above the stage of Watch: the same text written twice, from a recorded run."""

from typing import Final

import streamlit as st

from app import saved, session, teaching
from app.component import component
from app.screens import learn
from specviz.reporting.player.scripts import given, script, style

VISITED: Final = "specviz_visited"
"""The cookie of a browser that has closed it."""
RECORDING: Final = "letter.json"
"""A shipped recording whose text everybody could finish. A browser gets it once, for the opening and for the stage."""
_DUEL, _NEWCOMER, _CHOSEN = "duel", "_newcomer", "_duel_chosen"
_WHY = "checking"
"""The lesson that answers why it works."""

_recorded_at = saved.read_shipped(RECORDING)["recorded_at"]
_duel = component(_DUEL, script=script(_DUEL), style=style(_DUEL), html="<div class='stage duel'></div>")


def greet() -> None:
    """Show it where a first visit begins on the page's plain address, until it is closed or something runs. It never comes later in a visit."""
    chosen = st.session_state.pop(_CHOSEN, None)
    watching = session.screen() == session.WATCH
    plain = watching and not st.query_params and session.job() is None and not st.context.cookies.get(VISITED)
    plain = plain and session.at_root()  # elsewhere Streamlit's own dialog says that there is no such page
    newcomer = st.session_state.setdefault(_NEWCOMER, plain) and session.job() is None
    st.session_state[_NEWCOMER] = newcomer and chosen is None
    if chosen == "why":
        learn.open_lesson(_WHY)
    with st.container():  # also an empty one, so that nothing below is another element once it is gone
        if st.session_state[_NEWCOMER] and watching and not teaching.on():
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


def _choose() -> None:
    st.session_state[_CHOSEN] = st.session_state[_DUEL].get("way")
