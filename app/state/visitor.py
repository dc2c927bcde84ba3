"""The visitor of this page: the browser, whether the page is still open, and whether it is the host's."""

from collections.abc import Callable
from secrets import token_hex

import streamlit as st

from app.server import visitors
from app.state import address
from app.state.page_state import page_state
from specviz.serving import hosting


class _OpenPage:
    """Checks, in any thread, whether a page is still open. It keeps its socket's name up to date: a lost connection comes back as another."""

    socket = ""

    def __call__(self) -> bool:
        return visitors.HERE.is_open(self.socket)


def watched() -> Callable[[], bool]:
    """A callback, the same one for all of this page, that checks whether it is still open; every rendering of the page calls this."""
    state = page_state()
    page = state.is_open if isinstance(state.is_open, _OpenPage) else _OpenPage()
    page.socket = st.context.headers.get(visitors.SOCKET, "")
    state.is_open = page
    return page


def name() -> str:
    """The id of the visitor: the same in all tabs of one browser; "" where it sends no cookie."""
    return visitors.of(st.context.cookies.get(visitors.COOKIE, ""))


def person() -> str:
    """The visitor as a room knows him; a browser without cookies is another person after every reload, and nobody in a classroom."""
    if hosting.current().classroom:
        return name()
    state = page_state()
    state.anonymous_id = state.anonymous_id or token_hex(16)
    return name() or state.anonymous_id


def origin() -> str:
    """From where this page was opened, as limits count it; "" where that is not known. Streamlit knows no address of this machine itself."""
    return visitors.HERE.address_of(name()) or visitors.network(st.context.ip_address or "")


def take_host_key() -> None:
    """Take the host's key from the address of the page, where it must not stay: the address is on the projector, and in links."""
    if key := address.parameter(address.HOST_KEY):
        address.change({address.HOST_KEY: ""})
        page_state().is_host = hosting.current().is_host(key)
