"""Server-sent events, or, where a proxy holds those back, long polling of the same address. Makes no Streamlit call.

A browser that lost the connection comes back with the id of the last event (`Last-Event-ID`), which is its cursor (`app.server.updates`). The server
keeps nothing for it: a slow browser gets fewer, larger messages. Whoever follows events counts as an open page.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from types import FrameType
from typing import Any
from weakref import WeakSet

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.server import visitors
from app.server.addresses import who
from app.server.notifier import Notifier
from app.server.updates import LONGEST_CURSOR, LiveState, Update, update

BEAT_S = 10.0  # between two signs of life: proxies end silent connections, and a lost browser shows only when it is written to
_KEPT_UPDATES = 64  # of so many cursors the update is kept
_KIND = "text/event-stream"
HEADERS: Mapping[str, str] = {"cache-control": "no-store", "x-accel-buffering": "no"}
_server_ends = asyncio.Event()  # a stream that went on would keep the server
_notifiers: WeakSet[Notifier] = WeakSet()  # of all that is followed


@dataclass(slots=True)
class EventSource:
    """Something live that browsers follow.

    Args:
        notifier: notifies when it may have changed.
        read: returns its present state; called on the server's event loop, so it must not take long.
        shared: whether many follow it: state and updates are then made once a change, not once a follower.
    """

    notifier: Notifier
    read: Callable[[], LiveState]
    shared: bool = False
    _count: int = -1
    _state: LiveState = field(default_factory=LiveState)
    _updates: dict[str, Update | None] = field(default_factory=dict)

    def update(self, cursor: str) -> tuple[Update | None, bool]:
        """The update for a follower with this cursor, and whether it is the last one."""
        state = self.state()
        if cursor not in self._updates:
            if len(self._updates) >= _KEPT_UPDATES:
                self._updates.clear()
            self._updates[cursor] = update(state, cursor)
        return self._updates[cursor], state.over

    def state(self) -> LiveState:
        """Its present state."""
        if not self.shared or self._count != self.notifier.count:
            self._count, self._updates = self.notifier.count, {}
            self._state = self.read()
        return self._state


async def respond(
    request: Request,
    source: EventSource,
    beat: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = monotonic,
) -> Response:
    """Events from the browser's cursor on, or with `?poll=1` the next ones.

    Args:
        beat: is called when the connection begins, and as long as it is open every `BEAT_S` seconds.
        clock: the seconds by which times in the events are given; a browser is sent what it shows.
    """
    if request.method == "HEAD":
        return Response(media_type=_KIND, headers=HEADERS)
    page = who(request)
    if not visitors.HERE.enter(*page):
        return PlainTextResponse(visitors.FULL, 503)
    cursor = request.headers.get("last-event-id") or request.query_params.get("from", "")
    cursor = cursor if len(cursor) <= LONGEST_CURSOR else ""
    _notifiers.add(source.notifier)
    if not request.query_params.get("poll"):
        return _Events(_stream(source, cursor, beat, clock), page)
    try:
        beat()
        return await _poll(source, cursor, clock)
    finally:
        visitors.HERE.leave(*page)


class _Events(StreamingResponse):
    """The answer to a follower, who counts until it ends."""

    def __init__(self, events: AsyncIterator[bytes], page: tuple[str, str]) -> None:
        super().__init__(events, media_type=_KIND, headers=HEADERS)
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            visitors.HERE.leave(*self._page)


async def _stream(
    source: EventSource, cursor: str, beat: Callable[[], None], clock: Callable[[], float]
) -> AsyncIterator[bytes]:
    beat()
    yield b"retry: 1000\n" + _time(clock)
    last_beat = monotonic()
    while True:
        count = source.notifier.count
        message, over = source.update(cursor)
        if message is not None:
            cursor = message.cursor
            yield f"id: {cursor}\ndata: {message.text}\n\n".encode()
        if over or _server_ends.is_set():
            return
        await source.notifier.wait(count, max(0.0, last_beat + BEAT_S - monotonic()))
        if monotonic() - last_beat >= BEAT_S:  # where much happens, too
            last_beat = monotonic()
            beat()
            yield _time(clock)


def _time(clock: Callable[[], float]) -> bytes:
    return f"event: clock\ndata: {clock():.3f}\n\n".encode()


async def _poll(source: EventSource, cursor: str, clock: Callable[[], float]) -> Response:
    """The next message with the cursor after it; an empty one where nothing happens for long."""
    while True:
        count = source.notifier.count
        message, _ = source.update(cursor)
        if message is not None:
            body = f'{{"known":"{message.cursor}","clock":{clock():.3f},"message":{message.text}}}'
            return Response(body, media_type="application/json", headers=HEADERS)
        if not await source.notifier.wait(count, BEAT_S) or _server_ends.is_set():
            return JSONResponse({"known": cursor, "clock": clock(), "message": {}}, headers=HEADERS)


@contextmanager
def ended_with_the_server() -> Iterator[None]:
    """Streams end as soon as the server is asked to end: it waits for all open answers. Entered on the server's event loop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, handlers = asyncio.get_running_loop(), dict[int, Any]()

    def end(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(_end)
        handler = handlers[number]
        if callable(handler):
            handler(number, frame)

    for number in (signal.SIGINT, signal.SIGTERM):
        handlers[number] = signal.signal(number, end)
    yield


def _end() -> None:
    _server_ends.set()
    for notifier in [*_notifiers]:
        notifier.notify()
