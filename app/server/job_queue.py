"""The queue of jobs before the engines: whose turn it is, how many come before, and how long they take by what was measured.

Pure: no thread, no clock, no engine.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from app.server.job import Job, Status
from specviz.request import PairRequest
from specviz.wire import Load, Perform

_RECENT = 9  # so many of the latest jobs of a kind give its typical duration
Kind = tuple[str, str, PairRequest | None]


class JobQueue:
    """The jobs that wait, the next one first.

    Args:
        address_of: from where a visitor comes; "" where that is not known. Addresses take turns: a visitor from an address without other jobs does
            not wait for twenty jobs of another address.
    """

    def __init__(self, address_of: Callable[[str], str] = lambda visitor: "") -> None:
        self._jobs: list[Job] = []
        self._address_of = address_of

    def __iter__(self) -> Iterator[Job]:
        return iter([*self._jobs])

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, job: Job, running: Sequence[Job] = ()) -> None:
        """Put a job where its turn is: after those that wait, but before those with more visitors of their own address before them."""
        *turns, turn = self._turns([*running, *self._jobs, job])[len(running) :]
        later = (index for index, other in enumerate(turns) if other > turn)
        self._jobs.insert(next(later, len(turns)), job)

    def _turns(self, jobs: Sequence[Job]) -> list[int]:
        """For each of these jobs, in their order: how many other visitors of its address have one before it; 0 where the address is not known."""
        visitors_of: dict[str, list[str]] = {}
        turns = []
        for job in jobs:
            address = self._address_of(job.visitor)
            visitors = visitors_of.setdefault(address, [])
            if job.visitor not in visitors:
                visitors.append(job.visitor)
            turns.append(visitors.index(job.visitor) if address else 0)
        return turns

    def remove(self, job: Job) -> None:
        """Take a job out of the queue."""
        self._jobs.remove(job)

    def before(self, job: Job) -> list[Job]:
        """The jobs that wait before this one; none before a job that does not wait."""
        return self._jobs[: self._jobs.index(job)] if job in self._jobs else []

    def count_of_address(self, visitor: str) -> int:
        """How many jobs wait that come from where this visitor does; 0 where that is not known."""
        address = self._address_of(visitor)
        return sum(self._address_of(job.visitor) == address for job in self._jobs) if address else 0

    def position(self, job: Job, running: Sequence[Job], engines: int = 1) -> int:
        """How many jobs have to end before this one begins; 0 when it is its turn, or waits for its own models only.

        Args:
            running: what the engines do now.
            engines: how many there are. While all of them are busy, one job must end for the first in the queue, two for the second, and so on.
        """
        if job not in self._jobs:
            return 0
        busy = sum(not prepares(other, job) for other in (*running, *self.before(job)))
        return max(0, busy + 1 - engines)


def prepares(other: Job, job: Job) -> bool:
    """True if another job only gets this one ready: it loads its pair."""
    return isinstance(other.command, Load) and other.pair == job.pair


class JobDurations:
    """How long the latest jobs kept an engine, by their kind: the same command with the same models."""

    def __init__(self) -> None:
        self._seconds: dict[Kind, deque[float]] = {}

    def add(self, job: Job, now: float) -> None:
        """Take in a job that is over; one that was stopped or failed says nothing of the next and is left out."""
        if job.sent_at is not None and (job.status is Status.DONE or job.over_limit):
            self._seconds.setdefault(_kind(job), deque(maxlen=_RECENT)).append(now - job.sent_at)

    def typical_s(self, job: Job) -> float | None:
        """The median of the latest jobs of this kind; None where none was measured."""
        seconds = self._seconds.get(_kind(job))
        return median(seconds) if seconds else None

    def wait_s(self, running: Sequence[Job], before: Sequence[Job], now: float, engines: int = 1) -> float | None:
        """How long it takes until an engine is free for the job after these; None where one is of a kind that was never measured.

        The jobs before are given in order to the engine that is free first, each for the time that its kind took lately; those that run have
        had a part of theirs already. With one engine that is the sum.
        """
        left: list[float] = []
        for job in (*running, *before):
            if (typical := self.typical_s(job)) is None:
                return None
            left.append(max(0.0, typical - (0.0 if job.sent_at is None else now - job.sent_at)))
        free = [*left[: len(running)], *[0.0] * (engines - len(running))]
        heapq.heapify(free)
        for seconds in left[len(running) :]:
            heapq.heapreplace(free, free[0] + seconds)
        return min(free, default=0.0)


def _kind(job: Job) -> Kind:
    return type(job.command).__name__, job.command.task if isinstance(job.command, Perform) else "", job.pair


def waiting_words(position: int, wait_s: float | None) -> str:
    """The position in the queue in a few words, with the waiting time where it is known."""
    if wait_s is None:
        return f"{position} before you"
    seconds = max(1, round(wait_s))
    time = f"{seconds} second{'s' * (seconds > 1)}" if wait_s < 90 else f"{round(wait_s / 60)} minutes"
    return f"{position} before you, about {time} by the latest jobs here"
