"""A Ctrl-C that is not lost."""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, main_thread

_RETRY_S = 0.05


@contextmanager
def insistent() -> Iterator[None]:
    """Inside this block, a Ctrl-C that arrives during garbage collection is raised again a moment later.

    Exceptions do not propagate out of an object's `__del__`: a KeyboardInterrupt raised there is printed and dropped. Garbage
    collection of large libraries takes long enough for this to happen.
    """
    previous = sys.unraisablehook

    def hook(unraisable: "sys.UnraisableHookArgs") -> None:
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            previous(unraisable)
            return
        retry = Timer(_RETRY_S, _interrupt)
        retry.daemon = True
        retry.start()

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = previous


def _interrupt() -> None:
    """Send Ctrl-C to the main thread. A real signal also ends a system call that the thread waits in; Windows has no signals of threads."""
    thread = main_thread().ident
    if thread is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        interrupt_main()
