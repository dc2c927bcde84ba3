"""The server under load, started as `specviz app --classroom` starts it, and what its processes take."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tests.app.server import ROOT, answers

_START_S, _END_S = 120.0, 30.0


class ClassroomHost:
    """A classroom on a port of its own. What it says is in `folder`, where rooms are kept too, so that another start finds them.

    Args:
        threads: of the engine; None as many as it takes by itself.
        tokens: new tokens of a run, at most.
        pair: its name.
    """

    def __init__(self, folder: Path, *, threads: int | None = None, tokens: int = 128, pair: str = "embedded") -> None:
        self._folder, self._threads, self._tokens, self._pair = folder, threads, tokens, pair
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        threads = {} if self._threads is None else {"OMP_NUM_THREADS": str(self._threads)}
        own = {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "SPECVIZ_DATA": str(self._folder / "data")}
        asked = ["app", "--classroom", "--pair", self._pair, "--address", "localhost", "--port", str(self.port)]
        asked += ["--most-tokens", str(self._tokens), "--most-seconds", "600"]
        with (self._folder / "log.txt").open("a") as written:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "specviz", *asked],
                stdout=written,
                stderr=subprocess.STDOUT,
                env={**os.environ, **threads, **own},
            )
        deadline = time.monotonic() + _START_S
        while not answers(self.address):
            assert self._process.poll() is None, f"the server ended by itself: see {self._folder / 'log.txt'}"
            assert time.monotonic() < deadline, f"the server did not answer within {_START_S:.0f} s"
            time.sleep(0.1)

    def end(self) -> None:
        """End it."""
        if self._process is None:
            return
        engines = self.engines()
        self._process.terminate()
        self._process.wait(timeout=_END_S)
        self._process = None
        for engine in engines:
            try:
                engine.wait(timeout=_END_S)
            except psutil.TimeoutExpired:
                engine.kill()

    def engines(self) -> list[psutil.Process]:
        """The engine processes."""
        return list(psutil.Process(self._pid).children(recursive=True))

    def page_s(self) -> float:
        """Processor seconds that the page's process has taken."""
        return _taken(psutil.Process(self._pid))

    def engine_s(self) -> float:
        """Processor seconds that the engine processes have taken."""
        return sum(_taken(each) for each in self.engines())

    def memory(self) -> int:
        """Bytes of memory of the page's process."""
        return int(psutil.Process(self._pid).memory_info().rss)

    @property
    def _pid(self) -> int:
        assert self._process is not None, "the server is not running"
        return self._process.pid


def _taken(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
