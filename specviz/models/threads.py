"""Chooses how many threads torch computes with on the CPU, and is the only module that sets their number: as many as find a free core.

OpenMP's threads wait for one another at every product, so that one without a core of its own keeps all of them waiting: on two cores, one of
them taken, two threads gave 6 tokens per second where one gave 120.

The text does not depend on it, as far as was measured (AMD EPYC with AVX2): the scores of the chat model and of the embedded pair, over 1 to 17
tokens after 40 and 200, are bit for bit the same with one thread and with two, and `tests/runs/test_threads.py` compares them on every machine.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf
from time import monotonic, process_time, sleep

import psutil
import torch

from specviz.models import limits

_SLACK = 0.25  # cores that an idle system uses by itself
GLANCE_S = 0.2  # the system counts the time of a core in steps of 10 ms, so a shorter look says little
# Work that a slow round left one thread tries more after so many seconds, and after every other slow round in twice
# as many.
_FIRST_WAIT_S = 1.0
# When work begins, an earlier glance than this says nothing about now. Between its rounds, which may take long, every
# glance does.
_STALE_S = 3.0


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
    """The counters now; None where the system does not report them. Under a quota those of the processes to which it applies count."""
    used_s = limits.quota_used_s()
    if used_s is None:
        cores = limits.cores()
        try:
            by_core = psutil.cpu_times(percpu=True)
        except (OSError, RuntimeError, NotImplementedError):
            return None
        mine = [times for index, times in enumerate(by_core) if index in cores] or by_core
        used_s = sum(sum(times) - times.idle - getattr(times, "iowait", 0.0) - _guests(times) for times in mine)
    return Glance(monotonic(), used_s, process_time())


def _guests(times: object) -> float:
    """Time of virtual machines, which Linux counts twice."""
    return float(getattr(times, "guest", 0.0)) + float(getattr(times, "guest_nice", 0.0))


class LoadMeter:
    """How many cores other programs use, from glances that any work of this process takes: at import, at load, before and during runs."""

    def __init__(self) -> None:
        self._last = glance()
        self._others: float | None = None

    def others(self, stale_s: float = _STALE_S) -> float | None:
        """Cores that other programs use now; None where the system does not report it. Looks for a moment where nothing
        is known yet. `stale_s`: an earlier glance than this says nothing about now."""
        self.look(stale_s)
        if self._last is not None and self._others is None:
            sleep(GLANCE_S)
            self._compare(stale_s)
        return self._others

    def look(self, stale_s: float = _STALE_S) -> None:
        """Glance again, if the last glance is long enough ago to say something."""
        if self._last is None or monotonic() - self._last.at_s >= GLANCE_S:
            self._compare(stale_s)

    def _compare(self, stale_s: float) -> None:
        last, current = self._last, glance()
        self._last = current
        self._others = None
        if last is not None and current is not None and current.at_s - last.at_s < stale_s:
            self._others = current.others_since(last)


LOAD = LoadMeter()


def threads_for(most: int, cores: float, other_load: float | None, reserve: int = 0) -> int:
    """As many threads as find a core of their own, at least one and at most `most`.

    Args:
        cores: those that this process may use, see `limits.core_count`.
        other_load: cores that other programs use; None where it is not known.
        reserve: cores that are left free for the page; what other programs use counts towards them.
    """
    busy = max(other_load or 0.0, float(reserve))
    return max(1, min(most, int(cores - busy + _SLACK)))


_ACTIVE: ContextVar["Threads | None"] = ContextVar("who chooses this thread's number of torch threads", default=None)


@dataclass(slots=True)
class Threads:
    """Torch's threads while some work goes on.

    Attributes:
        on_cpu: where the work is done; on a GPU nothing is changed.
        reserve: cores that are left free for the page.
        limit: the most threads that the work gains from; None for as many as torch has.
        fixed: whether all of the work has the same number, because runs are compared with one another: then work inside it has it as well.
        torch_threads: torch's own number, given back at the end: the most threads, since a caller may have chosen it.
        count: the number now.
        dropped: whether a slow round has left the work one thread, for a while or, where the number is fixed, until somebody resets this.
    """

    on_cpu: bool = True
    reserve: int = 0
    limit: int | None = None
    fixed: bool = False
    torch_threads: int = field(default_factory=torch.get_num_threads)
    count: int = 0
    dropped: bool = False
    _wait_s: float = _FIRST_WAIT_S
    _again_s: float = 0.0
    _fitted: bool = False

    @property
    def most(self) -> int:
        """The threads of work that has all cores to itself."""
        return min(self.torch_threads, self.limit or self.torch_threads)

    @contextmanager
    def used(self) -> Iterator["Threads"]:
        """Within it torch has as many threads as find a core now. Inside work with a fixed number, that one; yields who chooses."""
        active, before = _ACTIVE.get(), torch.get_num_threads()
        if active is self or (active is not None and active.fixed and not self.fixed):
            yield active
            return
        if active is not None:
            self.torch_threads, self.reserve = active.torch_threads, max(self.reserve, active.reserve)
        else:
            self.torch_threads = before
        token = _ACTIVE.set(self)
        try:
            self.count = before
            self.fit()
            yield self
        finally:
            _ACTIVE.reset(token)
            self.use(before)

    def fit(self) -> None:
        """As many threads as find a core now; for a while after a slow round, one."""
        if not self.on_cpu:
            return
        self.dropped = self.dropped and (self.fixed or monotonic() < self._again_s)
        if self.dropped or self.most == 1:
            self.use(1)
            return
        other_load = LOAD.others(inf if self._fitted else _STALE_S)
        self._fitted = True
        self.use(threads_for(self.most, limits.core_count(), other_load, self.reserve))

    def use(self, count: int) -> None:
        """Compute with this number of threads from here on."""
        if count != self.count:
            torch.set_num_threads(count)
            self.count = count

    def drop(self) -> bool:
        """One thread from here on, because a round was slow; whether there were more."""
        more = self.on_cpu and self.count > 1
        if more:
            self.dropped = True
            self._again_s, self._wait_s = monotonic() + self._wait_s, 2 * self._wait_s
            self.use(1)
        return more


@contextmanager
def fitting_threads(reserve: int = 0) -> Iterator[None]:
    """As many threads as find a core at the beginning of this block; also a decorator."""
    with Threads(reserve=reserve).used():
        yield


@contextmanager
def adapting(say: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Work on as many threads as find a core. The function that it yields says a step, after another look at the cores."""
    with Threads().used():

        def step(step_name: str) -> None:
            fit_again()
            say(step_name)

        yield step


def fit_again() -> None:
    """Between steps that are not compared with one another: as many threads as find a core now."""
    if (active := _ACTIVE.get()) is not None and not active.fixed:
        active.fit()


def is_fixed() -> bool:
    """True if the work around this has a fixed number of threads."""
    return (active := _ACTIVE.get()) is not None and active.fixed


def leave_free(reserve: int) -> None:
    """From here on this process computes with all cores but `reserve` at most, and with one at least.

    What an actor of a Ray cluster has is what Ray assigned to it: torch reads that number from `OMP_NUM_THREADS`, where Ray writes it.
    """
    threads = min(torch.get_num_threads(), int(limits.core_count() + _SLACK))
    torch.set_num_threads(max(1, threads - reserve))
