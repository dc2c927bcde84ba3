"""Streamlit with engines that spend little time on timing a run again: run like `python -m streamlit`."""

from streamlit.web.cli import main

from specviz.serving import process
from tests.helpers.hasty import ENGINE

process.COMMAND = ENGINE
main(prog_name="streamlit")
