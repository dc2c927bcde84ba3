"""Whether the page teaches: it is shown to a room then, in large type."""

import streamlit as st

TEACH, NOTES = "teach", "notes"
_TALK, _PRESENT = "talk", "present"
"""Of links from earlier versions: to teach, without notes and with them."""


def on() -> bool:
    """Whether the page is shown to a room: `?teach=1` in its address."""
    return any(st.query_params.get(name) == "1" for name in (TEACH, _TALK, _PRESENT))


def notes() -> bool:
    """Whether it shows the presenter's notes too: `?notes=1`."""
    return on() and "1" in (st.query_params.get(NOTES), st.query_params.get(_PRESENT))


def switch(to: bool, *, notes: bool = False) -> None:
    """Begin or end to teach."""
    wanted = {TEACH: to, NOTES: to and notes, _TALK: False, _PRESENT: False}
    st.query_params.update({name: "1" if new else [] for name, new in wanted.items() if new or name in st.query_params})


def parameters() -> dict[str, str]:
    """The parameters with which another screen goes on to teach."""
    return {TEACH: "1", **({NOTES: "1"} if notes() else {})} if on() else {}
