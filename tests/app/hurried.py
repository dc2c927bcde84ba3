"""Streamlit with an app whose runs have a very short time limit: run like `python -m streamlit`."""

from streamlit.web.cli import main

from app.jobs import Jobs

_SECONDS = 0.1

Jobs.__init__.__kwdefaults__["run_limit_s"] = _SECONDS  # type: ignore[index]
main(prog_name="streamlit")
