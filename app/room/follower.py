"""The page of the audience of a room: the presenter's stage or lesson, the vote, and a box for prompts."""

from collections.abc import Hashable
from functools import partial
from typing import Any

import streamlit as st

from app import resources, session
from app.limits import NOBODY
from app.player.player import player
from app.polling import pushed
from app.room import pages, parts, reading
from app.room.acts import attempt, change, refusal
from app.room.mount import moment
from app.room.played import played, shown_of
from app.room.rooms import audience
from app.room.rooms import stage as stage_of
from app.text import plain
from specviz.errors import InputError
from specviz.rooms import codes
from specviz.rooms import room as rooms
from specviz.rooms.errors import RoomError
from specviz.rooms.moment import LESSON
from specviz.rooms.polls import Poll, PollState
from specviz.rooms.room import Room
from specviz.rooms.texts import LONGEST_PROMPT

_ALONE, _TEXT, _SENT = "_room_alone", "_room_text", "_room_sent"
_KNOWN = "_room_version"
"""The version of the presenter's moment that this page heard of last."""


def follower(code: str) -> None:
    """The page of somebody in the audience of a room that is open."""
    pushed(partial(_follow, code), audience(code), partial(_said_by, code))
    pushed(partial(_look_on, code), stage_of(code), partial(_shown_in, code))
    with (
        st.form("room-send", border=False, clear_on_submit=True),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input("A prompt for the presenter", key=_TEXT, max_chars=LONGEST_PROMPT)
        st.form_submit_button("Send", on_click=_send, args=(code,))
    refusal()
    if st.session_state.pop(_SENT, False):
        st.success("Sent: the presenter sees it now.", icon=":material/check:")


def _send(code: str) -> None:
    text = st.session_state.get(_TEXT, "")

    def send() -> None:
        change(code, lambda now, when: rooms.send(now, _voter(now), text, when))
        st.session_state[_SENT] = True

    attempt(send)


def _voter(now: Room) -> str:
    if not session.person():
        raise RoomError(NOBODY)
    return codes.voter(session.person(), now.key)


def _said_by(code: str) -> Hashable:
    """What the presenter says now, and how many have voted. This visitor is here."""
    try:
        now = change(code, lambda now, when: rooms.seen(now, _voter(now), when) if session.person() else now)
    except InputError as error:
        return str(error)
    return now.face, now.poll and now.poll.counts


def _follow(code: str) -> None:
    """The question, and the presenter's moment for the stage."""
    now = resources.rooms().of(code)
    if now is None or now.closed:
        st.error(f"The room {code} is closed: ask the presenter for the new code.", icon=":material/logout:")
        return
    if now.poll is not None:
        _vote(now, now.poll)
    there = now.moment
    since = max(0.0, resources.rooms().now() - now.moved)
    news = {
        "run": _known_as(now, there.run),
        "clock": there.clock,
        "round": there.round,
        "index": there.index,
        "within": there.within,
        "playing": there.playing,
        "pace": there.pace,
        "version": f"{now.code} {there.version}",
        "since": round(since, 1) if there.playing and _fresh(there.version) else 0.0,
        "page": pages.as_object(there.page),
    }
    moment(news, now, partial(_known_as, now))


def _shown_in(code: str) -> Hashable:
    """Which run is on the presenter's stage, and how far it has come; or which lesson the presenter reads."""
    now = resources.rooms().of(code)
    if now is not None and now.moment.lesson is not None and not now.closed:
        return now.moment.lesson
    view = None if now is None or now.closed else _seen(now)
    if now is None or view is None:
        return None
    return view["id"], view["status"], shown_of(view, resources.rooms().reached(now.code, view["id"]))


def _look_on(code: str) -> None:
    """The presenter's stage on this screen."""
    now = resources.rooms().of(code)
    if now is None or now.closed:
        return
    alone = bool(st.session_state.get(_ALONE))
    if now.moment.page is not None:
        reading.follow(now.moment.page, alone=alone)
    elif (view := _seen(now)) is not None:
        reached = resources.rooms().reached(code, view["id"])
        shown = {**played(view, reached), "id": _known_as(now, view["id"]), "title": False}
        player(shown, following=not alone)
    else:
        st.info(
            "The presenter has nothing on the stage yet: it appears here by itself.", icon=":material/hourglass_empty:"
        )
        return
    st.toggle("Look around by myself", key=_ALONE)


def _known_as(now: Room, run: str) -> str:
    """What the audience calls a run. By its own name the whole of it could be opened on Watch."""
    return codes.voter(run, now.key) if run and not run.startswith(LESSON) else run


def _fresh(version: int) -> bool:
    """Whether this page hears of a moment for the first time: how long ago it was reported matters only then, and the message stays the same."""
    known = st.session_state.get(_KNOWN)
    st.session_state[_KNOWN] = version
    return bool(known != version)


def _seen(now: Room) -> dict[str, Any] | None:
    """What is on the presenter's stage."""
    job = resources.jobs().find(now.moment.run) if now.moment.run else None
    if job is not None:
        return resources.jobs().view(job)
    return resources.rooms().view(now.code)


def _vote(now: Room, poll: Poll) -> None:
    mine = poll.votes.get(_voter(now)) if session.person() else None
    if poll.state is PollState.OPEN:
        st.html(parts.votes(poll, shown=False))
        with st.container(horizontal=True, gap="small"):
            for index, choice in enumerate(poll.choices):
                st.button(
                    plain(choice),
                    key=f"room-vote-{len(now.past)}-{index}",
                    type="primary" if mine == index else "secondary",
                    on_click=_cast,
                    args=(now.code, index),
                )
        return
    st.html(parts.votes(poll))
    if mine is not None and poll.answer is not None:
        st.markdown("**You were right.**" if mine == poll.answer else f"You said “{plain(poll.choices[mine])}”.")


def _cast(code: str, index: int) -> None:
    attempt(lambda: change(code, lambda now, when: rooms.vote(now, _voter(now), index, when)))
