"""An engine process seen from outside: started as a module of its own; commands go in and events come out, a line each."""

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue

from specviz.errors import WorkerError
from specviz.wire import Command, Event, decode_event, encode

COMMAND: tuple[str, ...] = (sys.executable, "-P", "-m", "specviz.engine")  # an engine of this machine


class EngineLines:
    """One engine process, whose lines are passed on as they are.

    Args:
        on_line: called for every line that it writes, from a thread of this object. If it raises, the process is ended.
        on_exit: called once when the process ends by itself, or says what cannot be read and is ended for it; with the reason, in
            a few words.
        command: the program that is started, with its arguments; `COMMAND` where none is given.
    """

    def __init__(
        self, on_line: Callable[[str], None], on_exit: Callable[[str], None], command: Sequence[str] = ()
    ) -> None:
        self._on_line, self._on_exit = on_line, on_exit
        self._closing = False
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._process = subprocess.Popen(  # noqa: S603  # our own program
            command or COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",  # a damaged line is damaged JSON then, which is reported
            start_new_session=True,  # a Ctrl-C is for the server, which then ends this process
        )
        self._writer = threading.Thread(target=self._write, name="engine-commands", daemon=True)
        self._writer.start()
        self._listener = threading.Thread(target=self._listen, name="engine-events", daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def send_line(self, line: str) -> None:
        """Send a line, without its line end. Returns at once, also where the process does not read: whoever sends may
        have a lock. Raises WorkerError if the process has ended."""
        if not self._writer.is_alive() or self._process.poll() is not None:
            raise WorkerError("The engine process has stopped: it is being started again, press Run once more.")
        self._lines.put(line)

    def kill(self) -> None:
        """End the process without waiting for it; its exit is not reported."""
        self._closing = True
        self._process.kill()

    def close(self) -> None:
        """End the process."""
        self.kill()
        self._listener.join()

    def _write(self) -> None:
        """Write the lines in their order, until the process ends."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            while (line := self._lines.get()) is not None:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        why = ""
        try:
            with self._process.stdout as events:
                for line in events:
                    if self._closing:
                        break  # what it still had to say belongs to a job that is over
                    if line.endswith("\n"):  # the last line of a process that was killed can be incomplete
                        self._on_line(line)
        except Exception as error:  # noqa: BLE001  # whatever it was, a job waits: the process is ended, and that is reported
            why = "it sent a message that could not be read"
            sys.stderr.write(f"specviz: {why}: {type(error).__name__}: {error}\n")
        self._process.kill()
        code = self._process.wait()
        self._lines.put(None)
        self._writer.join()
        with suppress(OSError):
            self._process.stdin.close()
        if not self._closing:
            self._on_exit(why or f"exit code {code}")


class EngineProcess(EngineLines):
    """An engine process that is sent commands and reports events.

    Args:
        on_event: called for every event, from a thread of this object.
        on_exit, command: see `EngineLines`.
    """

    def __init__(
        self, on_event: Callable[[Event], None], on_exit: Callable[[str], None], command: Sequence[str] = ()
    ) -> None:
        super().__init__(lambda line: on_event(decode_event(line)), on_exit, command)

    def send(self, command: Command) -> None:
        """Send one command. Raises WorkerError if the process has ended."""
        self.send_line(encode(command))
