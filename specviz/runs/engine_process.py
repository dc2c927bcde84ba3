"""The engine: keeps one pair loaded, does one job at a time, reports what happens. `specviz.runs.serve` is its process."""

import gc
import math
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pkgutil import resolve_name
from time import monotonic
from typing import IO, assert_never

import torch

from specviz.errors import DeviceLostError, SpecvizError, brief
from specviz.models import Pair, load_pair
from specviz.models.devices import device_lost
from specviz.models.machine_notes import CoreTime
from specviz.models.threads import fitting_threads
from specviz.request import PairRequest, Request
from specviz.runs.costs import watched
from specviz.runs.load_watch import Watchman
from specviz.runs.prepare import Prepared, prepare
from specviz.runs.race import TimedRuns, largest_speedup, median_pair, plain_rate, same_rounds, time_turn, turn_figure
from specviz.runs.run import Run
from specviz.trace.conditions import counted
from specviz.trace.earlier import only_copied
from specviz.trace.files import dumps
from specviz.trace.metrics import speedup
from specviz.trace.records import Round, Stop, Trace
from specviz.wire import (
    Done,
    Event,
    JobCommand,
    JobFailure,
    Lane,
    LaneEnd,
    Load,
    LoadedPair,
    Perform,
    Progress,
    Rounds,
    RunPrompt,
    RunStart,
    TaskReport,
    encode,
)

_FLUSH_S = 0.04
_TIMED_PAIRS = 5
# A short run is timed again, up to so many pairs and about so many seconds; twice as long where other programs
# disturb it.
_TIMED_S = 1.5
# While there is nothing to do, the load of the machine is read so often: a job then starts with as many threads as
# find a core.
IDLE_S = 1.0
# So many cancelled jobs are remembered at most: a job that is cancelled just after its end never comes again.
_CANCELLED = 64
KEPT_CORES = 1  # the page needs a core of its own
_DOING: dict[type, str] = {Load: "Loading the pair", RunPrompt: "The run"}  # as the subject of a sentence


@dataclass(frozen=True, slots=True)
class _ActivePair:
    """The pair that is loaded, with its request and its plain speed."""

    request: PairRequest
    pair: Pair
    plain_rate: float


class Engine:
    """Does jobs in order; `cancel` may be called from another thread at any time. `tasks`: the function of each task,
    as module:name."""

    def __init__(self, out: IO[str], tasks: Mapping[str, str] | None = None) -> None:
        self._out = out
        self._tasks = tasks or {}
        self._lock = threading.Lock()
        self._cancelled: deque[str] = deque(maxlen=_CANCELLED)
        self._loaded: _ActivePair | None = None

    def send(self, event: Event) -> None:
        """Send one event."""
        line = encode(event)
        with self._lock:
            self._out.write(line + "\n")
            self._out.flush()

    def cancel(self, job: str) -> None:
        """End this job after the round it is in, or before it starts."""
        self._cancelled.append(job)

    @fitting_threads(KEPT_CORES)
    def do(self, command: JobCommand) -> None:
        """One job, from command to its last event; a failure is an event too."""
        job = command.job
        try:
            match command:
                case Load():
                    self._ready(job, command.pair)
                case RunPrompt():
                    self._prepare_and_run(job, self._ready(job, command.request.pair), command.request)
                case Perform():
                    pair = None if command.pair is None else self._ready(job, command.pair)
                    self._perform(job, command.task, pair, command.asked)
                case _:
                    assert_never(command)
        except DeviceLostError as error:
            self.send(JobFailure(job, str(error)))
            raise SystemExit(1) from error  # the page's process starts another
        except SpecvizError as error:
            self.send(JobFailure(job, str(error)))
            free_memory()
        except Exception as error:  # whatever a model raises must not end the process
            reason = f"{type(error).__name__}: {brief(error)}"
            doing = f"The task {command.task}" if isinstance(command, Perform) else _DOING[type(command)]
            self.send(JobFailure(job, f"{doing} failed ({reason}). Try again."))
            if device_lost(error):
                raise SystemExit(1) from error
            free_memory()
        with suppress(ValueError):
            self._cancelled.remove(job)

    def _ready(self, job: str, request: PairRequest) -> Pair:
        """The pair that the job names, loaded, warm and measured; the pair before it is dropped first."""
        if self._loaded is None or request != self._loaded.request:
            self._loaded = None
            free_memory()
            pair = load_pair(
                request.name,
                target=request.target,
                draft=request.draft,
                head=request.head,
                device=request.device,
                dtype=request.dtype,
                progress=lambda what, share: self.send(Progress(job, what, share)),
            )
            self.send(Progress(job, "measuring plain decoding", None))
            with watched(pair, KEPT_CORES):
                self._loaded = _ActivePair(request, pair, plain_rate(pair))
        self.send(LoadedPair(job, self._loaded.pair.card, self._loaded.plain_rate, self._loaded.pair.why_dtype))
        return self._loaded.pair

    def _prepare_and_run(self, job: str, pair: Pair, request: Request) -> None:
        with watched(pair, KEPT_CORES) as watchman:
            prepared = prepare(pair, request.settings, announce=lambda step: self.send(Progress(job, step, None)))
            self._run(job, prepared, request, watchman)

    def _run(self, job: str, prepared: Prepared, request: Request, watchman: Watchman) -> None:
        """The speculative run, then the plain one on the same prompt: each alone; then both again for the timing.

        Both sides always have the same number of threads, fewer where other programs use the cores.
        """
        lanes = (Lane.SPECULATIVE, Lane.PLAIN) if request.plain else (Lane.SPECULATIVE,)
        sides = {Lane.SPECULATIVE: prepared, Lane.PLAIN: prepared.plain()}

        def new(lane: Lane) -> Run:
            return Run(sides[lane], request.prompt, template=request.template, earlier=request.earlier)

        traces: list[Trace] = []
        times: list[CoreTime] = []
        stop = None
        for lane in lanes:
            run = new(lane)
            times.append(CoreTime())
            stop = self._follow(job, run, lane, times[-1])
            if run.rounds:
                traces.append(run.trace())
            if stop is None:
                break
            self.send(LaneEnd(job, lane, stop))
        timed = [tuple(traces)] if stop is not None else []
        wanted = 1
        if timed:
            watchman.add_turn(turn_figure(timed[0]), times, largest_speedup(timed[0]))
            sides[Lane.SPECULATIVE] = prepared.repeating(traces[0].rounds)
            wanted = self._time_again(job, new, lanes, timed, watchman)
        conditions = watchman.conditions(wanted, compared=request.plain) if timed else None
        if timed:
            _, indices = counted(watchman.turns, wanted)
            timed = [timed[index] for index in indices]
            traces = list(median_pair(timed))
        self.send(
            Done(
                job,
                recording=dumps([only_copied(trace) for trace in traces]) if traces else None,
                cancelled=job in self._cancelled,
                speedups=tuple(speedup(both[1], both[0]) for both in timed if len(both) > 1),
                timed=len(timed),
                conditions=conditions,
            )
        )

    def _perform(self, job: str, name: str, pair: Pair | None, request: str) -> None:
        """A task of another package; the page keeps its last report."""
        task: Task = resolve_name(self._tasks[name])
        task(
            Work(
                pair,
                request,
                report=lambda text: self.send(TaskReport(job, text)),
                progress=lambda what, share: self.send(Progress(job, what, share)),
                stopped=lambda: job in self._cancelled,
            )
        )
        self.send(Done(job, job in self._cancelled))

    def _time_again(
        self,
        job: str,
        new: Callable[[Lane], Run],
        lanes: Sequence[Lane],
        timed: list[TimedRuns],
        watchman: Watchman,
    ) -> int:
        """Time a short run again, in turn: each turn starts with the other side. Returns how many turns were wanted.

        Others wait for the engine, so a run that takes long is timed once.
        """
        spent = 0.0
        while True:
            wanted = min(_TIMED_PAIRS, math.ceil(_TIMED_S / max(watchman.turn_s, _TIMED_S / _TIMED_PAIRS)))
            calm = watchman.turns[-1].calm
            affordable = spent + watchman.turn_s < _TIMED_S * (1 if calm else 2)
            if not affordable or not watchman.may_repeat(wanted) or job in self._cancelled:
                return wanted
            again_for = "timing both again, in turn" if len(lanes) > 1 else "timing it again"
            busy = f"this machine is busy: waiting for free cores, then {again_for}"
            self.send(Progress(job, again_for if calm else busy, None))
            watchman.wait_for_cores(lambda: job in self._cancelled)
            runs, times = time_turn(new, lanes, first=lanes[len(timed) % len(lanes)])
            if not same_rounds(runs, timed[0]):  # not those that were watched
                return wanted
            timed.append(runs)
            watchman.add_turn(turn_figure(runs), times, largest_speedup(runs))
            spent += sum(time.wall_s for time in times)

    def _follow(self, job: str, run: Run, lane: Lane, time: CoreTime) -> Stop | None:
        """Send the rounds of one run as they come, and add up the time of decoding alone; returns the reason of its end, or None when it
        was cancelled before."""
        waiting: list[Round] = []
        sent: set[int] = set()
        flushed = 0.0
        for round_ in time.over(run):
            if not run.rounds[1:] and lane is Lane.SPECULATIVE:
                table = run.table([])
                sent.update(table)
                self.send(RunStart(job, run.card, run.prompt_ids, table, run.prefill, run.settings, run.plan))
            waiting.append(round_)
            time_s = monotonic()
            if time_s - flushed > _FLUSH_S:
                self._flush(job, run, lane, waiting, sent)
                waiting, flushed = [], time_s
            if job in self._cancelled:
                break
        if waiting:
            self._flush(job, run, lane, waiting, sent)
        return run.stop

    def _flush(self, job: str, run: Run, lane: Lane, rounds: list[Round], sent: set[int]) -> None:
        """Send rounds, and the bytes of the ids that were not sent before."""
        table = {i: data for i, data in run.table(rounds, prompt=False).items() if i not in sent}
        sent.update(table)
        self.send(Rounds.of(job, lane, rounds, table))


def free_memory() -> None:
    """Free the memory of the pair before, so that it does not count as used."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


@dataclass(frozen=True, slots=True)
class Work:
    """A requested task.

    Attributes:
        pair: loaded and warm; None where the command named none.
        request: a record of the task's own package, as JSON text.
        report: send the results so far, as JSON text: each report replaces the one before.
        progress: show a step, and the share of it that is done, 0 to 1; None where that is not known.
        stopped: returns True when somebody pressed Stop: then end soon. The last report stays.
    """

    pair: Pair | None
    request: str
    report: Callable[[str], None]
    progress: Callable[[str, float | None], None]
    stopped: Callable[[], bool]

    def require_pair(self) -> Pair:
        """The pair, for a task that needs one."""
        assert self.pair is not None, "the command names a pair"
        return self.pair


# Performs a task and returns when it is over; raises SpecvizError, whose sentence the visitor reads, where that is impossible.
Task = Callable[[Work], None]
