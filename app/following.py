"""Parts of a page that are rendered again when what they show has changed: the browser hears of it by an event, and asks for the part."""

import hmac
import logging
from collections.abc import Callable
from hashlib import sha256
from secrets import token_hex
from weakref import WeakValueDictionary

import streamlit as st

from app import visitor
from app.bell import Bell
from app.component import component
from app.routes.addresses import base
from specviz.reporting.player.scripts import script

_SECRET = token_hex(32)
_known: WeakValueDictionary[str, Bell] = WeakValueDictionary()
_AFTER_RERUN = "The fragment with id %s does not exist anymore"

_component = component("follow", script=script("follow"), style="", html="<span hidden></span>")


def _is_news(record: logging.LogRecord) -> bool:
    """Not that a part was asked for that a rerun of its page has just replaced: that can happen with every rerun, and is no fault."""
    return not str(record.msg).startswith(_AFTER_RERUN)


logging.getLogger("streamlit.runtime.app_session").addFilter(_is_news)


def followed(draw: Callable[[], None], bell: Bell | None, key: str) -> None:
    """Render a part of the page here, and again whenever the bell has rung.

    Args:
        bell: None: just once.
        key: the part's name, another one for every part of a page.
    """

    def part() -> None:
        rung = 0 if bell is None else bell.rung  # before it is drawn, so that nothing is missed
        draw()
        if bell is not None:
            _follow(key, _address(bell), rung)

    part.__qualname__ = f"part {key}"
    st.fragment(part)()


def whole_page() -> None:
    """What has the whole page rendered again where one of its parts is lost; called once by every page, outside of all parts."""
    _follow("page", "", 0)


def _follow(key: str, address: str, rung: int) -> None:
    data = {"address": address, "rung": rung}
    _component(key=f"follow-{key}", data=data, on_news_change=lambda: None, height="content")


def _address(bell: Bell) -> str:
    """Where this visitor's browser hears of it."""
    _known[bell.name] = bell
    return f"{base()}/bells/{bell.name}/events?key={_key(bell.name, visitor.name())}"


def rung_for(name: str, key: str, visitor: str) -> Bell | None:
    """The bell of an address, which is this visitor's; None otherwise."""
    return _known.get(name) if hmac.compare_digest(key.encode(), _key(name, visitor).encode()) else None


def _key(name: str, visitor: str) -> str:
    return hmac.new(_SECRET.encode(), f"{name} {visitor}".encode(), sha256).hexdigest()[:32]
