"""What is alive as server-sent events, or, where a proxy holds those back, by long polling of the same address. Makes no Streamlit call.

A browser that lost the connection comes back with the number of the last event (`Last-Event-ID`), which says what it knows (`app.server.updates`).
Nothing is kept for anybody: a slow browser gets fewer, larger messages.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from types import FrameType
from typing import Any, Protocol
from weakref import WeakSet

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from app.server.bell import Bell
from app.server.updates import LONGEST, News, Now, news

BEAT_S = 10.0
"""A connection on which nothing happens gets a sign of life so often: proxies end silent ones, and a browser that is gone shows only when it is written to."""
_POLL_S = 20.0
_TOLD = 64
"""For so many different states of knowledge a message is kept."""
_ends = asyncio.Event()
"""Whether the server ends: a stream that went on would keep it."""
_sources: WeakSet[Bell] = WeakSet()
"""The bells of all that is followed."""
HEADERS: Mapping[str, str] = {"cache-control": "no-store", "x-accel-buffering": "no"}


class Source(Protocol):
    """Something alive."""

    @property
    def bell(self) -> Bell:
        """Is rung when it may have changed."""

    def now(self) -> Now:
        """What there is; called on the server's event loop, so it must not take long."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A source with few who look on.

    Args:
        now: what there is.
    """

    bell: Bell
    now: Callable[[], Now]


@dataclass(slots=True)
class Shared:
    """A source with many who look on: the message for all who know the same is made once.

    Args:
        read: what there is.
    """

    bell: Bell
    read: Callable[[], Now]
    _at: int = -1
    _now: Now = field(default_factory=Now)
    _told: dict[str, News | None] = field(default_factory=dict)

    def now(self) -> Now:
        """See `Source`."""
        if self._at != (rung := self.bell.rung):
            self._at, self._now, self._told = rung, self.read(), {}
        return self._now

    def told(self, known: str) -> News | None:
        """See `news`."""
        now = self.now()
        if known not in self._told:
            if len(self._told) >= _TOLD:
                self._told.clear()
            self._told[known] = news(now, known)
        return self._told[known]


def _nothing() -> None:
    """Nobody has to know."""


async def respond(
    request: Request, source: Source, beat: Callable[[], None] = _nothing, clock: Callable[[], float] = monotonic
) -> Response:
    """Events from what the browser knows on, or with `?poll=1` the next ones.

    Args:
        clock: the seconds by which times in the events are given; a browser is sent what it shows.
        beat: is called when the connection begins, and as long as it is open every `BEAT_S` seconds.
    """
    known = request.headers.get("last-event-id") or request.query_params.get("from", "")
    known = known if len(known) <= LONGEST else ""
    beat()
    _sources.add(source.bell)
    if request.query_params.get("poll"):
        return await _next(source, known, clock)
    return StreamingResponse(_events(source, known, beat, clock), media_type="text/event-stream", headers=HEADERS)


def _told(source: Source, known: str) -> tuple[News | None, bool]:
    """The message for who knows this, and whether it is the last one."""
    now = source.now()
    return source.told(known) if isinstance(source, Shared) else news(now, known), now.over


async def _events(
    source: Source, known: str, beat: Callable[[], None], clock: Callable[[], float]
) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n" + _time(clock)
    while True:
        rung = source.bell.rung
        found, over = _told(source, known)
        if found is not None:
            known = found.known
            yield f"id: {known}\ndata: {found.text}\n\n".encode()
        if over or _ends.is_set():
            return
        if not await source.bell.heard(rung, BEAT_S):
            beat()
            yield _time(clock)


def _time(clock: Callable[[], float]) -> bytes:
    return f"event: clock\ndata: {clock():.3f}\n\n".encode()


async def _next(source: Source, known: str, clock: Callable[[], float]) -> Response:
    """The next message with what is known after it; none, where nothing happens for long."""
    while True:
        rung = source.bell.rung
        found, _ = _told(source, known)
        if found is not None:
            body = f'{{"known":"{found.known}","clock":{clock():.3f},"message":{found.text}}}'
            return Response(body, media_type="application/json", headers=HEADERS)
        if not await source.bell.heard(rung, _POLL_S) or _ends.is_set():
            return JSONResponse({"known": known, "clock": clock(), "message": {}}, headers=HEADERS)


@contextmanager
def ended_with_the_server() -> Iterator[None]:
    """Streams end as soon as the server is told to: it waits for whoever it still answers. Entered on the server's event loop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, before = asyncio.get_running_loop(), dict[int, Any]()

    def end(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(_end)
        told = before[number]
        if callable(told):
            told(number, frame)

    for each in (signal.SIGINT, signal.SIGTERM):
        before[each] = signal.signal(each, end)
    yield


def _end() -> None:
    _ends.set()
    for bell in [*_sources]:
        bell.ring()
