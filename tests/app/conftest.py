"""A real server and a real browser for the tests of the page."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.app.chromium import FLAGS, find

ROOT = Path(__file__).parents[2]
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started as a person would start it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (tmp_path_factory.mktemp("server") / "log.txt").open("w")
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.port", str(port)],
        cwd=ROOT,
        stdout=log,
        stderr=subprocess.STDOUT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
    )
    address = f"http://localhost:{port}"
    deadline = time.monotonic() + 60
    while not _answers(address):
        assert process.poll() is None, "the server ended by itself"
        assert time.monotonic() < deadline, "the server did not answer within a minute"
        time.sleep(0.2)
    yield address
    process.terminate()
    process.wait(timeout=20)
    log.close()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:  # noqa: S310  # our own server
            return bool(answer.read() == b"ok")
    except OSError:
        return False


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; its absence is a failure, not a skip."""
    path = find()
    assert path, "no Chromium on this machine: run 'make browser'"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page of keynote size that fails the test if its script throws."""
    fresh = browser.new_page(viewport={"width": 1280, "height": 720})
    fresh.set_default_timeout(30_000)
    thrown: list[str] = []
    fresh.on("pageerror", lambda error: thrown.append(str(error)))
    yield fresh
    fresh.close()
    assert not thrown, f"the page's script threw: {thrown}"
