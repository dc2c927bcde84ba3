"""Parts of a page that are re-rendered by themselves while a run or a load is live."""

from collections.abc import Callable
from itertools import count
from time import monotonic

import streamlit as st

_TURNS = count()
_LOST_S = 2.0
WAITING_S = 1.0
"""How often a part is polled while jobs of others are before the visitor's: nothing but the place in the line can change."""


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
    drawn = monotonic()

    def part() -> None:
        nonlocal drawn
        draw()
        drawn = monotonic()

    def look() -> None:
        if monotonic() - drawn > _LOST_S:
            st.rerun()

    def polled_part() -> None:
        st.fragment(part)()

    part.__qualname__ = polled_part.__qualname__ = f"part {next(_TURNS)}"
    st.fragment(polled_part, run_every=seconds)()
    if seconds is not None:
        st.fragment(look, run_every=_LOST_S)()
