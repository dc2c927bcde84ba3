"""The engines of a server and the line before them: jobs begin, end, are watched over and cancelled. Makes no Streamlit call.

An engine and what it does is in `app.server.slot`, how long anything may take in `app.server.time_limits`. Every method may be called from any thread.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from app.server.job import Job, Status, fail, take
from app.server.job_queue import JobQueue, QueuePace, serves
from app.server.slot import Slot
from app.server.time_limits import TimeLimits
from specviz.request import PairAsked
from specviz.wire import Cancel, Event, JobEvent, Load, Loaded, Ready, Rounds, Unavailable

_BEAT_S = 0.05
"""How often it is checked whether anybody still watches."""

AWAY_S = 2.5
"""Nobody watches for so long before a job is ended: a page that is loaded again, or whose connection is lost for a moment, keeps its run."""

_TRY_AGAIN_S = 30.0
"""An engine that could not start is tried again with the next request, but not more often than this while others work."""


class Pool:
    """Engines, of which each does one job at a time, and the jobs that wait for them. An engine that died is replaced.

    Args:
        commands: what each engine is started with, see `EngineProcess`.
        address_of: from where a visitor comes.

    Attributes:
        lock: of everything here and in the jobs.
    """

    def __init__(
        self,
        commands: Iterable[Sequence[str]],
        limits: TimeLimits,
        address_of: Callable[[str], str],
    ) -> None:
        self.lock = threading.RLock()
        self._limits = limits
        self._news = threading.Condition(self.lock)
        self._waiting = JobQueue(address_of)
        self._pace = QueuePace()
        self._closed = threading.Event()
        self._slots: list[Slot] = []
        with self.lock:  # an engine can be ready before the last one is started
            for command in commands:
                self._slots.append(Slot(command, self._take, self._ended))
        threading.Thread(target=self._watch, name="heartbeats", daemon=True).start()

    # -------------------------------------------------------------- what is asked for

    def add(self, job: Job) -> None:
        """Put a job into the line, and begin it if an engine is free."""
        with self.lock:
            self._waiting.add(job, self.running())
            self._try_again()
            self._next()
            self._tell()

    def cancel(self, job: Job) -> None:
        """End a job: at once while it waits or loads, after the round it is in while it runs.

        A load cannot be interrupted from within, so its process is ended and another started. A run whose pair is there is about to begin:
        that happens to it only where what is prepared for it does not end soon.
        """
        with self.lock:
            job.stopped = job.stopped or monotonic()
            if job in self._waiting:
                self.drop(job, "Stopped before it began.")
            elif (slot := next((each for each in self._slots if each.job is job), None)) is None:
                return
            elif job.status is Status.LOADING and not (job.pair is None or slot.has(job.pair)):
                job.status, job.message = Status.CANCELLED, "Stopped while the models were being loaded."
                self._replace(slot)
            else:
                slot.send(Cancel(job.id))

    def drop(self, job: Job, message: str) -> None:
        """Take a waiting job out of the line."""
        with self.lock:
            self._waiting.remove(job)
            job.status, job.message = Status.CANCELLED, message
            self._tell(job)

    def close(self) -> None:
        """End the engines."""
        self._closed.set()
        with self._news:
            self._news.notify_all()
        for slot in self._slots:
            slot.close()

    # -------------------------------------------------------------- what there is

    @property
    def ready(self) -> bool:
        """Whether an engine reads commands."""
        return any(slot.ready for slot in self._slots)

    @property
    def pids(self) -> list[int]:
        """The processes of the engines; of those of a cluster, the ones here that speak to them."""
        return [slot.pid for slot in self._slots]

    def running(self) -> list[Job]:
        """The jobs that engines have."""
        with self.lock:
            return [slot.job for slot in self._slots if slot.job is not None]

    def waiting(self, visitor: str | None = None) -> list[Job]:
        """The jobs that wait, in order; those of a visitor alone where one is named."""
        with self.lock:
            return [*self._waiting] if visitor is None else self._waiting.of(visitor)

    def waiting_of_address(self, visitor: str) -> int:
        """How many jobs wait that come from where this visitor does; 0 where that is not known."""
        with self.lock:
            return self._waiting.of_address(visitor)

    def loaded(self, pair: PairAsked | None = None) -> Job | None:
        """The last job that found its pair loaded and warm in an engine that still has it, or this pair: what it reports of the pair holds."""
        with self.lock:
            found = [slot.loaded for slot in self._slots if slot.loaded is not None and (not pair or slot.has(pair))]
            return max(found, key=lambda job: job.counts or 0.0, default=None)

    def next_dropped(self) -> Job | None:
        """The last job that found the pair loaded which would be dropped for another one; None where an engine has none."""
        with self.lock:
            return min(self._slots, key=_last_used).loaded

    def position(self, job: Job) -> int:
        """How many jobs have to end before this one begins; 0 when it is its turn, or waits for its own models only."""
        with self.lock:
            position = self._waiting.position(job, self.running(), self._engines())
            return max(position, int(self._held_back(job)))

    def wait_s(self, job: Job) -> float | None:
        """How long it takes until it is this job's turn, see `QueuePace.wait_s`; None where it is, or where that is not known."""
        with self.lock:
            if not self.position(job):
                return None
            running = self.running()
            engines = len(running) if self._held_back(job) else self._engines()
            return self._pace.wait_s(running, self._waiting.before(job), monotonic(), engines)

    def _tell(self, job: Job | None = None, *, waiting: bool = True) -> None:
        """Wake who waits for news of this job, or of one in the line, where all may have moved."""
        self._news.notify_all()
        for each in self._waiting if waiting else ():
            each.bell.ring()
        if job is not None:
            job.bell.ring()

    def _held_back(self, job: Job) -> bool:
        """Whether it waits for a job that runs though an engine may be free: for its visitor's other job."""
        running = self.running()
        return job in self._waiting and self.ready and bool(running) and not any(serves(each, job) for each in running)

    def _engines(self) -> int:
        """How many engines the line is for: those that are ready; before that, those that start."""
        ready = sum(slot.ready for slot in self._slots)
        return ready or max(1, sum(not slot.down for slot in self._slots))

    # -------------------------------------------------------------- what happens

    def _next(self) -> None:
        """Send the next jobs to the engines that are free."""
        for job in [*self._waiting]:
            self._answer(job)
        for job in [*self._waiting]:
            if (slot := self._slot_for(job)) is not None:
                self._waiting.remove(job)
                job.status = Status.LOADING
                job.began = job.heard = monotonic()
                slot.give(job)
                self._tell(job)
        for slot in self._slots:
            if (
                slot.job is not None
                and slot.job.counts is not None
                and any(each.disturbs(slot) for each in self._slots)
            ):
                slot.job.neighbours = True

    def _slot_for(self, job: Job) -> Slot | None:
        """The free engine that does this job: one that has its pair, else the one that was used longest ago. None where it waits: for an engine,
        for its pair, which one is loading, or for another job of its visitor, since two runs of one race must not disturb each other."""
        if job.visitor and any(each.visitor == job.visitor for each in self.running()):
            return None
        free = [slot for slot in self._slots if slot.free]
        having = next((slot for slot in free if job.pair is not None and slot.has(job.pair)), None)
        if having is None and any(slot.loads_for(job) for slot in self._slots):
            return None
        return having or min(free, key=_last_used, default=None)

    def _answer(self, job: Job) -> None:
        """A load of a pair that an engine has is over at once: a page that is opened costs no engine anything."""
        pair = job.command.pair if isinstance(job.command, Load) else None
        known = next((slot.loaded for slot in self._slots if pair is not None and slot.keeps(pair)), None)
        if known is not None and known.card is not None:
            self._waiting.remove(job)
            take(job, Loaded(job.id, known.card, known.plain_rate or 0.0, known.why_dtype))
            self._tell(job)

    def _take(self, slot: Slot, event: Event) -> None:
        """Write an event of an engine into its job; one of a job that is no longer its own is dropped."""
        with self.lock:
            if isinstance(event, Ready | Unavailable):
                slot.note(event)
            elif slot.job is not None and event.job == slot.job.id:
                self._take_of(slot, slot.job, event)
            self._next()

    def _take_of(self, slot: Slot, job: Job, event: JobEvent) -> None:
        job.heard = monotonic()
        if isinstance(event, Loaded):
            job.counts = job.heard  # who comes first has the time of a run, beside that of the load
        take(job, event)
        slot.note(event)
        if job.over:
            self._pace.note(job, job.heard)
            slot.job = None
        self._tell(job, waiting=not isinstance(event, Rounds))

    def _ended(self, slot: Slot, why: str) -> None:
        """An engine's process ended: report it to the job it had, keep what that job has, start another.

        A process that died before it was ready would only die again: it is tried again later. Where no other is left, the jobs that wait fail.
        """
        with self.lock:
            if self._closed.is_set():
                return
            job, said = slot.job, slot.over(why)
            if job is not None:
                fail(job, f"The engine process stopped in mid-run ({said}). It starts again by itself: press Run.")
            if not slot.down:
                slot.start()
            elif all(each.down for each in self._slots):
                while self._waiting:
                    fail(lost := self._waiting.take(), f"The engine process could not start ({said}): see its log.")
                    lost.bell.ring()
            self._tell(job)
            self._next()

    def _replace(self, slot: Slot) -> None:
        """End an engine together with its job, and start another."""
        lost = slot.job
        slot.replace()
        self._tell(lost)
        self._next()

    def _try_again(self) -> None:
        """Start the engines that could not start before."""
        none_left = all(slot.down for slot in self._slots)
        for slot in self._slots:
            if slot.down and (none_left or monotonic() - slot.began > _TRY_AGAIN_S):
                slot.start()

    # -------------------------------------------------------------- watching over it

    def _watch(self) -> None:
        while not self._closed.wait(_BEAT_S):
            with self._news:  # no beats where nothing runs or waits: a server at rest should take no processor time
                self._news.wait_for(lambda: self._closed.is_set() or any((*self.running(), *self._waiting)))
            self.look()

    def look(self) -> None:
        """One beat: end what nobody has watched for some time, and what breaks a time limit."""
        with self.lock:
            for job in [*self.running(), *self._waiting]:
                job.unwatched = 0 if any(watched() for watched in job.watchers) else job.unwatched + 1
                if job.unwatched * _BEAT_S > AWAY_S and job.stopped is None:
                    self.cancel(job)
            for slot in self._slots:
                if slot.job is not None:
                    self._check_limits(slot, slot.job)

    def _check_limits(self, slot: Slot, job: Job) -> None:
        """End a run that takes too long, with what it has; and an engine that reports nothing any more."""
        broken = self._limits.broken(job, monotonic())
        if broken is None:
            return
        job.message = broken.message
        if broken.status is None:
            job.over_limit = True
            slot.send(Cancel(job.id))
        else:
            job.status = broken.status
            self._replace(slot)


def _last_used(slot: Slot) -> tuple[bool, float]:
    """Sorts engines by what is lost when they load another pair: first those that have none, then those that were used longest ago."""
    return slot.loaded is not None, slot.used
