"""The app on a port of its own, started as a person would start it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from app.pairs import OPENING
from specviz.known_pairs import EMBEDDED

ROOT = Path(__file__).parents[2]
NOTHING: Mapping[str, str] = {}
_STARTS_S = 300
"""Beside other programs a server alone can take more than a minute to start."""


@contextmanager
def serving(
    log: Path,
    *,
    one_thread: bool = True,
    by: str = "streamlit",
    root: Path = ROOT,
    environment: Mapping[str, str] = NOTHING,
) -> Iterator[str]:
    """The address of a fresh server, which is gone when the block is left; what it says is written to `log`.

    Its engine computes on one thread, or on as many as it takes by itself. `by` is the module that serves. The page opens with the tiny
    pair, whatever is on this machine, unless `environment` says otherwise.
    """
    threads = {"OMP_NUM_THREADS": "1"} if one_thread else {}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with log.open("w") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", by, "run", "app/main.py", "--server.port", str(port)],
            cwd=root,
            stdout=written,
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                **threads,
                "HF_HUB_OFFLINE": "1",
                "PYTHONPATH": str(root),
                OPENING: EMBEDDED,
                **environment,
            },
        )
        try:
            address = f"http://localhost:{port}"
            deadline = time.monotonic() + _STARTS_S
            while not answers(address):
                assert process.poll() is None, "the server ended by itself"
                assert time.monotonic() < deadline, "the server did not answer"
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=_STARTS_S)


def answers(address: str) -> bool:
    """Whether a server is healthy."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:  # noqa: S310  # our own server
            return bool(answer.read() == b"ok")
    except OSError:
        return False
