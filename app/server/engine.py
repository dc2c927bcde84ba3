"""One engine of the server: its process, the job it has, the pair it has loaded. Makes no Streamlit call, and knows no queue."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from app.server.job import Job
from specviz.errors import WorkerError
from specviz.known_pairs import PairStatus
from specviz.request import PairRequest
from specviz.serving.process import EngineProcess
from specviz.wire import Command, Event, JobFailure, Load, LoadedPair, Ready, Unavailable

_TRY_AGAIN_S = 30.0


class EngineClient:
    """An engine and what it does. Not safe for threads by itself: whoever has it holds a lock.

    Args:
        command: what its process is started with, now and whenever it died; see `EngineProcess`.
        on_event, on_exit: called with this engine first, from a thread of the process; see `EngineProcess`.

    Attributes:
        job: what it does; None while it is free.
        loaded: the last job that found its pair loaded and warm: what that one reports of the pair holds for the process.
        ready: whether it reads commands.
        listings: the pairs that are offered, as its machine sees them; empty before it is ready.
        down: whether its process ended before it was ready; it was not tried again since.
        started_at: when its process was started, in seconds of `time.monotonic`.
    """

    def __init__(
        self,
        command: Sequence[str],
        on_event: Callable[["EngineClient", Event], None],
        on_exit: Callable[["EngineClient", str], None],
    ) -> None:
        self._command, self._on_event, self._on_exit = command, on_event, on_exit
        self._machine: str | None = None
        self.listings: tuple[PairStatus, ...] = ()
        self._used_at = 0.0
        self.start()

    def start(self) -> None:
        """Start its process, the first one or another."""
        self.ready = self.down = False
        self.job: Job | None = None
        self.loaded: Job | None = None
        self._why_unavailable = ""
        self.started_at = monotonic()
        self._process = EngineProcess(
            lambda event: self._on_event(self, event), lambda why: self._on_exit(self, why), self._command
        )

    def restart(self) -> None:
        """End the process together with its job, and start another."""
        self._process.kill()
        self.start()

    def close(self) -> None:
        """End the process."""
        self._process.close()

    @property
    def free(self) -> bool:
        """True if it can take a job now."""
        return self.ready and self.job is None

    @property
    def cost_of_loading(self) -> tuple[bool, float]:
        """Sorts engines by what is lost when they load another pair: first those that have none, then those that were used longest ago."""
        return self.loaded is not None, self._used_at

    def send_job(self, job: Job) -> None:
        """Send it a job; it is free."""
        self.job = job
        self._used_at = monotonic()
        self.send(job.command)

    def send(self, command: Command) -> None:
        """Send it a command."""
        with suppress(WorkerError):  # its exit is being reported, and that report settles the job
            self._process.send(command)

    def apply(self, event: Event) -> None:
        """Take in what an event says of the engine itself."""
        if isinstance(event, Ready):
            self.ready, self._machine, self.listings = True, event.machine or self._machine, event.listings
        elif isinstance(event, Unavailable):
            self._why_unavailable = event.why
        elif isinstance(event, LoadedPair):
            self.loaded = self.job
        elif (
            isinstance(event, JobFailure)
            and self.job is not None
            and self.job.pair is not None
            and self.job.card is None
        ):
            self.loaded = None  # the pair before was dropped to make room for one that did not come

    def exited(self, why: str) -> str:
        """The process ended; returns the reason, in its own words where it gave any."""
        self.job = self.loaded = None
        self.down = not self.ready
        return self._why_unavailable or why

    def has(self, pair: PairRequest) -> bool:
        """True if this pair is loaded."""
        return self.loaded is not None and self.loaded.pair == pair

    def keeps(self, pair: PairRequest) -> bool:
        """True if this pair is loaded, and the job that it does, if any, does not drop it."""
        return self.has(pair) and (self.job is None or self.job.pair in (None, pair))

    def loads_for(self, job: Job) -> bool:
        """True if a job need not begin anywhere else: its pair is being loaded here, and one of the two jobs is a load alone."""
        if job.pair is None or self.job is None or self.job.pair != job.pair or self.has(job.pair):
            return False
        return isinstance(job.command, Load) or isinstance(self.job.command, Load)

    def disturbs(self, other: "EngineClient") -> bool:
        """True if it uses the machine of another engine: it does a job there, or starts."""
        active = self.job is not None or not (self.ready or self.down)
        return self is not other and active and self._machine == other._machine


def engine_for(job: Job, engines: Sequence[EngineClient]) -> EngineClient | None:
    """The free engine that does this job: one that has its pair, else the one that was used longest ago. None where it waits: for an engine,
    for its pair, which one is loading, or for another job of its visitor, since two runs of one race must not disturb each other."""
    if job.visitor and any(engine.job is not None and engine.job.visitor == job.visitor for engine in engines):
        return None
    free = [engine for engine in engines if engine.free]
    with_pair = next((engine for engine in free if job.pair is not None and engine.has(job.pair)), None)
    if with_pair is None and any(engine.loads_for(job) for engine in engines):
        return None
    return with_pair or min(free, key=lambda engine: engine.cost_of_loading, default=None)


def expected_count(engines: Sequence[EngineClient]) -> int:
    """How many engines the queue is for: those that are ready; before that, those that start."""
    ready = sum(engine.ready for engine in engines)
    return ready or max(1, sum(not engine.down for engine in engines))


def start_again(engines: Sequence[EngineClient]) -> None:
    """Start the engines that could not start before, with a request; not more often than every `_TRY_AGAIN_S` while others work."""
    all_down = all(engine.down for engine in engines)
    for engine in engines:
        if engine.down and (all_down or monotonic() - engine.started_at > _TRY_AGAIN_S):
            engine.start()
