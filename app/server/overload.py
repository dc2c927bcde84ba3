"""What a server does where more connections come than a program usually has: it may open as many as the system gives it, each ends by itself, and
its log does not fill the disk. Makes no Streamlit call."""

import asyncio
import logging
import resource
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_FILES = 65_536  # each connection is an open file; the usual limit of a shell is 1,024
MOST_MESSAGE = 2_000_000  # bytes of a message of a socket; a larger one closes it before it is all in memory
_WAITS_S = {"head": 30.0, "body": 300.0, "reading": 120.0}
"""How long a connection may wait for the head of a request, for all of its body, and for a browser that reads nothing of its answer."""
_LOOKED_APART_S = 10.0
_APART_S, _MOST_KNOWN = 60.0, 200


def open_more_files() -> None:
    """Raise this process's limit of open files, as far as its user may."""
    with suppress(OSError, ValueError):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Connection(H11Protocol):
    """A connection that ends by itself. uvicorn ends those that are idle after an answer, and sockets that answer no ping."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        """It is open: from now on it is looked after."""
        super().connection_made(transport)
        self.config.ws_max_size = min(self.config.ws_max_size, MOST_MESSAGE)
        self._unread, self._since = 0, self.loop.time()
        self._waits = self._waits_for(0)
        self.loop.call_later(_LOOKED_APART_S, self._look)

    def _look(self) -> None:
        """End it where it has waited for the same thing for too long; look again later, as long as it is open."""
        unread = self.transport.get_write_buffer_size()
        if self.transport.is_closing() and not unread:
            return
        now, waits = self.loop.time(), self._waits_for(unread)
        if waits != self._waits:
            self._waits, self._since = waits, now
        self._unread = unread
        if waits is not None and now - self._since >= _WAITS_S[waits[0]]:
            self.transport.abort()
        else:
            self.loop.call_later(_LOOKED_APART_S, self._look)

    def _waits_for(self, unread: int) -> tuple[str, object] | None:
        """What must come from the browser, and after or in which request; None where nothing must."""
        if 0 < self._unread <= unread:
            return "reading", None
        if self.transport.get_protocol() is not self:  # a socket
            return None
        if self.cycle is None or self.cycle.response_complete:
            return "head", self.cycle
        return ("body", self.cycle) if self.cycle.more_body else None


class OnceAMinute:
    """A filter of a log: an error that repeats itself is written once a minute of this clock, which only goes forward."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._written = clock, dict[str, float]()

    def __call__(self, record: logging.LogRecord) -> bool:
        """True if this record is to be written."""
        text, now = str(record.msg)[:_MOST_KNOWN], self._clock()
        if now - self._written.get(text, -_APART_S) < _APART_S:
            return False
        if len(self._written) >= _MOST_KNOWN:
            self._written.clear()
        self._written[text] = now
        return True
