"""The engine process as its server sees it: one that cannot be understood is ended, and one that does not read keeps nobody waiting."""

import io
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from typing import Any

import pytest

from specviz.errors import WorkerError
from specviz.serving.process import EngineLines, EngineProcess
from specviz.wire import Event


@pytest.mark.parametrize("line", [b"\xff\xfe", b"[" * 100_000, b'{"kind":"Done"}'], ids=["bytes", "deep", "part"])
def test_an_engine_that_cannot_be_understood_is_ended(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is no event ends the process, whose end is then reported, so that another can be started."""
    began = subprocess.Popen
    script = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.readline()); sys.stdout.flush(); sys.stdin.read()"

    def other(_: list[str], **options: Any) -> Any:
        started = began([sys.executable, "-c", script], **options)
        assert started.stdin is not None
        os.write(started.stdin.fileno(), line + b"\n")
        return started

    monkeypatch.setattr(subprocess, "Popen", other)
    monkeypatch.setattr(sys, "stderr", said := io.StringIO())
    events: list[Event] = []
    codes: list[str] = []
    process = EngineProcess(events.append, codes.append)
    process._listener.join(timeout=20)
    assert (events, len(codes)) == ([], 1)
    assert codes == ["it sent a message that could not be read"]
    assert codes[0] in said.getvalue()


def test_an_engine_that_does_not_read_keeps_nobody_waiting() -> None:
    """A stopped process, and more than its pipe holds: whoever sends has the lock of the queue, which every page needs. What was sent arrives, in
    order, when it reads again; after its end a send is an error."""
    script = (
        "import signal, os, sys; os.kill(os.getpid(), signal.SIGSTOP); [print(len(l), flush=True) for l in sys.stdin]"
    )
    lines: list[str] = []
    read = threading.Event()

    def take(line: str) -> None:
        lines.append(line)
        if len(lines) == 3:
            read.set()

    process = EngineLines(take, lambda why: None, (sys.executable, "-c", script))
    try:
        commands = ["x" * count for count in (300_000, 1, 2)]
        sent = threading.Thread(target=lambda: deque(map(process.send_line, commands)), daemon=True)
        sent.start()
        sent.join(timeout=10)
        assert not sent.is_alive(), "it waits for the process"
        while not read.wait(0.05):
            os.kill(process.pid, signal.SIGCONT)
        assert lines == ["300001\n", "2\n", "3\n"]
    finally:
        process.close()
    with pytest.raises(WorkerError, match="has stopped"):
        process.send_line("x")
