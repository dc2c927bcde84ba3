"""What a server does where more connections come than a program usually has: it may open as many as the system gives it, and its log does not fill
the disk. Makes no Streamlit call."""

import logging
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from time import monotonic

MOST_FILES = 65_536  # each connection is an open file; the usual limit of a shell is 1,024
_APART_S, _MOST_KNOWN = 60.0, 200


def open_more_files() -> None:
    """Raise this process's limit of open files, as far as its user may; where a system has no such limit, nothing is to be done."""
    with suppress(ImportError, OSError, ValueError):
        resource = import_module("resource")
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class OnceAMinute:
    """A filter of a log: an error that repeats itself is written once a minute.

    Args:
        clock: in seconds, which only goes forward.
    """

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
