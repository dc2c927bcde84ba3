"""Guess which one is broken: two real runs of the zoo's tiny models, one of them with a bug, and the count of right answers."""

import random
from dataclasses import dataclass
from functools import partial

import streamlit as st

from app.components.markdown import plain
from app.components.timed import LIVE_S
from app.screens.audit import place
from app.server import resources
from app.server.job import Status
from app.server.job_queue import waiting_words
from app.state import address, visitor
from app.state.page_state import GuessGame, Side, page_state
from specviz.audit.messages import GUESS, decode, encode
from specviz.audit.zoo.guess_game import CLUES, TOKENS, GuessRequest, TwoRuns
from specviz.audit.zoo.run_table import run_table
from specviz.audit.zoo.texts import exhibit

_SEEDS = 100_000
_PAIRS = 1_000_000
_MOST_VISITORS = 1000


@dataclass(slots=True)
class _Score:
    """The answers of a visitor."""

    right: int = 0
    answered: int = 0


@st.cache_resource(max_entries=_MOST_VISITORS, show_spinner=False)
def _score(person: str) -> _Score:
    """The score of this visitor since the server was started: a reload of the page keeps it."""
    return _Score()


def screen() -> None:
    """This part of the screen: the pair that the address names; where it names none, the last one of this page, or another."""
    before, named = page_state().game, address.parameter(address.GUESS)
    pair = read_pair(named)
    if named and pair is None:
        st.error(
            f"The address names the pair {plain(named[:40])}, which there is not: give a whole number.",
            icon=":material/error:",
        )
        st.button("Another pair", key="guess-next", type="primary", icon=":material/refresh:", on_click=_next)
        return
    if pair is None:  # it is not written into the address, which a visitor could then never leave by going back
        pair = before.pair if before is not None else _another(None)
    _board(pair)


def _another(before: GuessGame | None) -> int:
    """The number of a pair, not of the exhibit of the pair before."""
    while True:
        pair = random.randrange(1, _PAIRS)  # noqa: S311  # a game
        if before is None or pair_of(pair)[0].exhibit != before.asked.exhibit:
            return pair


def _next() -> None:
    place.go(place.GAME, pair=str(_another(page_state().game)))


def read_pair(written: str) -> int | None:
    """The number of a pair in the address; None where it is none."""
    return int(written) if written.isascii() and written.isdecimal() and 0 < int(written[:9]) < _PAIRS else None


def pair_of(number: int) -> tuple[GuessRequest, Side]:
    """The request of a pair, and where the broken run stands: equal for everybody who follows the link to this pair."""
    source = random.Random(number)  # noqa: S311  # a game
    return GuessRequest(source.choice(list(CLUES)), source.randrange(_SEEDS)), source.choice(("left", "right"))


def _request(pair: int) -> None:
    request, broken = pair_of(pair)
    job = resources.jobs().perform(None, GUESS, encode(request), watched=visitor.watched(), visitor=visitor.name())
    page_state().game = GuessGame(job, pair, request, broken)


def _board(pair: int) -> None:
    """The two runs of a pair with a button under each; after the answer, the reason."""
    state = page_state()
    if state.game is None or state.game.pair != pair:
        _request(pair)
    game = state.game
    assert game is not None, "requested"
    if not game.job.over:
        _wait(game)
    else:
        _show(game)  # not as a part of its own: its buttons change the page


@st.fragment(run_every=LIVE_S)
def _wait(game: GuessGame) -> None:
    """The progress; the page is rerun when both runs are there."""
    state = resources.jobs().snapshot(game.job)
    line = (
        f"Waiting in line: {waiting_words(state.queue_position, state.wait_s)} …"
        if state.queue_position
        else "Waiting for the engine …"
    )
    st.caption("Two real runs are being made …" if state.status is not Status.QUEUED else line)
    if state.status.over:
        st.rerun()


def _show(game: GuessGame) -> None:
    state = resources.jobs().snapshot(game.job)
    if state.report is None:
        st.error(plain(state.message or "The runs were stopped."), icon=":material/error:")
        st.button("Try again", key="guess-again", on_click=_request, args=(game.pair,))
    else:
        _runs(game, decode(TwoRuns, state.report))


def _runs(game: GuessGame, runs: TwoRuns) -> None:
    bug = exhibit(game.asked.exhibit)
    warped = "".join(f", {name.replace('_', '-')} {value}" for name, value in bug.settings.items())
    st.caption(
        f"Two real runs of the same tiny models with the same prompt and seed: draft length 3, temperature 1{warped}, at most {TOKENS} tokens. The "
        "tokens are A, B, C and end, the end of the text. A drafted token is accepted when u is below p/q."
    )
    if game.answer is not None:
        _answer(game, runs)
    sides: tuple[Side, Side] = ("left", "right")
    if game.answer is None:  # above both tables: on a phone a button between them would move when the first one comes
        for side, column in zip(sides, st.columns(2, gap="large"), strict=True):
            key, act = f"guess-{side}", partial(_answered, game, side)
            column.button(f"The {side} one is broken", key=key, on_click=act, width="stretch")
    with st.container(key="guess-runs"):
        columns = st.columns(2, gap="large")
    for side, column in zip(sides, columns, strict=True):
        with column:
            verdict = plain(bug.mark) if side == game.broken else "Honest"
            st.markdown(f"**{side.capitalize() if game.answer is None else verdict}**")
            st.html(run_table(runs.broken if side == game.broken else runs.honest))


def _answered(game: GuessGame, side: Side) -> None:
    if game.answer is None:
        game.answer = side
        score = _score(visitor.person())
        score.answered += 1
        score.right += side == game.broken


def _answer(game: GuessGame, runs: TwoRuns) -> None:
    bug = exhibit(game.asked.exhibit)
    verdict = "Right" if game.answer == game.broken else "No"
    show, icon = (st.success, "check") if game.answer == game.broken else (st.warning, "close")
    show(
        f"**{verdict}: the {game.broken} one is broken. {plain(str(CLUES[bug.name](runs.broken)))}** {plain(bug.what)}",
        icon=f":material/{icon}:",
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button("Another pair", key="guess-next", type="primary", icon=":material/refresh:", on_click=_next)
        st.button(
            "To its page",
            key="guess-page",
            icon=":material/bug_report:",
            on_click=partial(place.go, place.BUGS, exhibit=bug.name),
        )
        score = _score(visitor.person())
        st.markdown(f"{score.right} of {score.answered} right so far", width="content")
