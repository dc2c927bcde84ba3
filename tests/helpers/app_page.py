"""A part of the page as a script of its own, run by Streamlit without a browser."""

from collections.abc import Callable, Mapping
from typing import Any

from streamlit.testing.v1 import AppTest

from app.state.page_state import KEY, PageState

NOWHERE: Mapping[str, str] = {}


def run(script: Callable[..., None], *given: Any, address: Mapping[str, str] = NOWHERE, **choices: Any) -> AppTest:
    """Its page when it has run, at an address and with choices that were made before; an exception of the script is an error."""
    page = AppTest.from_function(script, args=given, default_timeout=300)
    page.query_params |= dict(address)
    page.session_state[KEY] = PageState()
    state_of(page).form.values |= choices
    page.run()
    assert not page.exception
    return page


def state_of(page: AppTest) -> PageState:
    """What the page remembers."""
    state: PageState = page.session_state[KEY]
    return state
