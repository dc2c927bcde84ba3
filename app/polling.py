"""Parts of a page that are drawn again by themselves while something goes on."""

from collections.abc import Callable
from itertools import count
from time import monotonic

import streamlit as st

_TURNS = count()
_LOST_S = 2.0


def polled(draw: Callable[[], None], seconds: float | None) -> None:
    """Draw a part of the page here, and again every so many seconds until the page is next written; None: just once.

    Each writing of the page gives the part another identity, which Streamlit takes from the function's name. Polls of the page as it was before
    are then refused. Were they run, all that the new page holds of the part and has not sent yet would be dropped, although the page is said to
    be complete: the browser would clear the part away, and could fail on the next message for its inside (Streamlit 1.67).

    Of two writings that overlap, the older can end last and take the newer's part out of the list of what may be polled. A second part, empty
    and always the same, notices when polls stay out, and has the page written anew.
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
