"""A press counts, and once: also where a timer of the page sends it before the page does, and where a menu that it closes speaks after it
(in a browser: tests/app/stage/test_what_plays.py)."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg

from app.server.presses import PageSocket, Presses
from tests.app.pressing import downloaded

BUSY = "() => { setTimeout(() => { const until = performance.now() + 1500; while (performance.now() < until); }, 30); }"
"""A browser that does something else for so long that timers are due, and a key waits."""


def _rerun(*, timer: bool, screen: str = "race", pressed: bool = True) -> bytes:
    message = BackMsg()
    message.rerun_script.is_auto_rerun = timer
    message.rerun_script.fragment_id = "part"
    message.rerun_script.page_script_hash = screen
    states = message.rerun_script.widget_states.widgets
    if pressed:
        states.add(id="button", trigger_value=True)
        states.add(id="player", json_trigger_value='[{"event": "vote"}]')
    states.add(id="length", int_value=4)
    return bytes(message.SerializeToString())


def _goes_to(screen: str) -> bytes:
    message = BackMsg()
    message.rerun_script.page_script_hash = screen
    return bytes(message.SerializeToString())


def _held(sent: bytes) -> list[str]:
    message = BackMsg()
    message.ParseFromString(sent)
    assert message.rerun_script.fragment_id == "part"
    return [state.id for state in message.rerun_script.widget_states.widgets]


def test_a_timer_presses_nothing() -> None:
    """What is chosen goes with every message; what was pressed only with the page's own."""
    socket = PageSocket()
    assert _held(socket.heard(_rerun(timer=True))) == ["length"]
    assert _held(socket.heard(_rerun(timer=False))) == ["button", "player", "length"]
    assert socket.heard(b"\xff no message") == b"\xff no message"


@pytest.mark.parametrize("timer", [False, True])
def test_what_a_left_screen_says_leads_nowhere(timer: bool) -> None:
    """After a press on another screen only a press leads back: no menu that closes, no timer, until the page knows where it is."""
    socket, race, watch = PageSocket(), _goes_to("race"), _goes_to("watch")
    late, there = _rerun(timer=timer, pressed=False), _rerun(timer=timer, screen="watch", pressed=False)
    for sent, heard in (
        (race, race),
        (late, late),
        (watch, watch),
        (late, watch),
        (late, watch),
        (there, there),
        (race, race),
        (there, race),
    ):
        assert socket.heard(sent) == heard
    assert socket.heard(watch) == watch
    assert (socket.heard(_rerun(timer=timer)) == watch) == timer
    assert (socket.heard(late) == watch) == timer


def test_every_socket_is_heard_so() -> None:
    """The application gets the messages of a socket without the presses that a timer sent; what else comes, as it is."""

    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_bytes(await socket.receive_bytes())
        await socket.send_text(await socket.receive_text())

    application = Presses(Starlette(routes=[WebSocketRoute("/", echo)]))
    with TestClient(application).websocket_connect("/") as page:
        page.send_bytes(_rerun(timer=True))
        assert _held(page.receive_bytes()) == ["length"]
        page.send_text("hello")
        assert page.receive_text() == "hello"


@pytest.mark.browser
def test_a_key_on_a_busy_page(page: Page, server: str) -> None:
    """In a room five parts of the presenter's page are timed. Each V asks or ends one question, however late the browser is with it."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{server}/?teach=1&pair=embedded")
    room = page.get_by_role("button", name="Room", exact=True)
    room.click()
    page.get_by_role("button", name="Open a room").click()
    expect(page.locator(".room-code")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    for state in ("Show the answer", "Done"):
        page.evaluate(BUSY)
        page.wait_for_timeout(100)
        page.keyboard.press("v")
        expect(page.get_by_role("button", name=state)).to_be_visible()
    room.click()
    saved = downloaded(page, page.get_by_role("button", name="Save run and votes"))
    polls = json.loads(Path(saved.path()).read_text())["polls"]
    page.get_by_text("Close the room").click()
    page.get_by_role("button", name="Close it now").click()
    assert [poll["answer"] is not None for poll in polls] == [True]
