"""Parts of a page that are polled while something that they show goes on."""

import logging
from collections.abc import Callable
from itertools import count

import streamlit as st

_TURNS = count()
_LOOKED_S = 2.0
_LOST = 3
"""So many looks without a poll, and the polls are lost: on a busy server both come late, so that seconds say nothing."""

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
