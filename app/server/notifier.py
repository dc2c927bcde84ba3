"""Wakes coroutines that wait for a change of something, on the server's event loop, from any thread. Makes no Streamlit call."""

import asyncio
import threading
from secrets import token_hex
from time import monotonic


class Notifier:
    """Notifies of changes, so that nobody has to poll for them.

    Attributes:
        count: of its notifications.
        id: a random name of its own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = set()
        self._followers: dict[Notifier, float] = {}
        self._notified_at, self._delayed = float("-inf"), False
        self.id = token_hex(12)
        self.count = 0

    def notify(self, apart_s: float = 0.0, senders: frozenset["Notifier"] = frozenset()) -> None:
        """Something has changed.

        Args:
            apart_s: not sooner than so long after the last notification; until then all changes are one.
            senders: the notifiers that passed this on: none notifies twice, also where two follow each other.
        """
        if self in senders:
            return
        with self._lock:
            wait = self._notified_at + apart_s - monotonic()
            if wait > 0:
                if not self._delayed:
                    self._delayed = True
                    timer = threading.Timer(wait, self.notify)
                    timer.daemon = True
                    timer.start()
                return
            self.count, self._notified_at, self._delayed = self.count + 1, monotonic(), False
            waiting, self._waiting = self._waiting, set()
            followers = [*self._followers.items()]
        for loop in {loop for loop, _ in waiting}:
            try:
                loop.call_soon_threadsafe(_wake, [future for its_loop, future in waiting if its_loop is loop])
            except RuntimeError:  # a loop that has ended
                continue
        for follower, follower_apart_s in followers:
            follower.notify(follower_apart_s, senders | {self})

    def pass_on(self, follower: "Notifier", apart_s: float) -> None:
        """From now on another one notifies with this one, so far apart."""
        with self._lock:
            self._followers[follower] = apart_s

    async def wait(self, count: int, seconds: float) -> bool:
        """Wait until it has notified more often than this; False where it has not for so long."""
        loop = asyncio.get_running_loop()
        entry = (loop, loop.create_future())
        with self._lock:
            if self.count != count:
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
