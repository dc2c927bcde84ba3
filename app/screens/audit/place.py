"""Which part of the screen Audit is shown, as its address says."""

import streamlit as st

from app.state import address
from specviz.audit.asked import AUDIT

GAME, BUGS, DECODER = "game", "bugs", "decoder"
PART, EXHIBIT, PAIR = "part", "exhibit", "guess"
"""The parameters of the address: the part, where no other names it; the exhibit of the zoo; the pair of runs of the game, by its number."""


def part() -> str:
    """The part that the address names; the game where it names none."""
    query = st.query_params
    named = query.get(PART, "")
    if named in (GAME, BUGS, DECODER):
        return named
    if query.get(EXHIBIT):
        return BUGS
    if query.get(PAIR):
        return GAME
    return DECODER if any(query.get(name) for name in (AUDIT, *address.CHOICES)) else GAME


def go(to: str, *, exhibit: str = "", pair: str = "") -> None:
    """Show a part: of the zoo its list or this exhibit, of the game this pair."""
    changes = {PART: to, EXHIBIT: exhibit, PAIR: pair}
    st.query_params.update({name: new or [] for name, new in changes.items() if new or name in st.query_params})
