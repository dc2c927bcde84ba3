"""The engine processes of a server, and one that works slowly while a test looks at the page."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import psutil
from playwright.sync_api import Locator

_TURN_MS, _PAUSE_MS = 100, 900
_TURNS = 300


def engines(server: str) -> list[psutil.Process]:
    """The engine processes of this server; other tests' engines are left alone."""
    port = str(urlsplit(server).port)
    return [
        child
        for process in psutil.process_iter(["cmdline"])
        if {"streamlit", port} <= set(process.info["cmdline"] or ())
        for child in process.children(recursive=True)
        if "specviz.engine" in child.cmdline()
    ]


@contextmanager
def slow_engine(server: str, shown: Locator) -> Iterator[psutil.Process]:
    """Inside this block the engine stands still where the page first showed this; see `slowly`."""
    (engine,) = engines(server)
    try:
        slowly(engine, shown)
        yield engine
    finally:
        with suppress(psutil.NoSuchProcess):
            engine.resume()


def slowly(engine: psutil.Process, shown: Locator) -> None:
    """Let the engine work in short turns until the page shows this; then it stands still.

    Else, on a busy machine, a run of a thousand tokens can be over before the page shows its beginning or takes a click.
    """
    for _ in range(_TURNS):
        engine.suspend()
        shown.page.wait_for_timeout(_PAUSE_MS)
        if shown.count():
            return
        engine.resume()
        shown.page.wait_for_timeout(_TURN_MS)
    raise AssertionError(f"the page did not show {shown}")
