"""The line of jobs before the engines: whose turn it is, how many come before, and how long they take by what was measured.

Pure: no thread, no clock, no engine.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from app.server.job import Job, Status
from specviz.request import PairAsked
from specviz.wire import ListPairs, Load, Perform

_RECENT = 9
"""So many of the latest jobs of a kind say how long one takes."""
Kind = tuple[str, PairAsked | None]


class JobQueue:
    """The jobs that wait, the next one first.

    Args:
        address_of: from where a visitor comes; "" where that is not known. Addresses take turns: who comes from one where nobody else runs or waits
            is not behind the twenty visitors of another.
    """

    def __init__(self, address_of: Callable[[str], str] = lambda visitor: "") -> None:
        self._jobs: deque[Job] = deque()
        self._address_of = address_of

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, job: Job, running: Sequence[Job] = ()) -> None:
        """Put a job where its turn is: after those that wait, but before those with more visitors of their own address before them."""
        *turns, turn = self._turns([*running, *self._jobs, job])[len(running) :]
        waiting = [*self._jobs]
        later = (i for i in range(len(waiting)) if turns[i] > turn)
        self._jobs.insert(next(later, len(waiting)), job)

    def of_address(self, visitor: str) -> int:
        """How many jobs of the address of this visitor wait; none where that is not known."""
        address = self._address_of(visitor)
        return sum(self._address_of(job.visitor) == address for job in self._jobs) if address else 0

    def _turns(self, jobs: Sequence[Job]) -> list[int]:
        """For each of these jobs, in their order: how many other visitors of its address have one before it; 0 where the address is not known."""
        before: dict[str, list[str]] = {}
        found = []
        for job in jobs:
            address = self._address_of(job.visitor)
            visitors = before.setdefault(address, [])
            if job.visitor not in visitors:
                visitors.append(job.visitor)
            found.append(visitors.index(job.visitor) if address else 0)
        return found

    def take(self) -> Job:
        """The next job, which leaves the line."""
        return self._jobs.popleft()

    def remove(self, job: Job) -> None:
        """A job leaves the line before its turn."""
        self._jobs.remove(job)

    def of(self, visitor: str) -> list[Job]:
        """The jobs of a visitor; none of nobody in particular."""
        return [job for job in self._jobs if visitor and job.visitor == visitor]

    def before(self, job: Job) -> list[Job]:
        """The jobs that wait before this one; none before a job that does not wait."""
        waiting = [*self._jobs]
        return waiting[: waiting.index(job)] if job in waiting else []

    def position(self, job: Job, running: Sequence[Job], engines: int = 1) -> int:
        """How many jobs have to end before this one begins; 0 when it is its turn, or waits for its own models only.

        Args:
            running: what the engines do now.
            engines: how many there are. While all of them are busy, one job must end for the first in line, two for the second, and so on.
        """
        if job not in self._jobs:
            return 0
        busy = sum(not serves(each, job) for each in running)
        before = sum(not serves(each, job) for each in self.before(job))
        return max(0, before + 1 + busy - engines)


def serves(before: Job, job: Job) -> bool:
    """Whether a job is part of getting another one ready: the list of pairs, or the load of its own pair."""
    return isinstance(before.command, ListPairs) or (isinstance(before.command, Load) and before.pair == job.pair)


class QueuePace:
    """How long jobs kept an engine lately, by their kind."""

    def __init__(self) -> None:
        self._seconds: dict[Kind, deque[float]] = {}

    def note(self, job: Job, now: float) -> None:
        """Take in a job that is over; not one that was stopped or failed, which says nothing of the next."""
        if job.began is not None and (job.status is Status.DONE or job.over_limit):
            self._seconds.setdefault(_kind(job), deque(maxlen=_RECENT)).append(now - job.began)

    def typical_s(self, job: Job) -> float | None:
        """The median of the latest jobs of this kind; None where none was measured."""
        known = self._seconds.get(_kind(job))
        return median(known) if known else None

    def wait_s(self, running: Sequence[Job], before: Sequence[Job], now: float, engines: int = 1) -> float | None:
        """How long it takes until an engine is free for the job after these; None where one is of a kind that was never measured.

        The jobs before are given in order to the engine that is free first, each for the time that its kind took lately; those that run have
        had a part of theirs already. With one engine that is the sum.
        """
        lasting = [self._left_s(job, now) for job in (*running, *before)]
        known = [seconds for seconds in lasting if seconds is not None]
        if len(known) < len(lasting):
            return None
        free = [*known[: len(running)], *[0.0] * (engines - len(running))]
        heapq.heapify(free)
        for seconds in known[len(running) :]:
            heapq.heapreplace(free, free[0] + seconds)
        return min(free, default=0.0)

    def _left_s(self, job: Job, now: float) -> float | None:
        typical = self.typical_s(job)
        return None if typical is None else max(0.0, typical - (0.0 if job.began is None else now - job.began))


def _kind(job: Job) -> Kind:
    """Jobs of one kind do the same with the same models."""
    command = job.command
    name = type(command).__name__
    if isinstance(command, Perform):
        name += f" {command.task}"
    return name, job.pair


def waits(position: int, wait_s: float | None) -> str:
    """The place in the line in a few words, with the waiting time where it is known."""
    return f"{position} before you" + ("" if wait_s is None else f", about {_time(wait_s)} by the latest jobs here")


def _time(seconds: float) -> str:
    if seconds < 90:
        whole = max(1, round(seconds))
        return f"{whole} second{'s' * (whole > 1)}"
    return f"{round(seconds / 60)} minutes"
