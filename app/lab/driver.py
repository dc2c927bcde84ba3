"""Carries out stored sweeps, one run after the other, each a job in the background: a visitor's run waits for one of them at most.

One for all visitors. Makes no Streamlit call. Every method may be called from any thread.
"""

import threading
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from uuid import uuid4

from app.job import Job, Status
from app.jobs import Jobs
from specviz.errors import InputError, SpecvizError
from specviz.lab import one_run
from specviz.lab.expected import will_calculate
from specviz.lab.plan import SweepPlan, Task, title, values_at
from specviz.lab.results import LEFT_OUT, REPLANNED, Found
from specviz.lab.store import Store, measured_elsewhere
from specviz.model_choice import heads_here

_NEWS_S = 0.5
"""A job is looked at so often at least: its end may come without a message."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a sweep stands that is being carried out, at one moment.

    Attributes:
        runs, done: of this sitting.
        before: how many other sweeps are carried out before it.
        title: the run in hand, "" where there is none yet; `what` is what the engine is doing for it.
        ahead: how many jobs of visitors are before this run.
        left_s: seconds that the remaining runs take, at the median of those that were made; None before any was.
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


@dataclass(slots=True)
class _Sitting:
    """A sweep that is being carried out, from Start or Resume to its last run or to Stop."""

    name: str
    plan: SweepPlan
    visitor: str
    heads: tuple[str, ...]
    machine: str
    waiting: deque[tuple[Task, bool]] = field(default_factory=deque)
    """The runs to be made, and whether each is measured for real."""
    id: str = field(default_factory=lambda: uuid4().hex[:8])
    runs: int = 0
    done: int = 0
    task: Task | None = None
    job: Job | None = None
    stopping: bool = False
    left: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    """How many runs are not over: those that will be calculated, and those that will be measured."""
    took: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})
    """Seconds of those that were made, likewise."""

    def add(self, wanted: Sequence[Task], *, for_real: bool) -> None:
        """More runs to be made."""
        for task in wanted:
            self.waiting.append((task, for_real))
            self.left[self.is_calculated(task, for_real=for_real)] += 1
        self.runs += len(wanted)

    def is_calculated(self, task: Task, *, for_real: bool) -> bool:
        """Whether a run will be calculated."""
        return not for_real and will_calculate(self.plan, values_at(self.plan, task), self.heads)

    def left_s(self) -> float | None:
        """At the median of runs of the same kind; None where one kind has none yet."""
        if any(count and not self.took[kind] for kind, count in self.left.items()):
            return None
        return sum(count * median(self.took[kind]) for kind, count in self.left.items() if count)


class Driver:
    """The sweeps that are being carried out, first come, first served.

    Args:
        store: opens the lab's database; called in a thread of this driver.
    """

    def __init__(self, jobs: Jobs, store: Callable[[], Store] = Store) -> None:
        self._jobs, self._store = jobs, store
        self._lock = threading.RLock()
        self._sittings: deque[_Sitting] = deque()
        self._problems: dict[str, str] = {}
        self._thread: threading.Thread | None = None

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
        models = sweep.plan.models
        heads = tuple(heads_here(models.pair or None, models.head or None))
        with self._lock:
            self._problems.pop(name, None)
            now = self._find(name)
            if now is not None and only is None:
                return
            if now is None or now.stopping:
                now = _Sitting(name, sweep.plan, visitor, heads, sweep.machine)
                self._sittings.append(now)
            now.add(wanted, for_real=only is not None)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="sweeps", daemon=True)
                self._thread.start()

    def stop(self, name: str) -> None:
        """End a sweep: what was measured stays, and the run in hand ends soon."""
        with self._lock:
            sitting = self._find(name)
            if sitting is None:
                return
            sitting.stopping = True
            if sitting.job is not None:
                self._jobs.cancel(sitting.job)
            elif sitting is not self._sittings[0]:
                self._sittings.remove(sitting)

    def standing(self, name: str) -> Standing | None:
        """Where a sweep stands; None where it is not being carried out."""
        with self._lock:
            sitting = self._find(name)
            if sitting is None:
                return None
            job, state = sitting.job, None
            if job is not None:
                state = self._jobs.task_state(job)
            return Standing(
                sitting.runs,
                sitting.done,
                self._sittings.index(sitting),
                "" if sitting.task is None else title(sitting.plan, sitting.task),
                "" if state is None else state.what,
                0 if state is None else state.queue_position,
                sitting.left_s(),
                sitting.stopping,
                sitting.visitor,
            )

    def running(self) -> tuple[str, ...]:
        """The names of the sweeps that are being carried out."""
        with self._lock:
            return tuple(sitting.name for sitting in self._sittings)

    def problem(self, name: str) -> str:
        """Why a sweep ended early, in a sentence; "" where it did not, and from the next begin on."""
        with self._lock:
            return self._problems.get(name, "")

    def _find(self, name: str) -> _Sitting | None:
        return next((sitting for sitting in reversed(self._sittings) if sitting.name == name), None)

    def _work(self) -> None:
        """Make run after run, until there is none."""
        while True:
            with self._lock:
                while self._sittings and (self._sittings[0].stopping or not self._sittings[0].waiting):
                    self._sittings.popleft()
                if not self._sittings:
                    self._thread = None
                    return
                sitting = self._sittings[0]
                task, for_real = sitting.waiting.popleft()
                asked = one_run.RunAsked(one_run.one_run(sitting.plan, task, for_real=for_real), sitting.id)
                pair = one_run.pair_of(sitting.plan, task)
                sitting.task = task
                sitting.job = self._jobs.perform(pair, one_run.NAME, one_run.written(asked), background=True)
            try:
                problem = self._follow(sitting, task, sitting.job)
            except SpecvizError as error:
                problem = str(error)
            except ValueError:
                problem = "What the engine reported is no run: page and engine are of different versions. Start specviz again."
            with self._lock:
                sitting.job = sitting.task = None
                sitting.done += 1
                sitting.left[sitting.is_calculated(task, for_real=for_real)] -= 1
                if problem:
                    sitting.stopping = True
                    self._problems[sitting.name] = f"Stopped at {title(sitting.plan, task)}. {problem}"

    def _follow(self, sitting: _Sitting, task: Task, job: Job) -> str:
        """Wait for a run and store it; why the sweep cannot go on, "" where it can.

        Raises:
            SpecvizError: the run cannot be stored, or what came is no run.
        """
        while not self._jobs.task_state(job).over:
            self._jobs.wait_for_rounds(job, _NEWS_S)
        state = self._jobs.task_state(job)
        if state.report is None:
            if job.over_limit:
                self._store().keep(sitting.name, Found(task.index, LEFT_OUT, None, None, None, state.message, 0.0, 0.0))
            return state.message if state.status is Status.FAILED else ""
        made = one_run.made(state.report)
        store = self._store()
        if why := measured_elsewhere(sitting.machine, made.machine):
            return why
        store.keep(sitting.name, replace(made.found, task=task.index), made.recording)
        if not sitting.machine:
            store.note_machine(sitting.name, made.machine)
            sitting.machine = made.machine
        with self._lock:
            sitting.took[made.found.how == REPLANNED].append(made.found.wall_s)
        return ""
