"""Actions of a presenter in a room: each is done, or a sentence says why not."""

from collections.abc import Callable

import streamlit as st

from app.classroom import rooms
from app.classroom.room import Room
from app.components.markdown import plain
from app.state.page_state import page_state
from specviz.errors import InputError


def attempt(what: Callable[[], object]) -> None:
    """Do it, or keep the sentence that says why it cannot be done."""
    page_state().room.refusal = ""
    try:
        what()
    except InputError as error:
        page_state().room.refusal = str(error)


def refusal() -> None:
    """Show why the last attempt failed, if it did."""
    if sentence := page_state().room.refusal:
        st.error(plain(sentence), icon=":material/error:")


def change(code: str, do: Callable[[Room, float], Room]) -> Room:
    """The room after a change, see `app.classroom.room`. Raises InputError if it cannot be done, with the reason."""
    return rooms.server_rooms().change(code, do)
