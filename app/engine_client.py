"""The engine process seen from the page's side: started as a module of its own; commands go in and events come out, a line each."""

import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from specviz.errors import WorkerError
from specviz.wire import Command, Event, decode_event, encode


class EngineProcess:
    """One `python -m specviz.runs.engine_process`.

    Args:
        on_event: called for every event, from a thread of this object.
        on_exit: called once with the exit code when the process ends by itself.
    """

    def __init__(self, on_event: Callable[[Event], None], on_exit: Callable[[int], None]) -> None:
        self._on_event, self._on_exit = on_event, on_exit
        self._closing = False
        self._writing = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "specviz.runs.engine_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # a Ctrl-C is for the server, which then ends this process
        )
        self._listener = threading.Thread(target=self._listen, name="engine-events", daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def send(self, command: Command) -> None:
        """Send one command.

        Raises:
            WorkerError: the process has ended.
        """
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(encode(command) + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise WorkerError(
                "The engine process has stopped: it is being started again, press Run once more."
            ) from error

    def kill(self) -> None:
        """End the process without waiting for it; its exit is not reported."""
        self._closing = True
        self._process.kill()

    def close(self) -> None:
        """End the process."""
        self.kill()
        self._listener.join()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        try:
            with self._process.stdout as events:
                for line in events:
                    if line.endswith("\n"):  # the last line of a process that was killed can be incomplete
                        self._on_event(decode_event(line))
        except WorkerError as error:
            sys.stderr.write(f"specviz: {error}\n")
        finally:
            self._process.kill()  # whatever went wrong here, its end is reported below and another is started
        code = self._process.wait()
        with self._writing, suppress(OSError):
            self._process.stdin.close()
        if not self._closing:
            self._on_exit(code)
