"""One engine of the server: its process, the job it has, the pair it has loaded. Makes no Streamlit call, and knows no line of jobs."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from app.server.job import Job
from specviz.errors import WorkerError
from specviz.request import PairAsked
from specviz.serving.process import EngineProcess
from specviz.wire import Command, Event, Failed, Load, Loaded, Ready, Unavailable


class Slot:
    """An engine and what it does. Not safe for threads by itself: whoever has it holds a lock.

    Args:
        command: what its process is started with, now and whenever it died; see `EngineProcess`.
        on_event, on_exit: called with this slot first, from a thread of the process; see `EngineProcess`.

    Attributes:
        job: what it does; None while it is free.
        loaded: the last job that found its pair loaded and warm: what that one reports of the pair holds for the process.
        ready: whether it reads commands.
        down: whether it could not start, since when it has not been tried again.
        machine: where it runs; None where that is not known yet.
        used: when it was last given a job, in seconds of a clock that only goes forward.
    """

    def __init__(
        self, command: Sequence[str], on_event: Callable[["Slot", Event], None], on_exit: Callable[["Slot", str], None]
    ) -> None:
        self._command, self._on_event, self._on_exit = command, on_event, on_exit
        self.job: Job | None = None
        self.loaded: Job | None = None
        self.machine: str | None = None
        self.used = 0.0
        self.start()

    def start(self) -> None:
        """Start its process, the first one or another."""
        self.ready = self.down = False
        self.loaded = None
        self._why = ""
        self.began = monotonic()
        self._engine = EngineProcess(
            lambda event: self._on_event(self, event), lambda why: self._on_exit(self, why), self._command
        )

    def replace(self) -> None:
        """End the process together with its job, and start another."""
        self.job = None
        self._engine.kill()
        self.start()

    def close(self) -> None:
        """End the process."""
        self._engine.close()

    @property
    def pid(self) -> int:
        """The process's id; of an engine of a cluster, that of the process here which speaks to it."""
        return self._engine.pid

    @property
    def free(self) -> bool:
        """Whether it can take a job now."""
        return self.ready and self.job is None

    @property
    def active(self) -> bool:
        """Whether it uses its machine: it does a job, or starts."""
        return self.job is not None or not (self.ready or self.down)

    def give(self, job: Job) -> None:
        """Send it a job; it is free."""
        self.job = job
        self.used = monotonic()
        self.send(job.command)

    def send(self, command: Command) -> None:
        """Send it a command."""
        with suppress(WorkerError):  # its exit is being reported, and that report settles the job
            self._engine.send(command)

    def note(self, event: Event) -> None:
        """Take in what an event says of the engine itself."""
        if isinstance(event, Ready):
            self.ready, self.machine = True, event.machine or self.machine
        elif isinstance(event, Unavailable):
            self._why = event.why
        elif isinstance(event, Loaded):
            self.loaded = self.job
        elif isinstance(event, Failed) and self.job is not None and self.job.pair is not None and self.job.card is None:
            self.loaded = None  # the pair before was dropped to make room for one that did not come

    def over(self, why: str) -> str:
        """The process ended: the reason, in its own words where it gave any."""
        self.job = self.loaded = None
        self.down = not self.ready
        return self._why or why

    def has(self, pair: PairAsked) -> bool:
        """Whether this pair is loaded."""
        return self.loaded is not None and self.loaded.pair == pair

    def keeps(self, pair: PairAsked) -> bool:
        """Whether this pair is loaded, and the job that it does, if any, does not drop it."""
        return self.has(pair) and (self.job is None or self.job.pair in (None, pair))

    def is_loading(self, pair: PairAsked) -> bool:
        """Whether the job that it does loads this pair now."""
        return self.job is not None and self.job.pair == pair and not self.has(pair)

    def loads_for(self, job: Job) -> bool:
        """Whether a job need not begin anywhere else: its pair is being loaded here, and that is all that is wanted of this engine, or of the job."""
        if job.pair is None or self.job is None or not self.is_loading(job.pair):
            return False
        return isinstance(job.command, Load) or isinstance(self.job.command, Load)

    def disturbs(self, other: "Slot") -> bool:
        """Whether it uses the machine of another engine."""
        return self is not other and self.active and self.machine == other.machine
