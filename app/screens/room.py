"""Room: the presenter's stage on everybody's phone, votes and prompts from the audience."""

import json
import re
from collections.abc import Hashable
from functools import partial
from typing import Any

import streamlit as st

from app import asking, choices, resources, session
from app.player.player import player
from app.polling import polled, pushed
from app.room import leading, pages, parts, questions, reading
from app.room.mount import moment
from app.room.rooms import audience
from app.room.rooms import stage as stage_of
from app.screens import strip
from app.text import plain
from specviz.errors import InputError
from specviz.rooms import codes
from specviz.rooms import room as rooms
from specviz.rooms.calibration import calibration
from specviz.rooms.polls import Poll, State, asked
from specviz.rooms.room import HERE_S, Room
from specviz.rooms.texts import LONGEST_PROMPT

CODE = "code"
_TYPED, _ALONE, _MINE, _TEXT = "_room_typed", "_room_alone", "_room_mine", "_room_text"
_QUESTION, _CHOICES, _SAID, _LARGE = "_room_question", "_room_choices", "_room_said", "_room_large"
_POLL_S = 1.0
_HERE_ONLY = re.compile(r"^https?://(localhost|127\.|\[::1\])")
_DOOR = "The audience sees the presenter's stage on their phones, at the presenter's moment. They vote and send prompts. Nobody needs an account."


def screen() -> None:
    """The screen."""
    strip.apply(talk=False)
    st.html(parts.PAGE + parts.STYLE)
    if note := resources.rooms().note:
        st.info(note, icon=":material/info:")
    led = resources.rooms().led_by(session.person())
    typed = st.query_params.get(CODE, "")
    if led is not None and (not typed or typed == led.code):
        _presenter(led)
    elif typed:
        _audience(typed)
    else:
        _door()


def _door() -> None:
    st.subheader("A room for a class or a talk", anchor=False)
    st.markdown(_DOOR)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        st.text_input("Code on the presenter's screen", key=_TYPED, max_chars=20, width=260, on_change=_join)
        st.button("Join", icon=":material/login:", on_click=_join)
        st.button("Open a room", icon=":material/co_present:", type="primary", on_click=_open)
    _said()


def _join() -> None:
    if typed := st.session_state.get(_TYPED, "").strip():
        _do(lambda: st.query_params.update({CODE: resources.rooms().find(typed, session.person()).code}))


def _open() -> None:
    _do(lambda: st.query_params.update({CODE: resources.rooms().open(session.person()).code}))


def _do(what: Any) -> None:
    """Do it, or say in a sentence why it cannot be done."""
    st.session_state[_SAID] = ""
    try:
        what()
    except InputError as error:
        st.session_state[_SAID] = str(error)


def _said() -> None:
    if said := st.session_state.get(_SAID):
        st.error(plain(said), icon=":material/error:")


# ---- the presenter


def _presenter(led: Room) -> None:
    address = f"{(st.context.url or '').split('?')[0].removesuffix('/room')}/room?{CODE}={led.code}"
    main, side = st.columns([7, 3], gap="medium")
    with side:
        way, picture = st.columns([3, 2], vertical_alignment="top", gap="small")
        with way:
            st.html(parts.code(led.code, parts.bare(address)))
            polled(partial(_people, led.code), _POLL_S)
        with picture:
            st.html(parts.qr(address))
        st.button("Large code", icon=":material/qr_code_2:", on_click=st.session_state.update, args=({_LARGE: True},))
        if st.context.url and _HERE_ONLY.search(st.context.url):
            st.caption(
                ":material/wifi_off: Phones cannot reach localhost: open this page by the machine's own address."
            )
        polled(partial(_presenters_poll, led.code), _POLL_S)
        polled(partial(_prompts, led.code), _POLL_S)
        _ends(led)
    with main:
        _said()
        stage(led)
    if st.session_state.pop(_LARGE, False):
        _large(led.code, address)


@st.dialog("Scan, or type the code", width="large")
def _large(code: str, address: str) -> None:
    """The code for the last row of a hall."""
    st.html(parts.STYLE + parts.large(code, address))


def _ends(led: Room) -> None:
    """Another question, the votes as a file, and the end."""
    _own_question(led)
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Save run and votes",
            lambda: _file(led.code),
            f"room-{led.code}.json",
            "application/json",
            icon=":material/download:",
            help="The recording on the stage with questions, votes and how often the room was right, as JSON. Open it again under "
            "“Save and share” of Watch. Nobody can be found in it.",
            on_click="ignore",
        )
        st.button("Close the room", icon=":material/logout:", on_click=_do, args=(lambda: _close(led.code),))


def _file(code: str) -> str:
    view = resources.rooms().view(code) or {}
    now = _change(code, lambda now, when: now)
    return json.dumps(now.as_object(view.get("recording"), view.get("id", "")), separators=(",", ":"), allow_nan=False)


def _close(code: str) -> None:
    _change(code, lambda now, when: rooms.close(now, session.person(), when))
    st.query_params.pop(CODE, None)


def _change(code: str, do: Any) -> Room:
    return resources.rooms().change(code, do)


def stage(led: Room) -> None:
    """The stage of this visitor, whose moment goes to the room `led`."""
    job = session.job()
    live = job is not None and not job.over
    polled(partial(_lead, led.code, live=live), 0.3 if live else None)


def _lead(code: str, *, live: bool) -> None:
    job = session.job()
    view = session.opened() if job is None else resources.jobs().view(job)
    resources.rooms().show(code, view)
    player({**view, "title": False}, lead=partial(leading.told, code), vote=partial(_vote_key, code))
    if live and job is not None and job.over:
        st.rerun()


def _people(code: str) -> None:
    now = resources.rooms().led_by(session.person())
    if now is None or now.code != code:
        st.rerun()
    here = now.here(resources.rooms().now())
    st.markdown(f":material/group: {here} here", help=f"Phones that asked for news in the last {HERE_S:g} seconds.")


def _presenters_poll(code: str) -> None:
    now = resources.rooms().led_by(session.person())
    if now is None:
        return
    moment(None, now)
    if now.poll is not None:
        st.html(parts.votes(now.poll))
    with st.container(horizontal=True, gap="small"):
        if now.poll is None or now.poll.state is State.RESOLVED:
            if now.poll is not None:
                st.button("Done", key="room-done", icon=":material/check:", on_click=_clear, args=(code,))
            st.button(
                "Ask: how many will be accepted?",
                key="room-ask",
                icon=":material/how_to_vote:",
                type="primary" if now.poll is None else "secondary",
                on_click=_ask,
                args=(code,),
            )
            st.button(
                "Ask: which token?",
                key="room-ask-token",
                icon=":material/edit_note:",
                help="Which token the target will write where the draft was least sure, in the round on the stage.",
                on_click=_ask,
                args=(code, True),
            )
        elif now.poll.state is State.OPEN:
            st.button("Close the vote", key="room-close", icon=":material/block:", on_click=_end, args=(code,))
        if now.poll is not None and now.poll.state is not State.RESOLVED:
            if now.poll.truth is not None:
                st.button(
                    "Show the answer", key="room-answer", icon=":material/done:", on_click=_resolve, args=(code, None)
                )
            else:
                for index, choice in enumerate(now.poll.choices):
                    st.button(
                        plain(f"Right: {choice}"), key=f"room-right-{index}", on_click=_resolve, args=(code, index)
                    )
    found = calibration(now.all_polls())
    if found.room is not None:
        against = (
            ""
            if found.draft is None
            else f" Brier score {found.room_there:.2f}; of the draft's own probabilities {found.draft:.2f} (0 is best)."
        )
        st.caption(
            plain(
                f"The room so far: {found.right} of {found.votes} votes were right, questions: {found.polls}.{against}"
            ),
        )


def _ask(code: str, token: bool = False) -> None:
    def ask(now: Room, when: float) -> Room:
        poll = questions.of_run(resources.rooms().view(code), now.moment, token=token)
        return rooms.ask(now, session.person(), poll, when)

    _do(lambda: _change(code, ask))


def _end(code: str) -> None:
    _do(lambda: _change(code, lambda now, when: rooms.close_poll(now, session.person(), when)))


def _resolve(code: str, index: int | None) -> None:
    def resolve(now: Room, when: float) -> Room:
        known = None if now.poll is None else now.poll.truth
        right = index if known is None else known
        if right is None:
            raise InputError("The run does not answer this question: press the choice that is right.")
        return rooms.resolve(now, session.person(), right, when)

    _do(lambda: _change(code, resolve))


def _clear(code: str) -> None:
    _do(lambda: _change(code, lambda now, when: rooms.clear(now, session.person(), when)))


def _vote_key(code: str) -> None:
    """What the key V does: it asks how many will be accepted, or ends the vote and shows the answer."""
    now = resources.rooms().led_by(session.person())
    if now is None or now.poll is None or now.poll.state is State.RESOLVED:
        _ask(code)
    elif now.poll.truth is None:
        _end(code)
    else:
        _resolve(code, None)


def _own_question(led: Room) -> None:
    with st.popover("Another question", icon=":material/edit:"), st.form("room-own", border=False):
        st.text_input("Question", key=_QUESTION, max_chars=200)
        st.text_area("Choices, one a line", key=_CHOICES, height=120)
        st.form_submit_button("Ask", on_click=_ask_own, args=(led.code,))


def _ask_own(code: str) -> None:
    def ask(now: Room, when: float) -> Room:
        lines = [line for line in st.session_state.get(_CHOICES, "").splitlines() if line.strip()]
        return rooms.ask(now, session.person(), asked(st.session_state.get(_QUESTION, ""), lines), when)

    _do(lambda: _change(code, ask))


def _prompts(code: str) -> None:
    now = resources.rooms().led_by(session.person())
    if now is None:
        return
    st.markdown(f"**Prompts from the room: {len(now.sent)}**")
    for one in now.sent[:8]:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button(
                "Use",
                key=f"room-use-{one.id}",
                on_click=_pick,
                args=(code, one.id, True),
                help="Put it into the box of Watch.",
            )
            st.button("Remove", key=f"room-drop-{one.id}", on_click=_pick, args=(code, one.id, False))
            st.markdown(plain(one.text))
    if now.picked:
        st.caption(plain(f"On Watch: {now.picked}"))


def _pick(code: str, number: int, use: bool) -> None:
    def pick() -> None:
        now = _change(code, lambda now, when: rooms.pick(now, session.person(), number, when, use=use))
        if use:
            choices.put(asking.PROMPT, now.picked)

    _do(pick)


# ---- the audience


def _audience(typed: str) -> None:
    try:
        found = resources.rooms().find(typed, session.person())
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.query_params.pop(CODE, None)
        _door()
        return
    pushed(partial(_follow, found.code), audience(found.code), partial(_said_by, found.code))
    pushed(partial(_look_on, found.code), stage_of(found.code), partial(_shown_in, found.code))
    with (
        st.form("room-send", border=False, clear_on_submit=True),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input("A prompt for the presenter", key=_TEXT, max_chars=LONGEST_PROMPT)
        st.form_submit_button("Send", on_click=_send, args=(found.code,))
    _said()


def _send(code: str) -> None:
    text = st.session_state.get(_TEXT, "")
    _do(lambda: _change(code, lambda now, when: rooms.send(now, _voter(now), text, when)))


def _voter(now: Room) -> str:
    return codes.voter(session.person(), now.key)


def _said_by(code: str) -> Hashable:
    """What the presenter says now, and how many have voted. This visitor is here."""
    try:
        now = _change(code, lambda now, when: rooms.seen(now, _voter(now), when))
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
        "run": there.run,
        "clock": there.clock,
        "round": there.round,
        "playing": there.playing,
        "pace": there.pace,
        "version": f"{now.code} {there.version}",
        "since": round(since, 1) if there.playing and _fresh(there.version) else 0.0,
        "page": pages.as_object(there.page),
    }
    moment(news, now)


def _shown_in(code: str) -> Hashable:
    """Which run is on the presenter's stage, and how far it has come; or which lesson the presenter reads."""
    now = resources.rooms().of(code)
    if now is not None and now.moment.lesson is not None and not now.closed:
        return now.moment.lesson
    view = None if now is None or now.closed else _seen(now)
    return None if view is None else (view["id"], view["status"], len(questions.rounds_of(view)))


def _look_on(code: str) -> None:
    """The presenter's stage on this screen."""
    now = resources.rooms().of(code)
    if now is None or now.closed:
        return
    alone = bool(st.session_state.get(_ALONE))
    if now.moment.page is not None:
        reading.follow(now.moment.page, alone=alone)
    elif (view := _seen(now)) is not None:
        player({**view, "title": False}, following=not alone)
    else:
        st.info(
            "The presenter has nothing on the stage yet: it appears here by itself.", icon=":material/hourglass_empty:"
        )
        return
    st.toggle("Look around by myself", key=_ALONE)


def _fresh(version: int) -> bool:
    """Whether this page hears of a moment for the first time: how long ago it was told matters only then, and the message stays the same."""
    known = st.session_state.get("_room_version")
    st.session_state["_room_version"] = version
    return bool(known != version)


def _seen(now: Room) -> dict[str, Any] | None:
    """What is on the presenter's stage."""
    job = resources.jobs().find(now.moment.run) if now.moment.run else None
    if job is not None:
        return resources.jobs().view(job)
    return resources.rooms().view(now.code)


def _vote(now: Room, poll: Poll) -> None:
    mine = poll.votes.get(_voter(now))
    if poll.state is State.OPEN:
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
    _do(lambda: _change(code, lambda now, when: rooms.vote(now, _voter(now), index, when)))
