"""Requests of all visitors as jobs for the engines (`app.server.pool`), and what the page shows of each. Makes no Streamlit call.

Every method may be called from any thread.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from uuid import uuid4

from app.server.health import is_free
from app.server.job import Job, Json, LoadState, Status, TaskState, always, ended_of, fail, live_of, recording_of
from app.server.job_queue import serves
from app.server.kept_runs import KeptRuns
from app.server.limits import refusal
from app.server.pool import Pool
from app.server.time_limits import RUN_LIMIT_S, SILENCE_LIMIT_S, STOP_S, TimeLimits
from app.server.updates import Now
from app.server.visitors import NOBODY, refused_job
from specviz.request import PairAsked, Request
from specviz.serving.engines import RayEngines
from specviz.serving.hosting import Hosting
from specviz.trace.conditions import shown
from specviz.wire import JobCommand, ListPairs, Load, Perform, RunPrompt


class Jobs:
    """The queue and the engines. An engine does one job at a time; one that died is replaced.

    Args:
        hosting: what visitors may request: what they may not has failed at once, with a sentence that says why.
        engines: those of a Ray cluster; one process of this machine where none are given.
        address_of: from where a visitor comes; "" where that is not known.
    """

    def __init__(
        self,
        hosting: Hosting | None = None,
        engines: RayEngines | None = None,
        *,
        address_of: Callable[[str], str] = lambda visitor: "",
        run_limit_s: float = RUN_LIMIT_S,
        silence_limit_s: float = SILENCE_LIMIT_S,
        stop_s: float = STOP_S,
    ) -> None:
        self._hosting = hosting or Hosting()
        most = self._hosting.most_seconds
        limits = TimeLimits(float(most or run_limit_s), silence_limit_s, stop_s, most)
        commands = [()] if engines is None else [engines.command()] * engines.count
        self._pool = Pool(commands, limits, address_of)
        self._lock = self._pool.lock
        self._listings: Job | None = None
        self._runs = KeptRuns()

    def load(self, pair: PairAsked, *, watched: Callable[[], bool] = always) -> Job:
        """Request a pair to be loaded and warmed; cancelled soon after nobody watches any more. Over at once where an engine has it. One load of a
        pair serves everybody who waits for it."""
        with self._lock:
            for known in [*self._pool.running(), *self._pool.waiting()]:
                if isinstance(known.command, Load) and known.command.pair == pair and known.stopped is None:
                    self.also_watched(known, watched)
                    return known
            return self._submit(Load(self._new_id(), pair), watched)

    def leave(self, job: Job, watched: Callable[[], bool]) -> None:
        """Who watches so does not need it any more: it is cancelled where nobody else does."""
        with self._lock:
            job.watchers.discard(watched)
            if not job.watchers:
                self.cancel(job)

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
            job.against = beside.id if beside is not None else ""
            self._runs.add(job)
            return job

    def perform(
        self,
        pair: PairAsked | None,
        task: str,
        asked: str,
        *,
        watched: Callable[[], bool] = always,
        visitor: str = "",
    ) -> Job:
        """Request a task, alone on its engine like a run. It takes the visitor's position in the queue.

        Args:
            asked: a record of the task's own package, as JSON text.
        """
        with self._lock:
            self._make_way(visitor)
            job = self._submit(Perform(self._new_id(), pair, task, asked), watched, visitor)
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
        for waiting in [job for job in self._pool.waiting(visitor) if job is not beside]:
            self._pool.drop(waiting, "Stopped before it began: this browser requested another run.")
        if not (visitor and self._hosting.classroom):
            return
        for current in self._pool.running():
            if current.visitor == visitor and current is not beside and current.stopped is None:
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
            job.watchers.add(watched)

    def listings(self) -> Job:
        """The list of what can be loaded: requested once, for all visitors."""
        with self._lock:
            if self._listings is None:
                self._listings = self._submit(ListPairs(self._new_id()))
            return self._listings

    def cancel(self, job: Job) -> None:
        """End a job: at once while it waits or loads, after the round it is in while it runs; see `Pool.cancel`."""
        self._pool.cancel(job)

    @property
    def loaded(self) -> Job | None:
        """The last job that found its pair loaded and warm in an engine that still has it."""
        return self._pool.loaded()

    def loaded_with(self, pair: PairAsked) -> Job | None:
        """The last job that found this pair loaded and warm in an engine that still has it; None where none has it."""
        return self._pool.loaded(pair)

    def next_dropped(self) -> Job | None:
        """The last job that found the pair loaded which would be dropped for another one now; None where an engine has none."""
        return self._pool.next_dropped()

    def queue_position(self, job: Job) -> int:
        """How many jobs have to end before this one begins; 0 when it is its turn, or waits for its own models only."""
        return self._pool.position(job)

    def wait_s(self, job: Job) -> float | None:
        """How long it takes until it is this job's turn, by what the latest jobs of each kind took; None where no other is before it, or
        where one is of a kind that was not measured yet."""
        return self._pool.wait_s(job)

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
        """A run with everything that has come of it, in plain JSON."""
        with self._lock:
            recording = recording_of(job)
            live = live_of(job) if recording is None else None
            return {**self.state(job), "live": live, "recording": recording}

    def state(self, job: Job) -> Json:
        """How it goes with a run, in plain JSON: everything but its rounds."""
        with self._lock:
            position = self.queue_position(job)
            # A run that waits only for its own models shows what their load is doing.
            served = job in self._pool.waiting() and not position
            serving = [each for each in self._pool.running() if served and serves(each, job)]
            done_now = next(iter(serving), job)
            return {
                "id": job.id,
                "status": (Status.LOADING if served else job.status).value,
                "message": job.message,
                "what": "starting the engine" if served and not self._pool.ready else done_now.what,
                "share": done_now.share,
                "queue_position": position,
                "wait_s": self.wait_s(job),
                "plain_rate": job.plain_rate,
                "ended": ended_of(job),
                "recorded": job.recording is not None,
                "speedups": list(job.speedups),
                "timed": job.timed,
                "timing": shown(job.conditions),
                "asked": {"prompt": job.request.prompt, "settings": asdict(job.ran.settings)},
            }

    def now(self, job: Job) -> Now:
        """What there is of a run, for who follows it: its rounds, each once, until its recording has them."""
        with self._lock:
            slots = {"state": json.dumps(self.state(job))}
            if job.started is not None:
                slots["started"] = json.dumps(job.started)
            return Now(slots, {lane.value: tuple(log) for lane, log in job.log.items()}, job.id, over=job.over)

    @property
    def engine_pids(self) -> list[int]:
        """The engine processes, for those who watch their memory."""
        return self._pool.pids

    def close(self) -> None:
        """End the engines."""
        self._pool.close()

    def answers(self, seconds: float) -> bool:
        """Whether the queue can be asked anything within so long."""
        return is_free(self._lock, seconds)

    def _no_place(self, command: JobCommand, visitor: str) -> str:
        """Why this visitor gets no position in the queue; "" where he does."""
        if isinstance(command, ListPairs | Load):
            return ""
        if self._hosting.classroom and not visitor:
            return NOBODY
        return refused_job(len(self._pool.waiting()), self._pool.waiting_of_address(visitor))

    def _new_id(self) -> str:
        return uuid4().hex[:16]

    def _submit(self, command: JobCommand, watched: Callable[[], bool] = always, visitor: str = "") -> Job:
        job = Job(command, watchers={watched}, visitor=visitor)
        if refused := refusal(self._hosting, command) or self._no_place(command, visitor):
            fail(job, refused)
        else:
            self._pool.add(job)
        return job
