"""Ctrl-C that is not lost."""

import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

_AGAIN_S = 0.05


@contextmanager
def insistent() -> Iterator[None]:
    """Inside this block a Ctrl-C comes again a moment later where Python was only tidying up when it came.

    An object's `__del__` passes no exception on: a KeyboardInterrupt raised in one is printed and forgotten. Collecting the garbage of
    large libraries takes long enough for that to happen.
    """
    before = sys.unraisablehook

    def note(unraisable: "sys.UnraisableHookArgs") -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            before(unraisable)
            return
        again = Timer(_AGAIN_S, interrupt_main)
        again.daemon = True
        again.start()

    sys.unraisablehook = note
    try:
        yield
    finally:
        sys.unraisablehook = before
