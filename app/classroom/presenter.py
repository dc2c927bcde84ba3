"""The desk of a presenter: the room that follows the page while it teaches, its code, its prompts and its end."""

import json
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from app.classroom import room as transitions
from app.classroom import room_html, rooms, votes
from app.classroom.room import HERE_S, Room
from app.classroom.votes import attempt, refusal
from app.components.widgets import ROOM_S, plain, save_button
from app.server import addresses, resources
from app.server.addresses import base
from app.stage.race_source import race_source, recorded_source
from app.state import choices, request_form, session, teaching, visitor
from app.state.page_state import page_state

_DOOR = (
    "Phones show your stage or your lesson at your moment, vote, and send prompts. Nobody needs an account. "
    "The room follows this page as long as it teaches."
)


def led() -> Room | None:
    """The open room of this visitor, while the page teaches."""
    return rooms.server_rooms().led_by(visitor.person()) if teaching.on() else None


def lead(room: Room) -> dict[str, str]:
    """The address and the secret with which a page of the presenter's leads this room, see `Lead` in json_types.ts."""
    secret = rooms.server_rooms().lead(room.code, visitor.person())
    return {"address": f"{base()}/rooms/{room.code}/moment", "secret": secret}


def show(room: Room, view: dict[str, Any]) -> None:
    """Note what is on the presenter's stage."""
    job = page_state().job
    if job is None or job.over:
        rooms.server_rooms().show(room.code, view if job is None else resources.jobs().view(job))


def show_race(room: Room, view: dict[str, Any]) -> None:
    """Note which race is shown: while it is recorded, with every round that comes."""
    live = view.get("events") is not None
    runs = session.runs()
    source = race_source(resources.jobs(), *runs) if live else recorded_source(view)
    rooms.server_rooms().show_race(room.code, view["id"], source)


def popover() -> None:
    """The room, folded away: opened here, or with its code, what the audience sent, and its end."""
    state = page_state().room
    if state.prompt_used:
        state.prompt_used = False
        st.switch_page(page_state().screens[session.WATCH], query_params=teaching.parameters())
    room = led()
    if room is not None:
        with st.container(key="room-here", width="content", gap=None):
            _here(room.code)
    with st.popover("Room", key="room", width="content"):
        if room is None:
            st.markdown(_DOOR)
            st.button("Open a room", icon=":material/co_present:", type="primary", on_click=_open)
            refusal()
        else:
            _inside(room)
    if room is not None and state.code_enlarged:
        state.code_enlarged = False
        _large(room.code, _for_phones(room.code) or _join_address(room.code))


def _open() -> None:
    attempt(partial(rooms.server_rooms().open, visitor.person(), visitor.origin(), host=page_state().is_host))


def _join_address(code: str) -> str:
    """Where the audience goes, by this browser's own name of the server."""
    page = urlsplit(st.context.url or "")
    return f"{page.scheme}://{page.netloc}{base()}/join/{code}"


def _for_phones(code: str) -> str | None:
    return addresses.for_others(_join_address(code), str(st.get_option("server.address") or ""))


@st.fragment(run_every=ROOM_S)
def _here(code: str) -> None:
    room = led()
    if room is None or room.code != code:
        st.rerun()
    here, half = room.here(rooms.server_rooms().now()), len(code) // 2
    meaning = f"The code of the room; who has followed it in the last {HERE_S:g} seconds"
    st.markdown(
        f'<span class="room-here"><b>{code[:half]} {code[half:]}</b> · {here} here</span>',
        unsafe_allow_html=True,
        help=meaning,
        width="content",
    )


def _inside(room: Room) -> None:
    reached = _for_phones(room.code)
    address = reached or _join_address(room.code)
    way, picture = st.columns([3, 2], vertical_alignment="top", gap="small")
    with way:
        st.html(room_html.code(room.code, room_html.bare(address)))
        st.button(
            "Large code", icon=":material/qr_code_2:", on_click=setattr, args=(page_state().room, "code_enlarged", True)
        )
        st.link_button(
            "Window for the projector",
            f"{_join_address(room.code)}?hall=1",
            icon=":material/open_in_new:",
            help="Follows this page in large type, without notes: for a second screen.",
        )
    with picture:
        st.html(room_html.qr(address))
    if reached is None:
        st.caption(f":material/wifi_off: {addresses.HERE_ALONE}")
    votes.further(room)
    _save(room.code)
    with st.expander("Close the room", icon=":material/logout:"):
        st.markdown("Everybody leaves, the code stops working, and votes and prompts that you have not saved are gone.")
        st.button("Close it now", type="primary", on_click=votes.change, args=(room.code, transitions.close))
    _prompts(room.code)  # last: it grows by itself


@st.dialog("Scan, or type the code", width="large")
def _large(code: str, address: str) -> None:
    """The code for the last row of a hall."""
    st.html(room_html.large(code, address))


@st.fragment(run_every=ROOM_S)
def _save(code: str) -> None:
    save_button(
        "Save run and votes",
        _file(code),
        f"room-{code}.json",
        "download",
        key="room-save",
        help="The recording on the stage with questions and votes, as JSON. Open it again under "
        "“Save and share” of Watch. Nobody can be found in it.",
    )


def _file(code: str) -> str:
    view = rooms.server_rooms().view(code) or {}
    room = rooms.server_rooms().change(code, lambda room, when: room)
    return json.dumps(room.as_object(view.get("recording"), view.get("id", "")), separators=(",", ":"), allow_nan=False)


@st.fragment(run_every=ROOM_S)
def _prompts(code: str) -> None:
    room = led()
    if room is None:
        return
    if page_state().room.prompt_used:
        st.rerun()  # the page goes to Watch, not only this part of it
    st.markdown(f"**Prompts from the room: {len(room.sent)}**")
    for sent in room.sent[:8]:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            use, drop = (partial(_pick, code, sent.id, use) for use in (True, False))
            st.button("Use", key=f"room-use-{sent.id}", on_click=use, help="Open Watch with it in the box.")
            st.button("Remove", key=f"room-drop-{sent.id}", on_click=drop)
            st.markdown(plain(sent.text))
    if room.picked:
        st.caption(plain(f"On Watch: {room.picked}"))


def _pick(code: str, number: int, use: bool) -> None:
    def pick() -> None:
        room = rooms.server_rooms().change(
            code, lambda room, when: transitions.pick(room, visitor.person(), number, when, use=use)
        )
        if use:
            choices.put(request_form.PROMPT, room.picked)
            page_state().room.prompt_used = True

    attempt(pick)
