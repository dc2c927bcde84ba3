"""The requests of all visitors as jobs: the queue, the engines that do them one at a time, and what a page shows of each. Makes no Streamlit call.

Every method may be called from any thread.
"""

import json
import threading
from collections.abc import Callable
from time import monotonic
from uuid import uuid4

from app.server.engine import EngineClient, engine_for, expected_count, start_again
from app.server.job import Job, Json, Status, always
from app.server.job_queue import JobDurations, JobQueue, prepares
from app.server.limits import TimeLimits, full, refusal
from app.server.updates import LiveState
from specviz.known_pairs import PairStatus
from specviz.request import PairRequest, Request
from specviz.serving.engines import RayEngines
from specviz.serving.hosting import Hosting
from specviz.wire import (
    Cancel,
    Event,
    JobCommand,
    JobEvent,
    Load,
    LoadedPair,
    Perform,
    Ready,
    Rounds,
    RunPrompt,
    Unavailable,
)

# A job ends when no page has watched it for so long: a reload or a connection lost for a moment keeps the run.
AWAY_S = 2.5
BEAT_S = 0.05  # the watchdog checks jobs so often
# Runs of all visitors that can be found again, and all that is kept of them.
KEPT_RUNS, KEPT_CHARACTERS = 200, 20_000_000


class Jobs:
    """The queue and the engines. An engine that died is replaced.

    Args:
        hosting: what visitors may request: what they may not has failed at once, with a sentence that says why.
        engines: those of a Ray cluster; one process of this machine where none are given.
        address_of: from where a visitor comes; "" where that is not known.
        limits: how long an engine may take.
    """

    def __init__(
        self,
        hosting: Hosting | None = None,
        engines: RayEngines | None = None,
        *,
        address_of: Callable[[str], str] = lambda visitor: "",
        limits: TimeLimits | None = None,
    ) -> None:
        self._hosting = hosting or Hosting()
        self._limits = limits or TimeLimits(self._hosting.most_seconds)
        self._lock = threading.RLock()
        self._changed, self._closed = threading.Condition(self._lock), threading.Event()
        self._queue, self._durations = JobQueue(address_of), JobDurations()
        self._kept: dict[str, Job] = {}
        self.engines: list[EngineClient] = []
        with self._lock:  # an engine can be ready before the last one is started
            for command in [()] if engines is None else [engines.command()] * engines.count:
                self.engines.append(EngineClient(command, self._on_event, self._on_exit))
        threading.Thread(target=self._watchdog, name="watchdog", daemon=True).start()

    def close(self) -> None:
        """End the engines."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()
        for engine in self.engines:
            engine.close()

    # -------------------------------------------------------------- requests

    def load(self, pair: PairRequest, *, watched: Callable[[], bool] = always) -> Job:
        """Request a pair to be loaded and warmed; cancelled soon after nobody watches any more. Over at once where an engine has it. One load of a
        pair serves everybody who waits for it."""
        with self._lock:
            for job in self.running() + self.waiting():
                if isinstance(job.command, Load) and job.command.pair == pair and job.cancelled_at is None:
                    job.watchers.add(watched)
                    return job
            return self._submit(Load(_new_id(), pair), watched)

    def run(
        self, request: Request, *, watched: Callable[[], bool] = always, visitor: str = "", beside: Job | None = None
    ) -> Job:
        """Request a speculative run and, after it, the plain one where the request has it; both are cancelled soon after
        nobody watches any more.

        Args:
            visitor: who requests it. A visitor has one position in the queue: what the same one requested before and has not begun is dropped,
                also from another tab.
            beside: a job of the same visitor that belongs to this one, and stays.
        """
        with self._lock:
            self._make_way(visitor, beside)
            job = self._submit(RunPrompt(_new_id(), request), watched, visitor)
            job.rival_of = beside.id if beside is not None else ""
            return self._keep(job)

    def perform(
        self,
        pair: PairRequest | None,
        task: str,
        asked: str,
        *,
        watched: Callable[[], bool] = always,
        visitor: str = "",
    ) -> Job:
        """Request a task, alone on its engine like a run. It takes the visitor's position in the queue. `asked`: a
        record of the task's own package, as JSON text."""
        with self._lock:
            self._make_way(visitor)
            return self._keep(self._submit(Perform(_new_id(), pair, task, asked), watched, visitor))

    def cancel(self, job: Job) -> None:
        """End a job: at once while it waits or loads, after the round it is in while it runs.

        A load cannot be interrupted from within, so its process is ended and another started. A run whose pair is there is about to begin:
        that happens to it only where what is prepared for it does not end soon.
        """
        with self._lock:
            job.cancelled_at = job.cancelled_at or monotonic()
            if job in self._queue:
                self._drop(job, "Stopped before it began.")
            elif (engine := next((engine for engine in self.engines if engine.job is job), None)) is None:
                return
            elif job.status is Status.LOADING and not (job.pair is None or engine.has(job.pair)):
                self._restart(engine, Status.CANCELLED, "Stopped while the models were being loaded.")
            else:
                engine.send(Cancel(job.id))

    def watch(self, job: Job, watched: Callable[[], bool]) -> None:
        """Another page of the same visitor shows the job: it goes on as long as one of them is open."""
        with self._lock:
            job.watchers.add(watched)

    def leave(self, job: Job, watched: Callable[[], bool]) -> None:
        """A page does not need the job any more: it is cancelled where no other page does."""
        with self._lock:
            job.watchers.discard(watched)
            if not job.watchers:
                self.cancel(job)

    def find(self, job_id: str, task: str = "") -> Job | None:
        """The run with this id, or else the task of this name, as long as it is kept."""
        with self._lock:
            job = self._kept.get(job_id)
            command = None if job is None else job.command
            name = command.task if isinstance(command, Perform) else ""
            return job if isinstance(command, RunPrompt | Perform) and name == task else None

    def _make_way(self, visitor: str, beside: Job | None = None) -> None:
        """A visitor has one position in the queue; in a classroom also one job at a time, so that what the engine does for the same visitor
        ends."""
        if not visitor:
            return
        for job in self._queue:
            if job.visitor == visitor and job is not beside:
                self._drop(job, "Stopped before it began: this browser requested another run.")
        for job in self.running() if self._hosting.classroom else ():
            if job.visitor == visitor and job is not beside and job.cancelled_at is None:
                self.cancel(job)

    def _submit(self, command: JobCommand, watched: Callable[[], bool] = always, visitor: str = "") -> Job:
        job = Job(command, watchers={watched}, visitor=visitor)
        of_address = self._queue.count_of_address(visitor)
        crowd = full(self._hosting, command, visitor, len(self._queue), of_address)
        if sentence := refusal(self._hosting, command) or crowd:
            job.end(Status.FAILED, sentence)
            return job
        self._queue.add(job, self.running())
        start_again(self.engines)
        self._send_next()
        self._notify()
        return job

    def _keep(self, job: Job) -> Job:
        """Keep a job, to be found again; where there are too many, the oldest that are over are dropped."""
        self._kept[job.id] = job
        spare = KEPT_CHARACTERS
        for index, earlier in enumerate(reversed([*self._kept.values()])):
            spare -= earlier.size
            if earlier.over and (index >= KEPT_RUNS or spare < 0):
                del self._kept[earlier.id]
        return job

    def _drop(self, job: Job, message: str) -> None:
        """Take a waiting job out of the queue."""
        self._queue.remove(job)
        job.end(Status.CANCELLED, message)
        self._notify(job)

    # -------------------------------------------------------------- what a page shows

    def running(self) -> list[Job]:
        """The jobs that engines have."""
        with self._lock:
            return [engine.job for engine in self.engines if engine.job is not None]

    def waiting(self) -> list[Job]:
        """The jobs that wait, in order."""
        with self._lock:
            return [*self._queue]

    def loaded(self, pair: PairRequest) -> Job | None:
        """The last job that found this pair loaded and warm in an engine that still has it; None where none has it."""
        with self._lock:
            jobs = [engine.loaded for engine in self.engines if engine.loaded and engine.has(pair)]
            return max(jobs, key=lambda job: job.loaded_at or 0.0, default=None)

    def listings(self) -> tuple[PairStatus, ...] | None:
        """The pairs that are offered, as the machine of an engine sees them; None while the engines start."""
        with self._lock:
            if any(engine.ready for engine in self.engines):
                return next(engine.listings for engine in self.engines if engine.ready)
            return () if all(engine.down for engine in self.engines) else None

    def next_dropped(self) -> Job | None:
        """The last job that found the pair loaded which would be dropped for another one now; None where an engine has none."""
        with self._lock:
            return min(self.engines, key=lambda engine: engine.cost_of_loading).loaded

    def queue_position(self, job: Job) -> int:
        """How many jobs have to end before this one begins; 0 when it is its turn, or waits for its own models only."""
        with self._lock:
            position = self._queue.position(job, self.running(), expected_count(self.engines))
            return max(position, int(self._waits_for_visitor(job)))

    def wait_s(self, job: Job) -> float | None:
        """How long it takes until it is this job's turn, see `JobDurations.wait_s`; None where it is, or where that is not known."""
        with self._lock:
            if not self.queue_position(job):
                return None
            running = self.running()
            engines = len(running) if self._waits_for_visitor(job) else expected_count(self.engines)
            return self._durations.wait_s(running, self._queue.before(job), monotonic(), engines)

    def view(self, job: Job) -> Json:
        """A run with everything that has come of it, in plain JSON."""
        with self._lock:
            recording = job.recording_json()
            return {**self.state(job), "live": job.live_json() if recording is None else None, "recording": recording}

    def state(self, job: Job) -> Json:
        """The progress of a run, in plain JSON: everything but its rounds."""
        with self._lock:
            position = self.queue_position(job)
            # A run that waits only for its own models shows what their load is doing.
            prepared = job in self._queue and not position
            at_work = next((other for other in self.running() if prepared and prepares(other, job)), job)
            starting = prepared and not any(engine.ready for engine in self.engines)
            return {
                **job.state_json(),
                "status": (Status.LOADING if prepared else job.status).value,
                "what": "starting the engine" if starting else at_work.what,
                "share": at_work.share,
                "queue_position": position,
                "wait_s": self.wait_s(job),
            }

    def live_state(self, job: Job) -> LiveState:
        """A run for its followers: its rounds, each once, until its recording has them."""
        with self._lock:
            slots = {"state": json.dumps(self.state(job))}
            if job.started is not None:
                slots["started"] = json.dumps(job.started)
            return LiveState(slots, {lane.value: tuple(log) for lane, log in job.log.items()}, job.id, over=job.over)

    def _waits_for_visitor(self, job: Job) -> bool:
        """True if a job waits for its visitor's other job though an engine may be free."""
        running = self.running()
        ready = any(engine.ready for engine in self.engines)
        return job in self._queue and ready and bool(running) and not any(prepares(other, job) for other in running)

    def _notify(self, job: Job | None = None, *, waiting: bool = True) -> None:
        """Wake the followers of this job, and of those in the queue, where all may have moved."""
        self._changed.notify_all()
        for changed in (*(self._queue if waiting else ()), *([job] if job is not None else ())):
            changed.notifier.notify()

    # -------------------------------------------------------------- engines

    def _send_next(self) -> None:
        """Send the next jobs to the engines that are free."""
        for job in self._queue:
            self._answer_load(job)
        for job in self._queue:
            if (engine := engine_for(job, self.engines)) is not None:
                self._queue.remove(job)
                job.status = Status.LOADING
                job.sent_at = job.reported_at = monotonic()
                engine.send_job(job)
                self._notify(job)
        for engine in self.engines:
            if engine.job is not None and engine.job.loaded_at is not None:
                engine.job.disturbed |= any(other.disturbs(engine) for other in self.engines)

    def _answer_load(self, job: Job) -> None:
        """A load of a pair that an engine has is over at once: a page that is opened costs no engine anything."""
        pair = job.command.pair if isinstance(job.command, Load) else None
        loaded = next((engine.loaded for engine in self.engines if pair is not None and engine.keeps(pair)), None)
        if loaded is not None and loaded.card is not None:
            self._queue.remove(job)
            job.apply(LoadedPair(job.id, loaded.card, loaded.plain_rate or 0.0, loaded.why_dtype))
            self._notify(job)

    def _on_event(self, engine: EngineClient, event: Event) -> None:
        """Write an event of an engine into its job; one of a job that is no longer its own is dropped."""
        with self._lock:
            if isinstance(event, Ready | Unavailable):
                engine.apply(event)
            elif engine.job is not None and event.job == engine.job.id:
                self._apply(engine, engine.job, event)
            self._send_next()

    def _apply(self, engine: EngineClient, job: Job, event: JobEvent) -> None:
        job.reported_at = monotonic()
        if isinstance(event, LoadedPair):
            job.loaded_at = job.reported_at  # the first run of a pair has the time of a run, beside that of the load
        job.apply(event)
        engine.apply(event)
        if job.over:
            self._durations.add(job, job.reported_at)
            engine.job = None
        self._notify(job, waiting=not isinstance(event, Rounds))

    def _on_exit(self, engine: EngineClient, why: str) -> None:
        """An engine's process ended: report it to the job it had, keep what that job has, start another.

        A process that died before it was ready would only die again: it is tried again later. Where no other is left, the jobs that wait fail.
        """
        with self._lock:
            if self._closed.is_set():
                return
            job, reason = engine.job, engine.exited(why)
            if job is not None:
                message = f"The engine process stopped in mid-run ({reason}). It starts again by itself: press Run."
                job.end(Status.FAILED, message)
            if not engine.down:
                engine.start()
            elif all(other.down for other in self.engines):
                for waiting in self._queue:
                    self._queue.remove(waiting)
                    waiting.end(Status.FAILED, f"The engine process could not start ({reason}): see its log.")
                    waiting.notifier.notify()
            self._notify(job)
            self._send_next()

    def _restart(self, engine: EngineClient, status: Status, message: str) -> None:
        """End an engine together with its job, and start another."""
        job = engine.job
        if job is not None:
            job.end(status, message)
        engine.restart()
        self._notify(job)
        self._send_next()

    # -------------------------------------------------------------- the watchdog

    def _watchdog(self) -> None:
        while not self._closed.wait(BEAT_S):
            with self._changed:  # no beats where nothing runs or waits: a server at rest should take no processor time
                self._changed.wait_for(lambda: self._closed.is_set() or any(self.running() + self.waiting()))
            self.beat()

    def beat(self) -> None:
        """End what nobody has watched for some time, and what breaks a time limit."""
        with self._lock:
            for job in self.running() + self.waiting():
                job.unwatched = 0 if any(watched() for watched in job.watchers) else job.unwatched + 1
                if job.unwatched * BEAT_S > AWAY_S and job.cancelled_at is None:
                    self.cancel(job)
            for engine in self.engines:
                if engine.job is not None:
                    self._check_limits(engine, engine.job, monotonic())

    def _check_limits(self, engine: EngineClient, job: Job, now: float) -> None:
        """End a run that takes too long, with what it has; and an engine that reports nothing any more."""
        if end := self._limits.lost(job, now):
            self._restart(engine, *end)
        elif message := self._limits.exceeded(job, now):
            job.over_limit, job.message = True, message
            engine.send(Cancel(job.id))


def _new_id() -> str:
    return uuid4().hex[:16]
