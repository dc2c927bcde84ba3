"""Addresses of earlier versions: each leads to where its content is now, with its parameters."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app import resources, teaching, visitor
from app.room.acts import CODE
from app.routes.addresses import base
from app.screens import runs
from app.text import plain
from specviz.errors import InputError


def pages(watch: StreamlitPage, audit: StreamlitPage) -> list[StreamlitPage]:
    """Hidden pages, by the addresses that links of before have. Watch is at the root; its name leads there too."""
    known: dict[str, Callable[[], None]] = {
        "watch": partial(_lead_to, watch, {}),
        "runs": partial(_lead_to, watch, {runs.LISTED: runs.NONE}),
        "zoo": partial(_lead_to, audit, {"part": "bugs"}),
        "bug-zoo": partial(_lead_to, audit, {"part": "bugs"}),
        "room": partial(_room, watch),
    }
    return [st.Page(there, title=f"To {path}", url_path=path, visibility="hidden") for path, there in known.items()]


def _lead_to(there: StreamlitPage, usual: Mapping[str, Any]) -> None:
    """Open another page with the same parameters, and with these where it has none of them."""
    given = st.query_params.to_dict()
    part = {} if "guess" in given else usual
    st.switch_page(there, query_params={**part, **given})


def _room(watch: StreamlitPage) -> None:
    """A presenter teaches; somebody of the audience gets the room's own page."""
    visitor.take_host_key()
    query = st.query_params.to_dict()
    typed = query.pop(CODE, "")
    led = resources.rooms().led_by(visitor.person())
    if not typed or (led is not None and led.code == typed):
        st.switch_page(watch, query_params={**query, teaching.TEACH: "1"})
    try:
        code = resources.rooms().find(typed, visitor.person(), visitor.origin()).code
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.info(f"The room {code} is open on its own page.", icon=":material/co_present:")
    st.link_button("Go to the room", f"{base()}/join/{code}", icon=":material/login:", type="primary")
