"""Streamlit with a server that sends seldom, as one does whose machine is busy: run like `python -m streamlit`."""

import streamlit.runtime.runtime
from streamlit.web.cli import main

_SECONDS = 0.7

streamlit.runtime.runtime.MESSAGE_FLUSH_INTERVAL_SECS = _SECONDS
main(prog_name="streamlit")
