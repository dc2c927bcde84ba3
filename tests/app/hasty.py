"""Streamlit with engines that spend little time on timing a run again: run like `python -m app`."""

from app.__main__ import main
from specviz.serving import process
from tests.helpers.hasty import ENGINE

process.COMMAND = ENGINE
main(prog_name="streamlit")
