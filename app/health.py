"""Whether the page opens now: for whoever asks the server's health. Makes no Streamlit call."""

import threading
from collections.abc import Callable

_ANSWER_S = 2.0
_checks: list[Callable[[float], bool]] = []


def watch(check: Callable[[float], bool]) -> None:
    """From now on the page opens only where this holds; it gets the seconds within which it must answer."""
    _checks.append(check)


def opens() -> bool:
    """Whether everything that a page needs answers; also before the first page, which needs nothing."""
    return all(check(_ANSWER_S) for check in _checks)


def is_free(lock: threading.RLock, seconds: float) -> bool:
    """Whether nobody keeps a lock for so long."""
    free = lock.acquire(timeout=seconds)
    if free:
        lock.release()
    return free
