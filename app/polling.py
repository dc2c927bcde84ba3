"""Parts of a page that are re-rendered by themselves: polled while a run or a load is live, or pushed when what they show has changed."""

import logging
from collections.abc import Callable, Hashable
from itertools import count

import streamlit as st

from app import resources
from app.streamlit_internals import here

_TURNS = count()
_LOOKED_S = 2.0
_LOST = 3
"""So many looks without a poll, and the polls are lost: on a busy server both come late, so that seconds say nothing."""
WAITING_S = 1.0
"""How often a part is polled while jobs of others are before the visitor's: nothing but the place in the line can change."""
FALLBACK_S = 6.0
"""How often a pushed part is checked without a push."""

_AFTER_RERUN = "The fragment with id %s does not exist anymore"


def _is_news(record: logging.LogRecord) -> bool:
    """Not that a part was polled that a rerun of its page has just replaced: that happens with every rerun, and is no fault."""
    return not str(record.msg).startswith(_AFTER_RERUN)


logging.getLogger("streamlit.runtime.app_session").addFilter(_is_news)


def polled(draw: Callable[[], None], seconds: float | None) -> None:
    """Render a part of the page here, and again every so many seconds until the next rerun of the page; None: just once.

    When a part is polled, Streamlit (1.67) drops all messages of this part that it has not sent yet, also those of a rerun of the page
    that it still reports as complete: the browser would then clear the part, and could fail on the next message for its inside.

    - The browser learns of the polls before it gets the content, so a poll can come while the page is still being sent. Therefore the
      content is a part within the polled part: messages of an inner part are kept when the outer one is polled.
    - Polls of the page as it was before are rejected: each rerun of the page gives the part another identity, which Streamlit takes
      from the function's name.

    When two reruns overlap, the earlier can end last and remove the later one's part from the list of what may be polled. A second
    part, empty and always the same, notices when polls stop coming, and reruns the page.
    """
    looks = 0

    def part() -> None:
        nonlocal looks
        draw()
        looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks >= _LOST:
            st.rerun()

    def polled_part() -> None:
        st.fragment(part)()

    part.__qualname__ = polled_part.__qualname__ = f"part {next(_TURNS)}"
    st.fragment(polled_part, run_every=seconds)()
    if seconds is not None:
        st.fragment(look, run_every=max(_LOOKED_S, seconds))()


def pushed(draw: Callable[[], None], topic: str, face: Callable[[], Hashable]) -> None:
    """Render a part of the page here, and again when something pushes its topic (`resources.pushes`).

    A push comes only when nothing of the page is being rendered or sent, so that nothing of it is lost. But a push itself can be: where
    two checks in a row find that the part still shows something old, the page is rerun.

    Args:
        face: what the part shows, to be compared; it is called in other threads too. Whoever calls it knows that the page is open.
    """
    shown: Hashable = None
    late = False

    def part() -> None:
        nonlocal shown, late
        if (found := here()) is not None:
            resources.pushes().shows(topic, found)
        shown, late = face(), False
        draw()

    def check() -> None:
        nonlocal late
        if face() == shown:
            late = False
        elif late:
            st.rerun()
        else:
            late = True

    part.__qualname__ = f"part {next(_TURNS)}"
    st.fragment(part)()
    check.__qualname__ = f"check {topic}"
    st.fragment(check, run_every=FALLBACK_S)()
