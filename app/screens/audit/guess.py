"""Guess which one is broken: two recorded runs of the zoo's tiny models, one of them with a bug, and the count of right answers."""

import random
from functools import cache, partial
from typing import Any

import streamlit as st

from app.components.widgets import plain
from app.screens.audit import place
from app.state import address
from app.state.page_state import GuessGame, page_state
from specviz.audit.zoo.guess_game import TOKENS, recorded_twins

_SIDES = ("left", "right")
_twins = cache(recorded_twins)


def screen() -> None:
    """This part of the screen: the pair that the address names; where it names none, the last one of this page, or another."""
    game, named = page_state().game, address.parameter(address.GUESS)
    # One that was drawn is not written into the address, which a visitor could then never leave by going back.
    pair = read_pair(named) if named else game.pair or _another(0)
    if not pair:
        st.error(
            f"The address names the pair {plain(named[:40])}, which there is not: give a number from 1 to {len(_twins())}.",
            icon=":material/error:",
        )
        st.button("Another pair", key="guess-next", type="primary", icon=":material/refresh:", on_click=_next)
        return
    if game.pair != pair:
        game.pair, game.answer = pair, ""
    _runs(game, _twins()[pair - 1])


def read_pair(written: str) -> int:
    """The number of a pair in the address, from 1; 0 where it is none."""
    number = int(written) if written.isascii() and written.isdecimal() and len(written) < 5 else 0
    return number if number <= len(_twins()) else 0


def _another(before: int) -> int:
    """The number of a pair, not of the exhibit of the pair before."""
    exhibit = _twins()[before - 1]["exhibit"] if before else ""
    return random.choice([number for number, twins in enumerate(_twins(), 1) if twins["exhibit"] != exhibit])  # noqa: S311  # a game


def _next() -> None:
    place.go(place.GAME, pair=str(_another(page_state().game.pair)))


def broken_side(pair: int) -> str:
    """Where the broken run stands: equal for everybody who follows the link to this pair."""
    return random.Random(pair).choice(_SIDES)  # noqa: S311  # a game


def _runs(game: GuessGame, twins: dict[str, Any]) -> None:
    """The two runs of a pair with a button over each; after the answer, the reason."""
    broken = broken_side(game.pair)
    st.caption(
        f"Two real runs of the same tiny models with the same prompt and seed: draft length 3, temperature 1{twins['settings']}, at most {TOKENS} "
        "tokens. The tokens are A, B, C and end, the end of the text. Each row is a round. Below q and p, u is a line: in the green part, which ends at "
        "p/q, a drafted token is accepted."
    )
    if game.answer:
        _answer(game, twins, broken)
    else:  # above both pictures: on a phone a button between them would move when the first one comes
        with st.container(key="guess-sides"):
            columns = st.columns(2, gap="large")
        for side, column in zip(_SIDES, columns, strict=True):
            key, act = f"guess-{side}", partial(_answered, game, side, broken)
            column.button(f"The {side} one is broken", key=key, on_click=act, width="stretch")
    with st.container(key="guess-runs"):
        columns = st.columns(2, gap="large")
    for side, column in zip(_SIDES, columns, strict=True):
        with column:
            verdict = plain(twins["mark"]) if side == broken else "Honest"
            st.markdown(f"**{verdict if game.answer else side.capitalize()}**")
            broken_one = "found" if game.answer else "broken"
            st.html(twins[broken_one if side == broken else "honest"])


def _answered(game: GuessGame, side: str, broken: str) -> None:
    if not game.answer:
        game.answer = side
        game.answered += 1
        game.right += side == broken


def _answer(game: GuessGame, twins: dict[str, Any], broken: str) -> None:
    verdict = "Yes" if game.answer == broken else "No"
    show, icon = (st.success, "check") if game.answer == broken else (st.warning, "close")
    show(
        f"**{verdict}, the run on the {broken} is broken. {plain(twins['clue'])}** {plain(twins['what'])}",
        icon=f":material/{icon}:",
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button("Another pair", key="guess-next", type="primary", icon=":material/refresh:", on_click=_next)
        to_page = partial(place.go, place.BUGS, exhibit=twins["exhibit"])
        st.button("To its page", key="guess-page", icon=":material/bug_report:", on_click=to_page)
        st.markdown(f"{game.right} of {game.answered} right so far", width="content")
