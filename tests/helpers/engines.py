"""Engines without processes, for tests of the line and of what goes where: what they are sent is noted, and they say what a test lets them say."""

from collections.abc import Callable, Sequence
from typing import Any

from app.server.job import Job
from specviz.wire import Command, Done, Event, LoadedPair
from tests.helpers.views import trace_of

CARD = trace_of(["a"]).card


class FakeEngine:
    """Stands for `EngineProcess`. The instances that were made are in `made`, in order."""

    made: list["FakeEngine"]

    def __init__(
        self, on_event: Callable[[Event], None], on_exit: Callable[[str], None], command: Sequence[str] = ()
    ) -> None:
        self.says, self.ends, self.command = on_event, on_exit, command
        self.sent: list[Command] = []
        self.closed = False
        self.made.append(self)

    def send(self, command: Command) -> None:
        self.sent.append(command)

    def loads(self, job: Job) -> None:
        """It says that the pair of a job is loaded."""
        self.says(LoadedPair(job.id, CARD, 100.0, "it is faster"))

    def does(self, job: Job, *, cancelled: bool = False, **figures: Any) -> None:
        """It says that a job is over."""
        self.says(Done(job.id, cancelled, timed=1, **figures))

    def kill(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True


def fake_engines() -> type[FakeEngine]:
    """A class of engines of its own for one test."""
    return type("FakeEngine", (FakeEngine,), {"made": []})
