"""Parts of a page that are re-rendered by themselves while a run or a load is live."""

from collections.abc import Callable
from itertools import count
from time import monotonic

import streamlit as st

_TURNS = count()
_LOST_S = 2.0


def polled(draw: Callable[[], None], seconds: float | None) -> None:
    """Render a part of the page here, and again every so many seconds until the next rerun of the page; None: just once.

    Each rerun of the page gives the part another identity, which Streamlit takes from the function's name, so that polls of the page as
    it was before are rejected. If they ran, everything that the new page has for this part and has not sent yet would be dropped,
    although the page is reported as complete: the browser would clear the part, and could fail on the next message for its inside
    (Streamlit 1.67).

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

    part.__qualname__ = f"part {next(_TURNS)}"
    st.fragment(part, run_every=seconds)()
    if seconds is not None:
        st.fragment(look, run_every=_LOST_S)()
