"""Wakes whoever waits for news of something, on the server's event loop, from any thread. Makes no Streamlit call."""

import asyncio
import threading
from collections.abc import Callable
from secrets import token_hex
from time import monotonic


class Bell:
    """Nobody has to look again and again whether something has changed.

    Args:
        clock: in seconds.

    Attributes:
        rung: how often it was rung.
        name: of its own.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = set()
        self._also: dict[Bell, float] = {}
        self._last, self._later = float("-inf"), False
        self.name = token_hex(12)
        self.rung = 0

    def ring(self, apart_s: float = 0.0, by: frozenset["Bell"] = frozenset()) -> None:
        """There is news.

        Args:
            apart_s: not sooner than so long after the ring before; until then rings are one.
            by: the bells that have rung this one: none rings twice, also where two ring each other.
        """
        if self in by:
            return
        with self._lock:
            wait = self._last + apart_s - self._clock()
            if wait > 0:
                if not self._later:
                    self._later = True
                    timer = threading.Timer(wait, self.ring)
                    timer.daemon = True
                    timer.start()
                return
            self.rung, self._last, self._later = self.rung + 1, self._clock(), False
            waiting, self._waiting = self._waiting, set()
            also = [*self._also.items()]
        for loop in {loop for loop, _ in waiting}:
            try:
                loop.call_soon_threadsafe(_wake, [future for each, future in waiting if each is loop])
            except RuntimeError:  # a loop that has ended
                continue
        for other, apart in also:
            other.ring(apart, by | {self})

    def also(self, other: "Bell", apart_s: float) -> None:
        """Ring another one with this, so far apart."""
        with self._lock:
            self._also[other] = apart_s

    async def heard(self, rung: int, seconds: float) -> bool:
        """Wait until it has been rung more often than this; False where it was not for so long."""
        loop = asyncio.get_running_loop()
        entry = (loop, loop.create_future())
        with self._lock:
            if self.rung != rung:
                return True
            self._waiting.add(entry)
        try:
            async with asyncio.timeout(seconds):
                await entry[1]
        except TimeoutError:
            return False
        finally:
            with self._lock:
                self._waiting.discard(entry)
        return True


def _wake(futures: list["asyncio.Future[None]"]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
