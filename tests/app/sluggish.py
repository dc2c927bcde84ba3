"""Streamlit with a server that sends seldom, as one does whose machine is busy: run like `python -m streamlit`."""

from streamlit.runtime import runtime
from streamlit.web.cli import main

_SECONDS = 0.7

runtime.MESSAGE_FLUSH_INTERVAL_SECS = _SECONDS  # type: ignore[attr-defined]
main(prog_name="streamlit")
