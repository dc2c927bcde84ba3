"""The server under load, started as `specviz app --classroom` starts it, and what its processes take."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.app.app_server import ROOT, started


@dataclass(frozen=True, slots=True)
class ClassroomHost:
    """A classroom on a port of its own."""

    address: str
    process: psutil.Process

    def page_s(self) -> float:
        """Processor seconds that the page's process has taken."""
        return _taken(self.process)

    def engine_s(self) -> float:
        """Processor seconds that the engine processes have taken."""
        return sum(map(_taken, self.process.children(recursive=True)))


@contextmanager
def classroom(folder: Path, *, tokens: int = 128) -> Iterator[ClassroomHost]:
    """A server, which is gone when the block is left; its log is in `folder`. `tokens`: new ones of a run, at most."""
    own = {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-m", "specviz", "app", "--classroom", "--pair", "embedded", "--address", "localhost"]
    command += ["--most-tokens", str(tokens), "--most-seconds", "600", "--port"]
    with started(command, ROOT, folder / "log.txt", {**os.environ, **own}) as (address, process):
        yield ClassroomHost(address, process)


def _taken(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
