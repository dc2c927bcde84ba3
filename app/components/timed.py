"""Parts of a page that are rendered again every so often (`st.fragment(run_every=…)`)."""

import logging

import streamlit as st

LIVE_S = 0.5  # seconds between two reruns of a part that shows the progress of a job
ROOM_S = 1.0  # seconds between two reruns of what a presenter sees of the audience
_AFTER_RERUN = "The fragment with id %s does not exist anymore"


def _is_fault(record: logging.LogRecord) -> bool:
    """False for a fragment that a rerun of its page has just replaced: that can happen with every rerun, and is no fault."""
    return not str(record.msg).startswith(_AFTER_RERUN)


logging.getLogger("streamlit.runtime.app_session").addFilter(_is_fault)


@st.fragment(run_every=86_400)
def rerun_after_reconnect() -> None:
    """Streamlit (1.67) reruns a page after a lost connection only if it has a timed fragment; called once by every page."""
