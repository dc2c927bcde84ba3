"""Watches over timed runs on the CPU: how many cores are free, how long a run waited for one, and when it is calm again."""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic, perf_counter, process_time, sleep, thread_time
from types import TracebackType
from typing import Self, TypeVar

import psutil
import torch

from specviz.trace.conditions import Conditions, Turn, counted

Step = TypeVar("Step")

EXTRA_TURNS = 3
"""So many turns are repeated at most, where some were disturbed or differ too much."""
_SLACK = 0.25
"""Cores that an idle system uses by itself."""
_GLANCE_S = 0.2
"""The system counts the time of a core in steps of 10 ms, so a shorter look says little."""
_PATIENCE_S = 0.6
"""How long a repeat waits for other programs at most."""


@dataclass(slots=True)
class CoreTime:
    """Adds up, over all `with` blocks, wall time and the time in which this thread computed."""

    wall_s: float = 0.0
    computed_s: float = 0.0
    _began: tuple[float, float] = (0.0, 0.0)

    def __enter__(self) -> Self:
        self._began = perf_counter(), thread_time()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        began, computed = self._began
        self.wall_s += perf_counter() - began
        self.computed_s += thread_time() - computed

    def over(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The same steps; only the time in which they are made counts, not what is done with them in between."""
        remaining = iter(steps)
        while True:
            with self:
                step = next(remaining, None)
            if step is None:
                return
            yield step

    @property
    def waited(self) -> float:
        """The share of the time in which this thread did not compute."""
        return min(1.0, max(0.0, 1 - self.computed_s / self.wall_s)) if self.wall_s > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Glance:
    """The counters of the system at one moment: when, seconds of all cores that were used, and those that this process used."""

    at_s: float
    used_s: float
    own_s: float

    def others_since(self, before: "Glance") -> float:
        """Cores that other programs used in between."""
        own = self.own_s - before.own_s
        return max(0.0, (self.used_s - before.used_s - own) / max(self.at_s - before.at_s, 1e-9))


def glance() -> Glance | None:
    """The counters now; None where the system does not report them."""
    cores = _cores()
    try:
        each = psutil.cpu_times(percpu=True)
    except (OSError, RuntimeError, NotImplementedError):
        return None
    mine = [times for index, times in enumerate(each) if index in cores] or each
    used = sum(sum(times) - times.idle - getattr(times, "iowait", 0.0) - _guests(times) for times in mine)
    return Glance(monotonic(), used, process_time())


def _guests(times: object) -> float:
    """Time of virtual machines, which Linux counts twice."""
    return float(getattr(times, "guest", 0.0)) + float(getattr(times, "guest_nice", 0.0))


def _cores() -> set[int]:
    """The logical cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return set(affinity(0)) if affinity else set(range(os.cpu_count() or 1))


def threads_for(usual: int, cores: int, others: float | None, reserve: int = 0) -> int:
    """As many threads as find a core of their own, at least one and at most `usual`.

    Two threads of one run that share a core wait for each other: on two cores, one of them taken, two threads gave 6 tokens per
    second where one gave 120.

    Args:
        others: cores that other programs use; None where it is not known.
        reserve: cores that are left free for the page; what other programs use counts towards them.
    """
    taken = max(others or 0.0, float(reserve))
    return max(1, min(usual, int(cores - taken + _SLACK)))


@dataclass(slots=True)
class Watchman:
    """Watches over the timed runs of one comparison, and gives torch its threads back at the end.

    Attributes:
        on_cpu: where the runs decode; on a GPU the processor's time shows little, and only their spread is judged.
        reserve: cores that are left free for the page.
        limit: the most threads to use; None for as many as torch has.
        before: an earlier glance, from a time when this process was idle; without one the watchman looks for a moment first.
        turns: what was timed so far.
        turn_s: seconds of the shortest turn; of a disturbed one the time in which it computed.
        threads: of torch, now.
    """

    on_cpu: bool
    reserve: int = 0
    before: Glance | None = None
    limit: int | None = None
    turns: list[Turn] = field(default_factory=list)
    usual_threads: int = field(default_factory=torch.get_num_threads)
    turn_s: float = math.inf
    threads: int = 0
    _began: Glance | None = None
    _looked: Glance | None = None
    _times: list[CoreTime] = field(default_factory=list)
    _turn_s: float = 0.0

    def __enter__(self) -> Self:
        """Take fewer threads where other programs use the cores."""
        self.threads = self.usual_threads
        most = self._most_threads
        if self.on_cpu and most > 1:
            most = threads_for(most, len(_cores()), self._others_now(), self.reserve)
        self._use(most)
        self._began = glance()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._use(self.usual_threads)

    def took(self, figure: float, times: Sequence[CoreTime], most: float | None = None) -> None:
        """A turn is over: its figure and the most it can be (see `Turn`), and the time of each of its runs."""
        self._times.extend(times)
        self._turn_s = sum(time.wall_s for time in times)
        computed_s = sum(time.computed_s for time in times)
        waited = max(time.waited for time in times) if self.on_cpu else None
        self.turns.append(Turn(figure, waited, most, alone=self.on_cpu and self.threads == 1))
        self.turn_s = min(self.turn_s, self._turn_s if self.turns[-1].calm else computed_s)

    @property
    def _most_threads(self) -> int:
        """The threads of runs that have all cores to themselves."""
        return min(self.usual_threads, self.limit or self.usual_threads)

    @property
    def calm_turns(self) -> int:
        """How many turns were not disturbed."""
        return sum(turn.calm for turn in self.turns)

    def may_repeat(self, wanted: int) -> bool:
        """Whether fewer turns than `wanted` were calm, or these do not agree, and few enough were made."""
        enough = self.calm_turns >= wanted and counted(self.turns, wanted)[0]
        return not enough and len(self.turns) < wanted + EXTRA_TURNS

    def settle(self, stop: Callable[[], bool] = lambda: False) -> None:
        """After a disturbed turn: wait briefly for free cores, and take fewer threads where they stay taken.

        Once a turn was calm the number of threads stays, so that all turns that count were made with the same number.
        """
        if not self.turns or self.turns[-1].calm:
            return
        others = self._others_after_a_pause(stop)
        if self.calm_turns:
            return
        threads = threads_for(self.threads, len(_cores()), others, self.reserve)
        if threads == self.threads and len(self.turns) > 1:
            threads = max(
                1, threads // 2
            )  # disturbed again by something that the counters do not show, such as a quota
        self._use(threads)

    def adapt(self) -> None:
        """Between steps that are not compared with one another: as many threads as find a core now."""
        before, now = self._looked or self._began, glance()
        if not self.on_cpu or before is None or now is None or now.at_s - before.at_s < _GLANCE_S:
            return
        self._looked = now
        self._use(threads_for(self._most_threads, len(_cores()), now.others_since(before), self.reserve))

    def over(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The same steps, `adapt` between them."""
        for step in steps:
            yield step
            self.adapt()

    def _others_after_a_pause(self, stop: Callable[[], bool]) -> float | None:
        """Cores that other programs use, as soon as they leave enough for the threads, or when the patience ends."""
        patience = monotonic() + min(_PATIENCE_S, max(_GLANCE_S, self._turn_s))
        before, others = glance(), None
        while before is not None and not stop():
            sleep(_GLANCE_S)
            now = glance()
            if now is None:
                return None
            others, before = now.others_since(before), now
            if threads_for(self.threads, len(_cores()), others, self.reserve) == self.threads or monotonic() > patience:
                break
        return others

    def conditions(self, wanted: int, *, compared: bool = True) -> Conditions:
        """What the turns so far were timed under; at least one turn has been made.

        Args:
            wanted: how many turns were asked for.
            compared: whether their figures are speedups.
        """
        trusted, indices = counted(self.turns, wanted)
        figures = [self.turns[index].figure for index in indices]
        total = CoreTime(sum(time.wall_s for time in self._times), sum(time.computed_s for time in self._times))
        now = glance()
        return Conditions(
            trusted=trusted,
            turns=len(self.turns),
            left_out=len(self.turns) - len(indices),
            compared=compared,
            low=min(figures),
            high=max(figures),
            waited=total.waited if self.on_cpu else None,
            others=None if now is None or self._began is None else now.others_since(self._began),
            cores=len(_cores()),
            threads=self.threads,
            usual_threads=self._most_threads,
            most=min((turn.most for turn in self.turns if turn.most is not None and not turn.possible), default=None),
            disturbed=trusted and not all(self.turns[index].calm for index in indices),
        )

    def _others_now(self) -> float | None:
        before = self.before
        if before is None or monotonic() - before.at_s < _GLANCE_S:
            before = glance()
            sleep(_GLANCE_S)
        now = glance()
        return None if before is None or now is None else now.others_since(before)

    def _use(self, threads: int) -> None:
        if threads != self.threads:
            torch.set_num_threads(threads)
            self.threads = threads


@contextmanager
def adapting(say: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Work on as many threads as find a core. The function that it yields says a step, after another look at the cores."""
    with Watchman(on_cpu=True) as watchman:

        def step(what: str) -> None:
            watchman.adapt()
            say(what)

        yield step
