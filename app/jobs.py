"""Requests of all visitors as jobs: a queue for the one engine process, positions in it, cancelling, a heartbeat.

Makes no Streamlit call. Every method may be called from any thread.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from time import monotonic
from uuid import uuid4

from app.engine_client import EngineProcess
from app.job import Job, Json, LoadState, Status, TaskState, always, fail, live_of, recording_of, take
from app.kept_runs import KeptRuns
from app.limits import refusal
from app.line import Line, Pace
from specviz.errors import WorkerError
from specviz.hosting import Hosting
from specviz.trace.conditions import shown
from specviz.trace.files import to_json
from specviz.trace.measured import Kind, Measurement
from specviz.wire import (
    Cancel,
    Command,
    Event,
    Failed,
    JobCommand,
    Lane,
    ListPairs,
    Load,
    Loaded,
    Measure,
    Measured,
    PairAsked,
    Perform,
    Ready,
    Request,
    RunPrompt,
)

_BEAT_S = 0.05
"""How often it is checked whether anybody still watches."""

AWAY_S = 2.5
"""Nobody watches for so long before a job is ended: a page that is loaded again, or whose connection is lost for a moment, keeps its run."""

STOP_S = 5.0
"""What is prepared for a run may end by itself for so long after Stop; then its process is ended, which costs everybody the loaded pair."""

RUN_LIMIT_S = 600.0
"""How long one run may keep the engine from everybody else."""

SILENCE_LIMIT_S = 900.0
"""An engine that reports nothing for so long is taken for lost. Reading a large model from a slow disk can take minutes."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A measurement that was made, and when, in seconds of a clock that only goes forward."""

    measurement: Measurement
    at: float


class Jobs:
    """The queue and the engine process. One job is in the process at a time; a process that died is replaced.

    Args:
        hosting: what visitors may request: what they may not has failed at once, with a sentence that says why.

    Attributes:
        loaded: the last job that found its pair loaded and warm: what it reports of the pair holds for the process.
        measured: the last measurement of each kind, by anybody.
    """

    def __init__(
        self,
        hosting: Hosting | None = None,
        *,
        run_limit_s: float = RUN_LIMIT_S,
        silence_limit_s: float = SILENCE_LIMIT_S,
        stop_s: float = STOP_S,
    ) -> None:
        self._hosting = hosting or Hosting()
        self._run_limit_s = float(self._hosting.most_seconds or run_limit_s)
        self._silence_limit_s, self._stop_s = silence_limit_s, stop_s
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self.loaded: Job | None = None
        self.measured: dict[Kind, Kept] = {}
        self._listings: Job | None = None
        self._waiting = Line()
        self._pace = Pace()
        self._runs = KeptRuns()
        self._current: Job | None = None
        self._ready = False
        self._closed = threading.Event()
        self._engine = self._start()
        threading.Thread(target=self._watch_heartbeats, name="heartbeats", daemon=True).start()

    def load(self, pair: PairAsked, *, watched: Callable[[], bool] = always) -> Job:
        """Request a pair to be loaded and warmed; cancelled soon after nobody watches any more."""
        return self._submit(Load(self._new_id(), pair), watched)

    def run(
        self,
        request: Request,
        *,
        watched: Callable[[], bool] = always,
        visitor: str = "",
        beside: Job | None = None,
    ) -> Job:
        """Request a speculative run and, after it, the plain one where the request has it; both are cancelled soon after
        nobody watches any more.

        Args:
            visitor: who asks. A visitor has one position in the queue: what the same one requested before and has not begun is dropped,
                also from another tab.
            beside: a job of the same visitor that belongs to this one, and stays.
        """
        with self._lock:
            self._make_way(visitor, beside)
            job = self._submit(RunPrompt(self._new_id(), request), watched, visitor)
            self._runs.add(job)
            return job

    def measure(self, pair: PairAsked, what: Kind, *, watched: Callable[[], bool] = always, visitor: str = "") -> Job:
        """Request a measurement, alone on the engine like a run. One of the same kind and pair that is waiting or under way serves this
        visitor too. Otherwise it takes the visitor's position in the queue, and ends a measurement of the same visitor."""
        with self._lock:
            for known in self._in_hand():
                asked = None if known.stopped is not None else known.command
                if isinstance(asked, Measure) and (asked.pair, asked.what) == (pair, what):
                    self.also_watched(known, watched)
                    return known
            current = self._current
            if current is not None and isinstance(current.command, Measure) and visitor and current.visitor == visitor:
                self.cancel(current)
            self._make_way(visitor)
            return self._submit(Measure(self._new_id(), pair, what), watched, visitor)

    def perform(
        self,
        pair: PairAsked | None,
        task: str,
        asked: str,
        *,
        watched: Callable[[], bool] = always,
        visitor: str = "",
        background: bool = False,
    ) -> Job:
        """Request a task, alone on the engine like a run. It takes the visitor's position in the queue.

        Args:
            asked: a record of the task's own room, as JSON text.
            background: the task waits until no other job waits, and takes no visitor's position: long work is requested in small parts, so
                that a visitor waits for one of them at most.
        """
        with self._lock:
            if not background:
                self._make_way(visitor)
            job = self._submit(Perform(self._new_id(), pair, task, asked), watched, visitor, background=background)
            if not background:  # whoever asks for many keeps them; they must not drive out what visitors ran
                self._runs.add(job)
            return job

    def task_state(self, job: Job) -> TaskState:
        """The state of a task now."""
        with self._lock:
            return TaskState(
                job.status, job.message, job.what, job.share, self.queue_position(job), job.report, self.wait_s(job)
            )

    def _make_way(self, visitor: str, beside: Job | None = None) -> None:
        """A visitor has one position in the queue; in a classroom also one job at a time, so that what the engine does for the same visitor
        ends."""
        for waiting in [job for job in self._waiting.of(visitor) if job is not beside]:
            self._drop(waiting, "Stopped before it began: this browser requested another run or measurement.")
        current = self._current
        if current is None or current is beside or current.stopped is not None or not self._hosting.classroom:
            return
        if visitor and current.visitor == visitor and not current.background:
            self.cancel(current)

    def find(self, name: str) -> Job | None:
        """The run with this id, as long as it is kept."""
        with self._lock:
            return self._runs.run(name)

    def find_task(self, name: str, task: str) -> Job | None:
        """The job with this id, if it is a task of this name, as long as it is kept."""
        with self._lock:
            return self._runs.task(name, task)

    def also_watched(self, job: Job, watched: Callable[[], bool]) -> None:
        """Another page of the same visitor shows the run: it goes on as long as one of them is open."""
        with self._lock:
            before = job.watched
            job.watched = lambda: before() or watched()

    def listings(self) -> Job:
        """The list of what can be loaded: requested once, for all visitors."""
        with self._lock:
            if self._listings is None:
                self._listings = self._submit(ListPairs(self._new_id()))
            return self._listings

    def cancel(self, job: Job) -> None:
        """End a job: at once while it waits or loads, after the round it is in while it runs.

        A load cannot be interrupted from within, so its process is ended and another started. A run whose pair is there is about to begin:
        that happens to it only where what is prepared for it does not end soon.
        """
        with self._lock:
            job.stopped = job.stopped or monotonic()
            if job in self._waiting:
                self._drop(job, "Stopped before it began.")
            elif (
                job is self._current
                and job.status is Status.LOADING
                and not (job.pair is None or self._is_there(job.pair))
            ):
                job.status, job.message = Status.CANCELLED, "Stopped while the models were being loaded."
                self._replace_engine()
            elif job is self._current:
                self._send(Cancel(job.id))

    def _is_there(self, pair: PairAsked) -> bool:
        return self.loaded is not None and self.loaded.pair == pair

    def queue_position(self, job: Job) -> int:
        """How many jobs of others are before this one; 0 when it is its turn, or waits for its own models only."""
        with self._lock:
            return self._waiting.position(job, self._current)

    def wait_s(self, job: Job) -> float | None:
        """How long the jobs before this one will take, by what the latest ones of their kinds took; None where there is none before it, or
        where one is of a kind that was not measured yet."""
        with self._lock:
            before = self._waiting.before(job, self._current)
            return self._pace.wait_s(before, monotonic()) if self.queue_position(job) else None

    def load_state(self, job: Job) -> LoadState:
        """The state of a load now."""
        with self._lock:
            return LoadState(
                status=job.status,
                message=job.message,
                what=job.what,
                share=job.share,
                queue_position=self.queue_position(job),
                card=job.card,
                plain_rate=job.plain_rate,
                why_dtype=job.why_dtype,
                wait_s=self.wait_s(job),
            )

    def view(self, job: Job) -> Json:
        """A run as the player takes it, in plain JSON: cumulative, so that a lost update does no harm."""
        with self._lock:
            recording, position = recording_of(job), self.queue_position(job)
            # A run that waits only for its own models shows what their load is doing.
            served = job in self._waiting and not position
            done_now = self._current if served and self._current is not None else job
            return {
                "id": job.id,
                "status": (Status.LOADING if served else job.status).value,
                "message": job.message,
                "what": "starting the engine" if served and not self._ready else done_now.what,
                "share": done_now.share,
                "queue_position": position,
                "wait_s": self.wait_s(job),
                "plain_rate": job.plain_rate,
                "live": live_of(job) if recording is None else None,
                "recording": recording,
                "speedups": list(job.speedups),
                "timed": job.timed,
                "timing": shown(job.conditions),
                "replan": to_json(job.replan),
                "asked": {"prompt": job.request.prompt, "settings": asdict(job.request.settings)},
            }

    def wait_for_rounds(self, job: Job, seconds: float) -> None:
        """Return when the job has its first round or is over, but after this long at the latest."""
        with self._news:
            self._news.wait_for(lambda: bool(job.rounds[Lane.SPECULATIVE]) or job.over, seconds)

    @property
    def engine_pid(self) -> int:
        """The engine process's id, for those who watch its memory."""
        return self._engine.pid

    def close(self) -> None:
        """End the engine process."""
        self._closed.set()
        self._engine.close()

    def _in_hand(self) -> list[Job]:
        """The job that the engine has, and those that wait."""
        return [*([] if self._current is None else [self._current]), *self._waiting]

    def _new_id(self) -> str:
        return uuid4().hex[:16]

    def _drop(self, job: Job, message: str) -> None:
        """Take a waiting job out of the queue."""
        self._waiting.remove(job)
        job.status, job.message = Status.CANCELLED, message
        self._news.notify_all()

    def _replace_engine(self) -> None:
        """End the process together with its job, and start another."""
        self._current = self.loaded = None
        self._engine.kill()
        self._engine = self._start()
        self._news.notify_all()

    def _submit(
        self,
        command: JobCommand,
        watched: Callable[[], bool] = always,
        visitor: str = "",
        *,
        background: bool = False,
    ) -> Job:
        with self._lock:
            job = Job(command, watched=watched, visitor=visitor, background=background)
            if refused := refusal(self._hosting, command):
                fail(job, refused)
                return job
            self._waiting.add(job)
            if self._down:
                self._engine = self._start()
            self._next()
        return job

    def _next(self) -> None:
        """Send the next job to the process, if it is free."""
        if self._current is None and self._ready and self._waiting:
            self._current = self._waiting.take()
            self._current.status = Status.LOADING
            self._current.began = self._current.heard = monotonic()
            self._send(self._current.command)

    def _send(self, command: Command) -> None:
        with suppress(WorkerError):  # its exit is being reported, and that report settles the job
            self._engine.send(command)

    def _start(self) -> EngineProcess:
        self._ready = self._down = False
        return EngineProcess(self._take, self._ended)

    def _take(self, event: Event) -> None:
        """Write an event into its job; one of a job that is no longer the current one is dropped."""
        with self._lock:
            if isinstance(event, Ready):
                self._ready = True
            elif self._current is not None and event.job == self._current.id:
                self._current.heard = monotonic()
                take(self._current, event)
                if isinstance(event, Measured) and event.measurement is not None:
                    self.measured[event.measurement.kind] = Kept(event.measurement, monotonic())
                if isinstance(event, Loaded):
                    self.loaded = self._current
                    self._current.counts = monotonic()  # who comes first has the time of a run, beside that of the load
                elif isinstance(event, Failed) and self._current.pair is not None and self._current.card is None:
                    self.loaded = None  # the pair before was dropped to make room for one that did not come
                self._news.notify_all()
                if self._current.over:
                    self._pace.note(self._current, monotonic())
                    self._current = None
            self._next()

    def _ended(self, why: str) -> None:
        """The process ended: report it to the job it had, keep what that job has, start another.

        A process that died before it was ready would only die again: the jobs that wait fail, and the next request tries.
        """
        with self._lock:
            if self._closed.is_set():
                return
            job, self._current, self.loaded = self._current, None, None
            if job is not None:
                fail(
                    job,
                    f"The engine process stopped in mid-run ({why}). It starts again by itself: press Run.",
                )
            if self._ready:
                self._engine = self._start()
                return
            while self._waiting:
                fail(self._waiting.take(), f"The engine process could not start ({why}): see its log.")
            self._down = True

    def _watch_heartbeats(self) -> None:
        while not self._closed.wait(_BEAT_S):
            with self._lock:
                for job in self._in_hand():
                    job.unwatched = 0 if job.watched() else job.unwatched + 1
                    if job.unwatched * _BEAT_S > AWAY_S and job.stopped is None:
                        self.cancel(job)
                if self._current is not None:
                    self._check_limits(self._current, monotonic())

    def _check_limits(self, job: Job, now: float) -> None:
        """End a run that takes too long, with what it has; and an engine that reports nothing any more."""
        assert job.began is not None, "a job that was sent"
        assert job.heard is not None, "a job that was sent"
        if now - job.heard > self._silence_limit_s:
            minutes = f"{self._silence_limit_s / 60:.3g}"
            fail(job, f"The engine reported nothing for {minutes} minutes and was started again: press Run.")
            self._replace_engine()
        elif job.status is Status.LOADING and job.stopped is not None and now - job.stopped > self._stop_s:
            job.status, job.message = Status.CANCELLED, "Stopped while the run was being prepared."
            self._replace_engine()
        elif (
            job.status is Status.RUNNING and now - (job.counts or job.began) > self._run_limit_s and not job.over_limit
        ):
            job.over_limit = True
            limit = (
                f"{self._hosting.most_seconds} seconds"
                if self._hosting.most_seconds
                else f"{self._run_limit_s / 60:.3g} minutes"
            )
            less = "less" if isinstance(job.command, Perform) else "fewer new tokens"
            job.message = f"Stopped after {limit}, the limit of a run: request {less}."
            self._send(Cancel(job.id))
