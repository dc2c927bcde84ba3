"""live_events.ts in a real Chromium with a real server: whoever was away for any reason has every entry once and in order."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.app.conftest import PATIENCE_MS

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[3]

Serve = Callable[[int], "subprocess.Popen[bytes]"]


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
        return found


@pytest.fixture
def serve(port: int) -> Iterator[Serve]:
    """Starts a server at the port that counts from a number on, and returns when it answers."""
    with ExitStack() as stack:

        def start(first: int) -> "subprocess.Popen[bytes]":
            asked = [sys.executable, "-m", "tests.app.counting", str(port), str(first)]
            server = stack.enter_context(subprocess.Popen(asked, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}))
            stack.callback(server.kill)
            for _ in range(PATIENCE_MS // 100):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.1):
                    return server
                with suppress(subprocess.TimeoutExpired):
                    server.wait(0.1)
            raise AssertionError("the server does not answer")

        yield start


@contextmanager
def _opened(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context


def _look(context: BrowserContext, port: int) -> Page:
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}/")
    page.wait_for_function("seen.length > 3")
    return page


def _complete(page: Page, first: int) -> bool:
    last = page.evaluate("async () => (await fetch('/end')).json()")
    page.wait_for_function("over")
    return bool(page.evaluate("seen") == list(range(first, last + 1)))


def test_who_was_away_for_any_reason_has_everything(browser: Browser, serve: Serve, port: int) -> None:
    """A computer that slept: the connection is dead without anybody having ended it, and signs of life did not come, so another one is opened. Then the
    network is away. Then the server is killed: what it knew is forgotten, because the new one counts from elsewhere."""
    with _opened(browser) as context:
        context.clock.install()
        server = serve(0)
        page = _look(context, port)
        page.evaluate("window.before = live.source")
        os.kill(server.pid, signal.SIGSTOP)
        page.clock.fast_forward(36_000)
        os.kill(server.pid, signal.SIGCONT)
        page.wait_for_function("live.source !== before")
        context.set_offline(offline=True)
        page.wait_for_timeout(300)
        context.set_offline(offline=False)
        had = page.evaluate("seen.length")
        page.wait_for_function("had => seen.length > had", arg=had)
        assert page.evaluate("seen.every((number, index) => number === index)")
        server.kill()
        server.wait()
        serve(500)
        page.wait_for_function("seen[0] === 500 && seen.length > 3")
        assert _complete(page, 500)


def test_two_tabs_of_which_one_is_hidden(browser: Browser, serve: Serve, port: int) -> None:
    """Both have everything; the hidden one takes no connection until it is looked at."""
    with _opened(browser) as context:
        serve(0)
        first, second = _look(context, port), _look(context, port)
        show = "hidden => { Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
        first.evaluate(show, True)
        first.wait_for_function("live.source === null")
        had = first.evaluate("seen.length")
        second.wait_for_function("had => seen.length > had + 20", arg=had)
        assert first.evaluate("seen.length") == had
        first.evaluate(show, False)
        first.wait_for_function("had => seen.length > had", arg=had)
        for page in (second, first):
            assert _complete(page, 0)
