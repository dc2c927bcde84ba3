"""Guess which one is broken: two real runs of the zoo's tiny models, one of them with a bug, and the count of right answers."""

import random
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final, Literal

import streamlit as st

from app import resources, visitor
from app.audit import place
from app.following import followed
from app.job import Job, Status
from app.job_queue import waits
from app.text import plain
from specviz.audit.asked import GUESS, read, written
from specviz.audit.zoo.guessing import CLUES, END, TOKENS, GuessAsked, TwoRuns
from specviz.audit.zoo.texts import exhibit
from specviz.trace.records import (
    Closing,
    Drafted,
    Round,
    Verdict,
)

Side = Literal["left", "right"]
_GAME: Final = "_guess"
_SEEDS, _POLL_S = 100_000, 0.3
_PAIRS = 1_000_000
_MOST_VISITORS = 1000
_VERDICTS: Final = {
    Verdict.ACCEPTED: ("✓", "accepted"),
    Verdict.REJECTED: ("✕", "rejected"),
    Verdict.DISCARDED: ("–", "no verdict"),
}
_HOW: Final = {Closing.CORRECTED: "in its place", Closing.BONUS: "bonus"}
STYLE: Final = """<style>
.guess { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.guess-run { overflow-x: auto; }
.guess :is(th, td) { border: 0; padding: 1px clamp(3px, 0.6vw, 8px); line-height: 1.3; text-align: right; white-space: nowrap; font-weight: 400; }
.guess thead th { font-size: 0.8rem; opacity: 0.85; }
.guess :is(th, td):is(:first-child, :last-child) { text-align: left; }
.guess .token { font-family: ui-monospace, monospace; font-weight: 700; }
.guess tbody { border-top: 1px solid color-mix(in srgb, currentColor 35%, transparent); }
.guess tr.discarded { opacity: 0.75; }
.guess tr.own td { font-style: italic; }
.guess-text { font-family: ui-monospace, monospace; font-size: 1.05rem; margin: 0 0 6px; overflow-wrap: anywhere; }
</style>"""


@dataclass(slots=True)
class _Game:
    """The pair of runs on the screen."""

    job: Job
    pair: int
    asked: GuessAsked
    broken: Side
    answer: Side | None = None


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
    st.html(STYLE)
    before: _Game | None = st.session_state.get(_GAME)
    named = st.query_params.get(place.PAIR, "")
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


def _another(before: "_Game | None") -> int:
    """The number of a pair, not of the exhibit of the pair before."""
    while True:
        pair = random.randrange(1, _PAIRS)  # noqa: S311  # a game
        if before is None or pair_of(pair)[0].exhibit != before.asked.exhibit:
            return pair


def _next() -> None:
    place.go(place.GAME, pair=str(_another(st.session_state.get(_GAME))))


def read_pair(written: str) -> int | None:
    """The number of a pair in the address; None where it is none."""
    return int(written) if written.isascii() and written.isdecimal() and 0 < int(written[:9]) < _PAIRS else None


def pair_of(number: int) -> tuple[GuessAsked, Side]:
    """What is asked for, and where the broken run stands: the same for everybody who follows the link to this pair."""
    source = random.Random(number)  # noqa: S311  # a game
    return GuessAsked(source.choice(list(CLUES)), source.randrange(_SEEDS)), source.choice(("left", "right"))


def _request(pair: int) -> None:
    asked, broken = pair_of(pair)
    job = resources.jobs().perform(None, GUESS, written(asked), watched=visitor.watched(), visitor=visitor.name())
    st.session_state[_GAME] = _Game(job, pair, asked, broken)


def _board(pair: int) -> None:
    """The two runs of a pair with a button under each; after the answer, the reason."""
    if _GAME not in st.session_state or st.session_state[_GAME].pair != pair:
        _request(pair)
    game: _Game = st.session_state[_GAME]
    live = not game.job.over
    if live:
        followed(partial(_wait, game), game.job.bell, "guess")
    else:
        _show(game)  # not as a part of its own: its buttons change the page


def _wait(game: _Game) -> None:
    """What is going on; the page is rerun when both runs are there."""
    state = resources.jobs().task_state(game.job)
    line = (
        f"Waiting in line: {waits(state.queue_position, state.wait_s)} …"
        if state.queue_position
        else "Waiting for the engine …"
    )
    st.caption("Two real runs are being made …" if state.status is not Status.QUEUED else line)
    if state.over:
        st.rerun()


def _show(game: _Game) -> None:
    state = resources.jobs().task_state(game.job)
    if state.report is None:
        st.error(plain(state.message or "The runs were stopped."), icon=":material/error:")
        st.button("Try again", key="guess-again", on_click=_request, args=(game.pair,))
    else:
        _runs(game, read(TwoRuns, state.report))


def _runs(game: _Game, found: TwoRuns) -> None:
    one = exhibit(game.asked.exhibit)
    warped = "".join(f", {name.replace('_', '-')} {value}" for name, value in one.settings.items())
    st.caption(
        f"Two real runs of the same tiny models with the same prompt and seed: draft length 3, temperature 1{warped}, at most {TOKENS} tokens. The "
        "tokens are A, B, C and end, the end of the text. A drafted token is accepted when u is below p/q."
    )
    if game.answer is not None:
        _answer(game, found)
    sides: tuple[Side, Side] = ("left", "right")
    for side, column in zip(sides, st.columns(2, gap="large"), strict=True):
        with column:
            if game.answer is None:
                key, act = f"guess-{side}", partial(_answered, game, side)
                st.button(f"The {side} one is broken", key=key, on_click=act, width="stretch")
            else:
                st.markdown(f"**{plain(one.mark) if side == game.broken else 'Honest'}**")
            st.html(strip(found.broken if side == game.broken else found.honest))


def _answered(game: _Game, side: Side) -> None:
    if game.answer is None:
        game.answer = side
        score = _score(visitor.person())
        score.answered += 1
        score.right += side == game.broken


def _answer(game: _Game, found: TwoRuns) -> None:
    one = exhibit(game.asked.exhibit)
    said = "Right" if game.answer == game.broken else "No"
    show, icon = (st.success, "check") if game.answer == game.broken else (st.warning, "close")
    show(
        f"**{said}: the {game.broken} one is broken. {plain(CLUES[one.name](found.broken))}** {plain(one.what)}",
        icon=f":material/{icon}:",
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button("Another pair", key="guess-next", type="primary", icon=":material/refresh:", on_click=_next)
        st.button(
            "To its page",
            key="guess-page",
            icon=":material/bug_report:",
            on_click=partial(place.go, place.BUGS, exhibit=one.name),
        )
        score = _score(visitor.person())
        st.markdown(f"{score.right} of {score.answered} right so far", width="content")


def strip(rounds: tuple[Round, ...]) -> str:
    """A run as a table: every drafted token with q, p, u and verdict, and the target's own token; rounds are set apart by a line."""
    text = " ".join(_name(token) for one in rounds for token in one.tokens)
    head = "".join(f'<th scope="col">{each}</th>' for each in ("token", "q", "p", "p/q", "u", "verdict"))
    bodies = "".join(f"<tbody>{_round(one)}</tbody>" for one in rounds)
    return (
        f'<p class="guess-text">{escape(text)}</p><table class="guess"><thead><tr>{head}</tr></thead>{bodies}</table>'
    )


def _round(one: Round) -> str:
    rows = "".join(_drafted(drafted) for drafted in one.drafted)
    if one.closing is None:
        return rows
    u = "" if one.closing.draw is None else f"{one.closing.draw:.3f}"
    how = "own token" if not one.drafted else _HOW[one.closing.how]
    return (
        f'{rows}<tr class="own"><td class="token">{_name(one.closing.token)}</td><td></td><td></td><td></td><td>{u}</td>'
        f"<td>target’s, {how}</td></tr>"
    )


def _drafted(drafted: Drafted) -> str:
    mark, word = _VERDICTS[drafted.verdict]
    u = "" if drafted.draw is None else f"{drafted.draw:.3f}"
    q, p = drafted.qp
    return (
        f'<tr class="{drafted.verdict.value}"><td class="token">{_name(drafted.token)}</td><td>{q:.2f}</td>'
        f"<td>{p:.2f}</td><td>{p / q:.2f}</td><td>{u}</td><td>{mark} {word}</td></tr>"
    )


def _name(token: int) -> str:
    return "end" if token == END else chr(ord("A") + token)
