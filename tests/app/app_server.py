"""The app on a port of its own, started as a person would start it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from app.state.pairs import OPENING
from specviz.known_pairs import EMBEDDED

ROOT = Path(__file__).parents[2]
NOTHING: Mapping[str, str] = {}
STARTS_S = 300
"""Beside other programs a server alone can take more than a minute to start."""


@contextmanager
def serving(
    log: Path, *, by: str = "app", root: Path = ROOT, environment: Mapping[str, str] = NOTHING
) -> Iterator[str]:
    """The address of a fresh server, which is gone when the block is left; what it says is written to `log`.

    Its engine computes on one thread. `by` is the module that serves. The page opens with the tiny pair, whatever is on this machine, unless
    `environment` says otherwise.
    """
    own = {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(root), OPENING: EMBEDDED}
    command = [sys.executable, "-m", by, "run", "app/main.py", "--server.port"]
    with started(command, root, log, {**os.environ, **own, **environment}) as (address, _):
        yield address


@contextmanager
def started(
    command: Sequence[str | Path], folder: Path, log: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, psutil.Popen]]:
    """The address of a server and its process; the command begins in a folder and gets a free port as its last word."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with log.open("w") as written:
        given = {"cwd": folder, "env": environment, "stdout": written, "stderr": subprocess.STDOUT}
        process = psutil.Popen([*command, port], start_new_session=True, **given)
        try:
            address = f"http://localhost:{port}"
            deadline = time.monotonic() + STARTS_S
            while not answers(address):
                assert process.poll() is None, f"the server ended by itself: {log.read_text()}"
                assert time.monotonic() < deadline, "the server did not answer"
                time.sleep(0.2)
            yield address, process
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(timeout=STARTS_S)


def answers(address: str) -> bool:
    """Whether a server is healthy."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:  # noqa: S310  # our own server
            return bool(answer.read() == b"ok")
    except OSError:
        return False
