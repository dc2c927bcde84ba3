"""The line of jobs before the one engine: whose turn it is, how many come before, and how long they take by what was measured.

Pure: no thread, no clock, no engine.
"""

from collections import deque
from collections.abc import Iterator
from statistics import median

from app.job import Job, Status
from specviz.wire import ListPairs, Load, Measure, PairAsked, Perform

_RECENT = 9
"""So many of the latest jobs of a kind say how long one takes."""
Kind = tuple[str, PairAsked | None]


class Line:
    """The jobs that wait, the next one first. Jobs in the background come after all others, whenever they were requested."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, job: Job) -> None:
        """Put a job at its end, before those in the background if it is not one of them."""
        first_in_background = next((i for i, one in enumerate(self._jobs) if one.background), len(self._jobs))
        self._jobs.insert(len(self._jobs) if job.background else first_in_background, job)

    def take(self) -> Job:
        """The next job, which leaves the line."""
        return self._jobs.popleft()

    def remove(self, job: Job) -> None:
        """A job leaves the line before its turn."""
        self._jobs.remove(job)

    def of(self, visitor: str) -> list[Job]:
        """The jobs of a visitor; none of nobody in particular, and none in the background."""
        return [job for job in self._jobs if visitor and job.visitor == visitor and not job.background]

    def before(self, job: Job, current: Job | None) -> list[Job]:
        """Everything that the engine does before this job, the current one first; nothing for a job that does not wait."""
        if job not in self._jobs:
            return []
        waiting = [*self._jobs]
        return [*([] if current is None else [current]), *waiting[: waiting.index(job)]]

    def position(self, job: Job, current: Job | None) -> int:
        """How many jobs of others are before this one; 0 when it is its turn, or waits for its own models only."""
        return sum(not _serves(each, job) for each in self.before(job, current))


def _serves(before: Job, job: Job) -> bool:
    """Whether a job is part of getting another one ready: the list of pairs, or the load of its own pair."""
    return isinstance(before.command, ListPairs) or (isinstance(before.command, Load) and before.pair == job.pair)


class Pace:
    """How long jobs kept the engine lately, by their kind."""

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

    def wait_s(self, before: list[Job], now: float) -> float | None:
        """How long these take together, less what the first has had already; None where one is of a kind that was never measured."""
        left = [self._left_s(job, now) for job in before]
        known = [seconds for seconds in left if seconds is not None]
        return sum(known) if len(known) == len(left) else None

    def _left_s(self, job: Job, now: float) -> float | None:
        typical = self.typical_s(job)
        return None if typical is None else max(0.0, typical - (0.0 if job.began is None else now - job.began))


def _kind(job: Job) -> Kind:
    """Jobs of one kind do the same with the same models."""
    command = job.command
    name = type(command).__name__
    if isinstance(command, Measure):
        name += f" {command.what.value}"
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
