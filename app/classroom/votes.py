"""The vote of a room on the presenter's page: asked, closed, answered; its bars float over the page's lower corner."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import streamlit as st

from app.classroom import lesson_page, questions, room_html, rooms
from app.classroom import room as transitions
from app.classroom.polls import LONGEST_QUESTION, Poll, PollState, asked
from app.classroom.room import Room
from app.components.component import component
from app.components.widgets import ROOM_S, plain
from app.server import resources
from app.state import session, visitor
from app.state.page_state import ROOM_CHOICES, ROOM_QUESTION, page_state, widget_value
from specviz.errors import InputError
from specviz.reporting.player.scripts import script

_DESK = "room-desk"
_moment = component("moment", script=script("moment"), style="", html="<span hidden></span>")


def attempt(what: Callable[[], object]) -> None:
    """Do it, or keep the sentence that says why it cannot be done."""
    page_state().room.refusal = ""
    try:
        what()
    except InputError as error:
        page_state().room.refusal = str(error)


def refusal() -> None:
    """Show why the last attempt failed, if it did."""
    if sentence := page_state().room.refusal:
        st.error(plain(sentence), icon=":material/error:")


def ask_button(room: Room, *, lesson: bool) -> None:
    """Ask the room about something whose answer it does not see yet: the question of the lesson's page, or how many tokens of the round will be
    accepted. A race shows all there is to ask about."""
    with st.container(key="room-asks", width="content", gap=None):
        _ask_button(room.code, lesson)


@st.fragment(run_every=ROOM_S)
def _ask_button(code: str, lesson: bool) -> None:
    room = rooms.server_rooms().find(code)
    st.button(
        "Ask the room",
        key="room-ask",
        help="The question of this page." if lesson else "How many of the drafted tokens will be accepted? (v)",
        on_click=_ask,
        args=(code, lesson),
        disabled=room is None or _open(room.poll) or not _can_ask(room, lesson),  # invisible then: its place stays
    )


def _can_ask(room: Room, lesson: bool) -> bool:
    with suppress(InputError):
        return bool(_question(room, lesson=lesson))
    return False


def _question(room: Room, *, lesson: bool, token: bool = False) -> Poll:
    """The question about what is shown. Raises InputError if there is none, or the room has seen its answer. `token`: as in `questions.of_run`."""
    if not lesson:
        poll = questions.of_run(_stage(), room.moment, token=token)
    elif room.moment.page is None:
        raise InputError("No lesson is open: open one in Learn first.")
    else:
        poll = lesson_page.poll_of(room.moment.page)
    if any((past.run, past.round) == (poll.run, poll.round) and past.answer is not None for past in room.all_polls()):
        raise InputError("The room has seen the answer to this: go on to the next question.")
    return poll


def _stage() -> dict[str, Any]:
    """The run on the presenter's stage."""
    job = page_state().job
    return session.opened() if job is None else resources.jobs().view(job)


def floating(room: Room, *, lesson: bool) -> None:
    """The vote, as long as there is one, with what can be done about it; and why something could not be done."""
    with st.container(key=_DESK, gap=None):
        _floating(room.code, lesson)
        refusal()


@st.fragment(run_every=ROOM_S)
def _floating(code: str, lesson: bool) -> None:
    room = rooms.server_rooms().find(code)
    if room is None:
        return
    poll = room.poll
    _tell_stage(room, poll)
    if poll is None:
        return
    with st.container(key="room-vote-lesson" if lesson else "room-vote", gap="xsmall"):
        st.html(room_html.votes(poll))
        with st.container(horizontal=True, gap="small"):
            _acts(code, poll)
        if score := _score(room):
            st.caption(plain(score))


def _tell_stage(room: Room, poll: Poll | None) -> None:
    """Tell the presenter's stage on this page of the vote, see `VoteNow` in json_types.ts."""
    vote_now = None
    if poll is not None and poll.run:
        over = poll.state is PollState.RESOLVED
        vote_now = {"id": f"{room.code} {len(room.past)}", "run": poll.run, "round": poll.round, "over": over}
    _moment(key="moment", data={"vote": vote_now}, height="content")


def _acts(code: str, poll: Poll) -> None:
    if poll.state is PollState.RESOLVED:
        st.button("Done", key="room-done", icon=":material/check:", on_click=change, args=(code, transitions.clear))
        return
    if poll.state is PollState.OPEN:
        st.button(
            "Close the vote",
            key="room-close",
            icon=":material/block:",
            on_click=change,
            args=(code, transitions.close_poll),
        )
    if poll.truth is not None:
        st.button("Show the answer", key="room-answer", icon=":material/done:", on_click=_resolve, args=(code, None))
        return
    for index, choice in enumerate(poll.choices):
        st.button(plain(f"Right: {choice}"), key=f"room-right-{index}", on_click=_resolve, args=(code, index))


def _score(room: Room) -> str:
    """How often the room was right, in a sentence."""
    answered = [poll for poll in room.all_polls() if poll.answer is not None and poll.votes]
    if not answered:
        return ""
    right, votes = sum(poll.right for poll in answered), sum(len(poll.votes) for poll in answered)
    return f"The room so far: {right} of {votes} votes were right, questions: {len(answered)}."


def further(room: Room) -> None:
    """Other questions: which token comes, or one of the presenter's own."""
    if page_state().screen == session.WATCH:
        st.button(
            "Ask: which token?",
            key="room-ask-token",
            icon=":material/edit_note:",
            help="Which token the target will write where the draft was least sure, in the round on the stage.",
            on_click=_ask,
            args=(room.code, False, True),
        )
    with st.expander("A question of your own"), st.form("room-own", border=False):
        st.text_input("Question", key=ROOM_QUESTION, max_chars=LONGEST_QUESTION)
        st.text_area("Choices, one a line", key=ROOM_CHOICES, height=120)
        st.form_submit_button("Ask", on_click=_ask_own, args=(room.code,))


def vote_key(code: str) -> None:
    """The key V: asks how many will be accepted, or ends the vote and shows the answer."""
    room = rooms.server_rooms().find(code)
    if room is None or not _open(room.poll):
        _ask(code)
    elif room.poll is not None and room.poll.truth is None:
        change(code, transitions.close_poll)
    else:
        _resolve(code, None)


def _open(poll: Poll | None) -> bool:
    """True if a question waits for its answer."""
    return poll is not None and poll.state is not PollState.RESOLVED


def change(code: str, what: Callable[[Room, str, float], Room]) -> None:
    """Change a room, or keep the sentence that says why it cannot be changed. `what`: from the room, its presenter and the time to the room afterwards."""
    attempt(lambda: rooms.server_rooms().change(code, lambda room, when: what(room, visitor.person(), when)))


def _ask(code: str, lesson: bool = False, token: bool = False) -> None:
    change(code, lambda room, who, when: transitions.ask(room, who, _question(room, lesson=lesson, token=token), when))


def _ask_own(code: str) -> None:
    lines = [line for line in widget_value(ROOM_CHOICES, "").splitlines() if line.strip()]
    question = widget_value(ROOM_QUESTION, "")
    change(code, lambda room, who, when: transitions.ask(room, who, asked(question, lines), when))


def _resolve(code: str, index: int | None) -> None:
    def resolve(room: Room, who: str, when: float) -> Room:
        truth = None if room.poll is None else room.poll.truth
        right = index if truth is None else truth
        if right is None:
            raise InputError("Nothing here answers this question: press the choice that is right.")
        return transitions.resolve(room, who, right, when)

    change(code, resolve)
