"""The presenter's page of a room: the stage that leads it, the code, the votes and the prompts from the audience."""

import json
from functools import partial
from typing import Any

import streamlit as st

from app import network, request_form, resources, session, visitor, widget_state
from app.following import followed
from app.player.player import player
from app.room import parts, questions
from app.room.acts import CODE, attempt, change, refusal
from app.room.mount import vote as tell_of
from app.routes.addresses import base
from app.text import plain
from specviz.errors import InputError
from specviz.rooms import room as rooms
from specviz.rooms.calibration import calibration
from specviz.rooms.polls import PollState, asked
from specviz.rooms.room import HERE_S, Room

_QUESTION, _CHOICES, _LARGE = "_room_question", "_room_choices", "_room_large"
_USED, _BEGIN = "_room_prompt_used", "_room_begin"


def presenter(led: Room) -> None:
    """The page of a room's presenter."""
    if st.session_state.pop(_USED, False):
        st.switch_page(session.screens()[session.WATCH])
    if session.job() is None:
        session.resume(resources.rooms().view(led.code))
    here = f"{(st.context.url or '').split('?')[0].removesuffix('/room')}/join/{led.code}"
    address = network.for_others(here, str(st.get_option("server.address") or ""))
    main, side = st.columns([7, 3], gap="medium")
    bell = resources.rooms().desk(led.code)
    with side:
        way, picture = st.columns([3, 2], vertical_alignment="top", gap="small")
        with way:
            st.html(parts.code(led.code, parts.bare(address or here)))
            followed(partial(_people, led.code), bell, "people")
        with picture:
            st.html(parts.qr(address or here))
        st.button("Large code", icon=":material/qr_code_2:", on_click=st.session_state.update, args=({_LARGE: True},))
        if address is None:
            st.caption(f":material/wifi_off: {network.HERE_ALONE}")
        followed(partial(_presenters_poll, led.code), bell, "poll")
        followed(partial(_prompts, led.code), bell, "prompts")
        _ends(led)
    with main:
        refusal()
        _stage(led)
    if st.session_state.pop(_LARGE, False):
        _large(led.code, address or here)


@st.dialog("Scan, or type the code", width="large")
def _large(code: str, address: str) -> None:
    """The code for the last row of a hall."""
    st.html(parts.STYLE + parts.large(code, address))


def _ends(led: Room) -> None:
    """Another question, the votes as a file, and the end."""
    _own_question(led)
    with st.container(horizontal=True, gap="small"):
        _save(led.code, "room-save")
        with st.popover("Close the room", icon=":material/logout:"):
            st.markdown(
                "Everybody leaves, the code stops working, and votes and prompts that you have not saved are gone."
            )
            _save(led.code, "room-save-last")
            st.button(
                "Close it now",
                icon=":material/logout:",
                type="primary",
                on_click=attempt,
                args=(lambda: _close(led.code),),
            )


def _save(code: str, key: str) -> None:
    st.download_button(
        "Save run and votes",
        lambda: _file(code),
        f"room-{code}.json",
        "application/json",
        key=key,
        icon=":material/download:",
        help="The recording on the stage with questions, votes and how often the room was right, as JSON. Open it again under "
        "“Save and share” of Watch. Nobody can be found in it.",
        on_click="ignore",
    )


def _file(code: str) -> str:
    view = resources.rooms().view(code) or {}
    now = change(code, lambda now, when: now)
    return json.dumps(now.as_object(view.get("recording"), view.get("id", "")), separators=(",", ":"), allow_nan=False)


def _close(code: str) -> None:
    change(code, lambda now, when: rooms.close(now, visitor.person(), when))
    st.query_params.pop(CODE, None)


def _stage(led: Room) -> None:
    """The stage of this visitor, which leads the room."""
    view = session.view() or session.opened()
    show(led, view)
    begin = {"run": led.moment.run, "clock": led.moment.clock, "pace": led.moment.pace}
    begin = st.session_state.setdefault(f"{_BEGIN}-{led.code}", begin)  # as it was when this page was opened
    player({**view, "title": False, "begin": begin}, lead=lead(led), vote=partial(vote_key, led.code))


def show(led: Room, view: dict[str, Any]) -> None:
    """Note what is on the presenter's stage."""
    job = session.job()
    if job is None or job.over:
        resources.rooms().show(led.code, view if job is None else resources.jobs().view(job))


def lead(led: Room) -> dict[str, str]:
    """What a page of the presenter's needs to lead this room, see `Lead` in types.d.ts."""
    secret = resources.rooms().lead(led.code, visitor.person())
    return {"address": f"{base()}/rooms/{led.code}/moment", "secret": secret}


def _people(code: str) -> None:
    now = resources.rooms().led_by(visitor.person())
    if now is None or now.code != code:
        st.rerun()
    here = now.here(resources.rooms().now())
    st.markdown(f":material/group: {here} here", help=f"Phones that asked for news in the last {HERE_S:g} seconds.")


def _presenters_poll(code: str) -> None:
    now = resources.rooms().led_by(visitor.person())
    if now is None:
        return
    tell_of(now)
    if now.poll is not None:
        st.html(parts.votes(now.poll, shown=now.poll.state is not PollState.OPEN))
    with st.container(horizontal=True, gap="small"):
        if now.poll is None or now.poll.state is PollState.RESOLVED:
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
        elif now.poll.state is PollState.OPEN:
            st.button("Close the vote", key="room-close", icon=":material/block:", on_click=_end, args=(code,))
        if now.poll is not None and now.poll.state is not PollState.RESOLVED:
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


def _on_stage() -> dict[str, Any]:
    job = session.job()
    return session.opened() if job is None else resources.jobs().view(job)


def _ask(code: str, token: bool = False) -> None:
    view = _on_stage()

    def ask(now: Room, when: float) -> Room:
        poll = questions.of_run(view, now.moment, token=token)
        return rooms.ask(now, visitor.person(), poll, when)

    attempt(lambda: change(code, ask))


def _end(code: str) -> None:
    attempt(lambda: change(code, lambda now, when: rooms.close_poll(now, visitor.person(), when)))


def _resolve(code: str, index: int | None) -> None:
    def resolve(now: Room, when: float) -> Room:
        known = None if now.poll is None else now.poll.truth
        right = index if known is None else known
        if right is None:
            raise InputError("The run does not answer this question: press the choice that is right.")
        return rooms.resolve(now, visitor.person(), right, when)

    attempt(lambda: change(code, resolve))


def _clear(code: str) -> None:
    attempt(lambda: change(code, lambda now, when: rooms.clear(now, visitor.person(), when)))


def vote_key(code: str) -> None:
    """What the key V does: it asks how many will be accepted, or ends the vote and shows the answer."""
    now = resources.rooms().led_by(visitor.person())
    if now is None or now.poll is None or now.poll.state is PollState.RESOLVED:
        _ask(code)
    elif now.poll.truth is None:
        _end(code)
    else:
        _resolve(code, None)


def beside_the_stage() -> None:
    """On another screen whose stage leads a room: the vote, which the stage has to know of, and why a key did nothing."""
    led = resources.rooms().led_by(visitor.person())
    if led is not None:
        followed(partial(_vote_beside, led.code), resources.rooms().desk(led.code), "vote")
        refusal()


def _vote_beside(code: str) -> None:
    now = resources.rooms().led_by(visitor.person())
    if now is None or now.code != code:
        return
    tell_of(now)
    if now.poll is not None:
        st.html(parts.STYLE + parts.votes(now.poll, shown=now.poll.state is not PollState.OPEN))


def _own_question(led: Room) -> None:
    with st.popover("Another question", icon=":material/edit:"), st.form("room-own", border=False):
        st.text_input("Question", key=_QUESTION, max_chars=200)
        st.text_area("Choices, one a line", key=_CHOICES, height=120)
        st.form_submit_button("Ask", on_click=_ask_own, args=(led.code,))


def _ask_own(code: str) -> None:
    def ask(now: Room, when: float) -> Room:
        lines = [line for line in st.session_state.get(_CHOICES, "").splitlines() if line.strip()]
        return rooms.ask(now, visitor.person(), asked(st.session_state.get(_QUESTION, ""), lines), when)

    attempt(lambda: change(code, ask))


def _prompts(code: str) -> None:
    now = resources.rooms().led_by(visitor.person())
    if now is None:
        return
    if st.session_state.get(_USED):
        st.rerun()  # the page goes to Watch, not only this part of it
    st.markdown(f"**Prompts from the room: {len(now.sent)}**")
    for one in now.sent[:8]:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button(
                "Use",
                key=f"room-use-{one.id}",
                on_click=_pick,
                args=(code, one.id, True),
                help="Open Watch with it in the box.",
            )
            st.button("Remove", key=f"room-drop-{one.id}", on_click=_pick, args=(code, one.id, False))
            st.markdown(plain(one.text))
    if now.picked:
        st.caption(plain(f"On Watch: {now.picked}"))


def _pick(code: str, number: int, use: bool) -> None:
    def pick() -> None:
        now = change(code, lambda now, when: rooms.pick(now, visitor.person(), number, when, use=use))
        if use:
            widget_state.put(request_form.PROMPT, now.picked)
            st.session_state[_USED] = True

    attempt(pick)
