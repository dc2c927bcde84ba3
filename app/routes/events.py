"""What is alive as server-sent events, or, where a proxy holds those back, by long polling of the same address. Makes no Streamlit call.

A browser that lost the connection comes back with the number of the last event (`Last-Event-ID`), which says what it knows (`app.routes.news`).
Nothing is kept for anybody: a slow browser gets fewer, larger messages.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from app.bell import Bell
from app.routes.news import News, Now, news

BEAT_S = 10.0
"""A connection on which nothing happens gets a sign of life so often: proxies end silent ones, and a browser that is gone shows only when it is written to."""
_POLL_S = 20.0
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
    """A source with many who look on: what those who know the same are told is made once.

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
            self._told[known] = news(now, known)
        return self._told[known]


def _nothing() -> None:
    """Nobody has to know."""


async def respond(
    request: Request, source: Source, beat: Callable[[], None] = _nothing, clock: Callable[[], float] = monotonic
) -> Response:
    """Events from what the browser knows on, or with `?poll=1` the next ones.

    Args:
        clock: the seconds by which times in the events are given; a browser is told what it shows.
        beat: is called when the connection begins, and as long as it is open every `BEAT_S` seconds.
    """
    known = request.headers.get("last-event-id") or request.query_params.get("from", "")
    beat()
    if request.query_params.get("poll"):
        return await _next(source, known, clock)
    return StreamingResponse(_events(source, known, beat, clock), media_type="text/event-stream", headers=HEADERS)


def _told(source: Source, known: str) -> News | None:
    return source.told(known) if isinstance(source, Shared) else news(source.now(), known)


async def _events(
    source: Source, known: str, beat: Callable[[], None], clock: Callable[[], float]
) -> AsyncIterator[bytes]:
    yield f"retry: 1000\nevent: clock\ndata: {clock():.3f}\n\n".encode()
    while True:
        rung = source.bell.rung
        if (found := _told(source, known)) is not None:
            known = found.known
            yield f"id: {known}\ndata: {found.text}\n\n".encode()
        if source.now().over:
            return
        if not await source.bell.heard(rung, BEAT_S):
            beat()
            yield b":\n\n"


async def _next(source: Source, known: str, clock: Callable[[], float]) -> Response:
    """The next message with what is known after it; none, where nothing happens for long."""
    while True:
        rung = source.bell.rung
        found = _told(source, known)
        if found is not None:
            body = f'{{"known":"{found.known}","clock":{clock():.3f},"message":{found.text}}}'
            return Response(body, media_type="application/json", headers=HEADERS)
        if not await source.bell.heard(rung, _POLL_S):
            return JSONResponse({"known": known, "clock": clock(), "message": {}}, headers=HEADERS)
