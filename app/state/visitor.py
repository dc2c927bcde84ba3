"""The visitor of this page: who that is, whether the page is still open, and whether it is the host's."""

from collections.abc import Callable
from secrets import token_hex

import streamlit as st

from app.server import visitors
from specviz.serving import hosting

HOST_KEY, _IS_HOST, _PAGE, _NAMELESS = "host", "_is_host", "_page", "_nameless"


class _Page:
    """Checks, in any thread, whether a page is still open. It keeps its socket's name up to date: a lost connection comes back as another."""

    socket = ""

    def __call__(self) -> bool:
        return visitors.HERE.is_open(self.socket)


def watched() -> Callable[[], bool]:
    """A callback, the same one for all of this page, that checks whether it is still open; every rendering of the page asks for it."""
    page: _Page = st.session_state.setdefault(_PAGE, _Page())
    page.socket = st.context.headers.get(visitors.SOCKET, "")
    return page


def name() -> str:
    """Who asks: the same in all tabs of one browser."""
    return visitors.of(st.context.cookies.get(visitors.COOKIE, ""))


def person() -> str:
    """Who is here, for a room: the visitor; a browser without cookies is another person after every reload, and nobody in a classroom."""
    if hosting.current().classroom:
        return name()
    return name() or str(st.session_state.setdefault(_NAMELESS, token_hex(16)))


def origin() -> str:
    """From where this page was opened, as limits count it; "" where that is not known. Streamlit knows no address of this machine itself."""
    return visitors.HERE.address_of(name()) or visitors.network(st.context.ip_address or "")


def take_host_key() -> None:
    """Take the host's key from the address of the page, where it must not stay: the address is on the projector, and in links."""
    if given := st.query_params.get(HOST_KEY):
        st.query_params.pop(HOST_KEY)
        st.session_state[_IS_HOST] = hosting.current().is_host(given)


def is_host() -> bool:
    """Whether this visitor came with the host's key."""
    return bool(st.session_state.get(_IS_HOST))
