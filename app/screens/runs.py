"""Runs: every run of this visit; any two open side by side on one clock."""

import streamlit as st

from app import session
from app.polling import polled
from app.race import lanes, tables
from app.race.mount import raceway
from app.screens import strip

_NOTHING_YET = "Nothing has run yet on this visit: press Run on Watch, or Race on Race, and come back."
_LIVE = "A run is still live: it is listed when it is over."
_POLL_S = 0.5


def screen() -> None:
    """The screen."""
    strip.apply(talk=False)
    if session.live():
        polled(_wait, _POLL_S)
    runs = session.visit().measured()
    st.subheader("Runs of this visit", anchor=False)
    if not runs and not session.live():
        st.info(_NOTHING_YET, icon=":material/list:")
    if not runs:
        return
    chosen = st.dataframe(
        tables.races(runs),
        key=session.TABLE,
        hide_index=True,
        column_config=tables.columns(),
        placeholder="–",
        selection_mode="multi-row",
        on_select="rerun",
        height=min(38 + 36 * len(runs), 330),
    ).selection.rows
    picked = [runs[index] for index in chosen if index < len(runs)]
    st.markdown(_say(len(picked)))
    if warning := tables.unlike(picked[:2] if len(picked) > 1 else runs):
        st.warning(warning, icon=":material/warning:")
    if picked:
        raceway(lanes.side_by_side(picked[:2]), key="runs-lanes")


def _say(picked: int) -> str:
    if picked == 0:
        return "Tick one run to replay it, or two to see them side by side on one clock."
    if picked == 1:
        return "Tick a second run to see both on one clock."
    return "Both on one clock." if picked == 2 else "Two at a time: the first two are shown."


def _wait() -> None:
    """Show that a run is live; list it when it is over."""
    st.caption(_LIVE)
    if not session.live():
        st.rerun()
