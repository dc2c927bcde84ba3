"""Carries out what the Lab measures, one request after the other, each a job in the background: a visitor's run waits for one of them at most.

Makes no Streamlit call. Every method may be called from any thread.
"""

import threading
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median
from uuid import uuid4

from app.bell import Bell
from app.job import Job, Status, TaskState, always
from app.jobs import Jobs
from specviz.errors import InputError, SpecvizError
from specviz.lab import study
from specviz.lab.expected import will_calculate
from specviz.lab.plan import Task, values_at
from specviz.lab.results import LEFT_OUT, REPLANNED, Found, Sweep
from specviz.lab.store import Store, measured_elsewhere
from specviz.model_choice import heads_here
from specviz.request import PairAsked

_TOLD_APART_S = 0.5
"""How often who follows it hears of what the engine is doing."""
_NEWS_S = 0.5
"""A job is looked at so often at least: its end may come without a message."""
_OTHER_VERSION = (
    "What the engine reported is no answer: page and engine are of different versions. Start specviz again."
)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where requests stand that are being carried out, at one moment.

    Attributes:
        runs, done: of this sitting.
        before: how many other sweeps are carried out before it.
        title: the run in hand, "" where it is none; `what` is what the engine is doing for it.
        ahead: how many jobs of visitors are before this one, and about how long they take, None where that is not known.
        left_s: seconds that the remaining runs take, at the median of those that were made; None where that is not known.
        stopping: whether it ends after the run in hand.
        visitor: who began it.
    """

    runs: int
    done: int
    before: int
    title: str
    what: str
    ahead: int
    left_s: float | None
    stopping: bool
    visitor: str
    wait_s: float | None = None


class Sitting:
    """Requests that are carried out one after the other, from Start to the last of them or to Stop.

    Args:
        pair: the models of those requests that do not name theirs; None where they need none.
        watched: checks whether the visitor's page is still open; else it ends.

    Attributes:
        asked, done: the requests, and how many of them are over.
        found: the answers so far, in their order.
        bell: is rung when it stands elsewhere.
        status, message: running, or how it ended, and why where it failed.
    """

    def __init__(
        self,
        jobs: Jobs,
        asked: Sequence[study.Asked],
        pair: PairAsked | None = None,
        *,
        visitor: str = "",
        watched: Callable[[], bool] = always,
    ) -> None:
        self._jobs, self._watched = jobs, watched
        self.pair, self.visitor = pair, visitor
        self.asked, self.found, self.done = [*asked], list[study.Answer](), 0
        self.status, self.message, self.stopping = Status.RUNNING, "", False
        self._lock, self._id = threading.RLock(), uuid4().hex[:8]
        self._job: Job | None = None
        self.bell = Bell()

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status is not Status.RUNNING

    @property
    def title(self) -> str:
        """The run in hand in words, or ""."""
        return study.title(self.asked[self.done]) if self.done < len(self.asked) else ""

    def start(self) -> None:
        """Carry it out in a thread of its own."""
        threading.Thread(target=self.carry_out, name="lab", daemon=True).start()

    def carry_out(self) -> None:
        """Wait for one request after the other, until there is none, one fails, or somebody stops it."""
        while (job := self._next()) is not None:
            while not (state := self._jobs.task_state(job)).over:
                self._jobs.wait_for_rounds(job, _NEWS_S)
            try:
                self._take(job, state)
            except SpecvizError as error:
                self._end(Status.FAILED, str(error))
            except ValueError:
                self._end(Status.FAILED, _OTHER_VERSION)

    def stop(self) -> None:
        """End it: what was found stays."""
        with self._lock:
            self.stopping = True
            if self._job is not None:
                self._jobs.cancel(self._job)

    def standing(self, before: int = 0) -> Standing | None:
        """Where it stands; None where it is over."""
        with self._lock:
            if self.over:
                return None
            job = None if self._job is None else self._jobs.task_state(self._job)
            what, ahead, wait_s = ("", 0, None) if job is None else (job.what, job.queue_position, job.wait_s)
            runs, left_s = len(self.asked), self.left_s()
            return Standing(
                runs, self.done, before, self.title, what, ahead, left_s, self.stopping, self.visitor, wait_s
            )

    def left_s(self) -> float | None:
        """Seconds that the remaining requests take; None where that is not known."""
        return None

    def keep(self, answer: study.Answer) -> None:
        """Take an answer.

        Raises:
            SpecvizError: it cannot be kept.
        """
        self.found.append(answer)

    def _next(self) -> Job | None:
        with self._lock:
            if not self.over and self.done == len(self.asked):
                self._end(Status.DONE)
            elif not self.over and self.stopping:
                self._end(Status.CANCELLED)
            if self.over:
                return None
            asked = self.asked[self.done]
            pair = study.pair_of(asked.plan) if isinstance(asked, study.RunAsked) else self.pair
            text = study.request(asked, self._id)
            watched, visitor = self._watched, self.visitor
            self._job = self._jobs.perform(pair, study.NAME, text, watched=watched, visitor=visitor, background=True)
            self._job.bell.also(self.bell, _TOLD_APART_S)
            return self._job

    def _take(self, job: Job, state: TaskState) -> None:
        """A request is over.

        Raises:
            SpecvizError, ValueError: what came is no answer, or cannot be kept.
        """
        if state.report is not None:
            self.keep(study.answer(state.report))
            self.done += 1
        elif state.status is Status.FAILED:
            self._end(Status.FAILED, state.message)
        elif self.stopping or state.status is Status.CANCELLED:
            self._end(Status.CANCELLED, "" if self.stopping else state.message)
        else:
            self._end(Status.FAILED, "A part ended without a result: start it again.")

    def _end(self, status: Status, message: str = "") -> None:
        with self._lock:
            self.status, self.message, self._job = status, message, None
        self.bell.ring()


class _SweepSitting(Sitting):
    """A stored sweep that is being carried out: each run is stored when it is over."""

    def __init__(self, jobs: Jobs, store: Callable[[], Store], sweep: Sweep, visitor: str) -> None:
        super().__init__(jobs, [], visitor=visitor)
        models = sweep.plan.models
        self.sweep, self._store, self._machine = sweep, store, sweep.machine
        self._heads = tuple(heads_here(models.pair or None, models.head or None))
        self._tasks: list[Task] = []
        self._calculated: list[bool] = []
        self._took: dict[bool, list[float]] = {True: [], False: []}
        """Seconds of the runs that were calculated, and of those that were measured."""

    def add(self, wanted: Sequence[Task], *, for_real: bool) -> bool:
        """More runs to be made; whether they will be."""
        with self._lock:
            if self.over or self.stopping:
                return False
            for task in wanted:
                alone = study.one_run(self.sweep.plan, task, for_real=for_real)
                at = values_at(self.sweep.plan, task)
                self._calculated.append(will_calculate(alone.plan, at, self._heads))
                self._tasks.append(task)
                self.asked.append(alone)
            return True

    def left_s(self) -> float | None:
        """At the median of runs of the same kind; None where one kind has none yet."""
        left = self._calculated[self.done :]
        if not all(self._took[kind] for kind in left):
            return None
        return sum(left.count(kind) * median(took) for kind, took in self._took.items() if took)

    def keep(self, answer: study.Answer) -> None:
        """Store the run."""
        assert isinstance(answer, study.RunMade), "nothing else is asked for"
        store, name = self._store(), self.sweep.name
        if why := measured_elsewhere(self._machine, answer.machine):
            raise InputError(why)
        store.keep(name, replace(answer.found, task=self._tasks[self.done].index), answer.recording)
        if not self._machine:
            store.note_machine(name, answer.machine)
            self._machine = answer.machine
        self._took[answer.found.how == REPLANNED].append(answer.found.wall_s)

    def _take(self, job: Job, state: TaskState) -> None:
        """A run that takes too long is left out, and the next one made."""
        if state.report is None and job.over_limit:
            index = self._tasks[self.done].index
            left_out = Found(index, LEFT_OUT, None, None, None, state.message, 0.0, 0.0)
            self._store().keep(self.sweep.name, left_out)
            if state.status is not Status.FAILED:
                self.done += 1
                return
        super()._take(job, state)


class Driver:
    """The sweeps that are being carried out, first come, first served. One for all visitors.

    Args:
        store: opens the lab's database; called in a thread of this driver.

    Attributes:
        bell: is rung when any of them stands elsewhere.
    """

    def __init__(self, jobs: Jobs, store: Callable[[], Store] = Store) -> None:
        self._jobs, self._store = jobs, store
        self._lock = threading.RLock()
        self._sittings: deque[_SweepSitting] = deque()
        self._problems: dict[str, str] = {}
        self.bell = Bell()

    def begin(self, name: str, only: Collection[int] | None = None, *, visitor: str = "") -> None:
        """Carry out what is missing of a stored sweep. One that is being carried out goes on.

        Args:
            only: these runs, measured for real even where they were calculated or measured before.

        Raises:
            InputError: there is no such sweep, or nothing is missing.
            StoreError: the database cannot be read.
        """
        sweep = self._store().sweep(name)
        made = {each.task for each in sweep.found}
        wanted = [task for task in sweep.tasks if (task.index not in made if only is None else task.index in only)]
        if not wanted:
            raise InputError(f"Nothing of the sweep {name!r} is missing: it is complete.")
        with self._lock:
            self._problems.pop(name, None)
            now = self._find(name)
            if now is not None and only is None and not (now.stopping or now.over):
                return
            if now is None or not now.add(wanted, for_real=only is not None):
                now = _SweepSitting(self._jobs, self._store, sweep, visitor)
                now.add(wanted, for_real=only is not None)
                now.bell.also(self.bell, 0.0)
                self._sittings.append(now)
                if len(self._sittings) == 1:
                    threading.Thread(target=self._work, name="sweeps", daemon=True).start()

    def stop(self, name: str) -> None:
        """End a sweep: what was measured stays, and the run in hand ends soon."""
        with self._lock:
            sitting = self._find(name)
            if sitting is None:
                return
            sitting.stop()
            if sitting is not self._sittings[0]:
                self._sittings.remove(sitting)
                self.bell.ring()

    def standing(self, name: str) -> Standing | None:
        """Where a sweep stands; None where it is not being carried out."""
        with self._lock:
            sitting = self._find(name)
            return None if sitting is None else sitting.standing(self._sittings.index(sitting))

    def running(self) -> tuple[str, ...]:
        """The names of the sweeps that are being carried out."""
        with self._lock:
            return tuple(sitting.sweep.name for sitting in self._sittings)

    def problem(self, name: str) -> str:
        """Why a sweep ended early, in a sentence; "" where it did not, and from the next begin on."""
        with self._lock:
            return self._problems.get(name, "")

    def _find(self, name: str) -> _SweepSitting | None:
        return next((sitting for sitting in reversed(self._sittings) if sitting.sweep.name == name), None)

    def _work(self) -> None:
        """Carry out sweep after sweep, until there is none."""
        while True:
            with self._lock:
                sitting = self._sittings[0]
            sitting.carry_out()
            with self._lock:
                if sitting.status is Status.FAILED:
                    self._problems[sitting.sweep.name] = f"Stopped at {sitting.title}. {sitting.message}"
                self._sittings.popleft()
                self.bell.ring()
                if not self._sittings:
                    return
