"""A Ctrl-C that is not lost, and other ends that are asked for like it."""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread

_RETRY_S = 0.05
_ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def insistent() -> Iterator[None]:
    """Inside this block, a Ctrl-C that arrives during garbage collection is raised again a moment later, and who ends the process otherwise, or
    closes its terminal, ends it as Ctrl-C does: what was made so far is kept.

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
    in_main = current_thread() is main_thread()
    ends = [number for number in _ENDS if in_main and signal.getsignal(number) is signal.SIG_DFL]
    for number in ends:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        sys.unraisablehook = previous
        for number in ends:
            signal.signal(number, signal.SIG_DFL)


def _interrupt() -> None:
    """Send Ctrl-C to the main thread. A real signal also ends a system call that the thread waits in; Windows has no signals of threads."""
    thread = main_thread().ident
    if thread is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        interrupt_main()
