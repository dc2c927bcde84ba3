"""A part of the page as a script of its own, run by Streamlit without a browser."""

from collections.abc import Callable, Mapping
from typing import Any

from streamlit.testing.v1 import AppTest

NOWHERE: Mapping[str, str] = {}


def run(script: Callable[..., None], *given: Any, address: Mapping[str, str] = NOWHERE, **state: Any) -> AppTest:
    """Its page when it has run, at an address and with what a visit has so far; an exception of the script is an error."""
    page = AppTest.from_function(script, args=given, default_timeout=300)
    page.query_params |= dict(address)
    for name, value in state.items():
        page.session_state[name] = value
    page.run()
    assert not page.exception
    return page
