"""Room: the presenter's stage on everybody's phone, votes and prompts from the audience."""

from functools import partial

import streamlit as st

from app import resources, visitor
from app.room import parts
from app.room.acts import CODE, attempt, refusal
from app.room.presenter import presenter
from app.routes.addresses import base
from app.screens import strip
from app.text import plain
from specviz.errors import InputError

_TYPED = "_room_typed"
_DOOR = "The audience sees the presenter's stage on their phones, at the presenter's moment. They vote and send prompts. Nobody needs an account."


def screen() -> None:
    """The screen."""
    visitor.take_host_key()
    strip.apply(talk=False)
    st.html(parts.PAGE + parts.STYLE)
    if note := resources.rooms().note:
        st.info(note, icon=":material/info:")
    led = resources.rooms().led_by(visitor.person())
    typed = st.query_params.get(CODE, "")
    if led is not None and (not typed or typed == led.code):
        presenter(led)
    elif typed:
        _audience(typed)
    else:
        _door()


def _audience(typed: str) -> None:
    """Somebody in the audience has a page without this one's forms."""
    try:
        found = resources.rooms().find(typed, visitor.person(), visitor.origin())
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.query_params.pop(CODE, None)
        _door()
        return
    st.info(f"The room {found.code} is open on its own page.", icon=":material/co_present:")
    st.link_button("Go to the room", f"{base()}/join/{found.code}", icon=":material/login:", type="primary")


def _door() -> None:
    st.subheader("A room for a class or a talk", anchor=False)
    st.markdown(_DOOR)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        st.text_input("Code on the presenter's screen", key=_TYPED, max_chars=20, width=260, on_change=_join)
        st.button("Join", icon=":material/login:", on_click=_join)
        st.button("Open a room", icon=":material/co_present:", type="primary", on_click=_open)
    refusal()


def _join() -> None:
    if typed := st.session_state.get(_TYPED, "").strip():
        find = partial(resources.rooms().find, typed, visitor.person(), visitor.origin())
        attempt(lambda: st.query_params.update({CODE: find().code}))


def _open() -> None:
    open_ = partial(resources.rooms().open, visitor.person(), visitor.origin(), host=visitor.is_host())
    attempt(lambda: st.query_params.update({CODE: open_().code}))
