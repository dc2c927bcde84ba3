"""Engines without processes, for tests of the line and of what goes where: what they are sent is noted, and they say what a test lets them say."""

from collections.abc import Callable, Sequence

from specviz.wire import Command, Event


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

    @property
    def pid(self) -> int:
        return 1000 + self.made.index(self)

    def send(self, command: Command) -> None:
        self.sent.append(command)

    def kill(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True


def fake_engines() -> type[FakeEngine]:
    """A class of engines of its own for one test."""
    return type("FakeEngine", (FakeEngine,), {"made": []})
