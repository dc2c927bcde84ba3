"""Watches over timed runs on the CPU: how many cores are free, how long a run waited for one, and when it is calm again."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic, sleep

from specviz.models import limits, threads
from specviz.models.machine_notes import CoreTime
from specviz.models.threads import Glance, Threads, glance, threads_for
from specviz.trace.conditions import Conditions, Turn, counted

EXTRA_TURNS = 3  # so many turns are repeated at most, where some were disturbed or differ too much
_PATIENCE_S = 0.6  # how long a repeat waits for other programs at most


@dataclass(slots=True)
class Watchman:
    """Watches over the timed runs of one comparison, see `watching`.

    Attributes:
        turns: the timed turns so far.
        turn_s: seconds of the shortest turn; of a disturbed one the time in which it computed.
    """

    on_cpu: bool
    reserve: int
    _threads: Threads
    turns: list[Turn] = field(default_factory=list)
    turn_s: float = math.inf
    _calm_threads: int = 0
    _began: Glance | None = field(default_factory=glance)
    _times: list[CoreTime] = field(default_factory=list)
    _turn_s: float = 0.0

    @property
    def threads(self) -> int:
        """Torch's threads now."""
        return self._threads.count

    def add_turn(self, figure: float, times: Sequence[CoreTime], most: float | None = None) -> None:
        """A turn is over: its figure and the most it can be (see `Turn`), and the time of each of its runs."""
        self._times.extend(times)
        self._turn_s = sum(time.wall_s for time in times)
        computed_s = sum(time.computed_s for time in times)
        waited = max(time.waited for time in times) if self.on_cpu else None
        steady = not self._threads.dropped
        self.turns.append(Turn(figure, waited, most, alone=self.on_cpu and self.threads == 1 and steady, steady=steady))
        if self.turns[-1].calm:
            self._calm_threads = self.threads
        self.turn_s = min(self.turn_s, self._turn_s if self.turns[-1].calm else computed_s)

    @property
    def calm_turns(self) -> int:
        """The number of turns that were not disturbed."""
        return sum(turn.calm for turn in self.turns)

    def may_repeat(self, wanted: int) -> bool:
        """True if fewer turns than `wanted` were calm, or these do not agree, and few enough were made."""
        enough = self.calm_turns >= wanted and counted(self.turns, wanted)[0]
        return not enough and len(self.turns) < wanted + EXTRA_TURNS

    def wait_for_cores(self, stop: Callable[[], bool] = lambda: False) -> None:
        """After a disturbed turn: wait briefly for free cores, and take fewer threads where they stay taken.

        Once a turn was calm the number of threads stays, so that all turns that count were made with the same number.
        """
        if not self.turns or self.turns[-1].calm:
            return
        self._threads.dropped = False
        if self.calm_turns:
            self._threads.use(self._calm_threads)
            self._others_after_a_pause(stop)
            return
        others = self._others_after_a_pause(stop)
        fewer = threads_for(self.threads, limits.core_count(), others, self.reserve)
        if fewer == self.threads and len(self.turns) > 1:
            fewer = max(1, fewer // 2)  # disturbed again by something that the counters do not show
        self._threads.use(fewer)

    def _others_after_a_pause(self, stop: Callable[[], bool]) -> float | None:
        """Cores that other programs use, as soon as they leave enough for the threads, or when the patience ends."""
        patience = monotonic() + min(_PATIENCE_S, max(threads.GLANCE_S, self._turn_s))
        before, others = glance(), None
        while before is not None and not stop():
            sleep(threads.GLANCE_S)
            latest = glance()
            if latest is None:
                return None
            others, before = latest.others_since(before), latest
            if (
                threads_for(self.threads, limits.core_count(), others, self.reserve) == self.threads
                or monotonic() > patience
            ):
                break
        return others

    def conditions(self, wanted: int, *, compared: bool = True) -> Conditions:
        """The conditions of the turns so far; at least one turn has been made.

        Args:
            wanted: the number of turns that were requested.
            compared: their figures are speedups.
        """
        trusted, indices = counted(self.turns, wanted)
        figures = [self.turns[index].figure for index in indices]
        total = CoreTime(sum(time.wall_s for time in self._times), sum(time.computed_s for time in self._times))
        latest = glance()
        return Conditions(
            trusted=trusted,
            turns=len(self.turns),
            left_out=len(self.turns) - len(indices),
            compared=compared,
            low=min(figures),
            high=max(figures),
            waited=total.waited if self.on_cpu else None,
            others=None if latest is None or self._began is None else latest.others_since(self._began),
            cores=max(1, round(limits.core_count())),
            threads=self._calm_threads or self.threads,
            usual_threads=self._threads.most,
            most=min((turn.most for turn in self.turns if turn.most is not None and not turn.possible), default=None),
            disturbed=trusted and not all(self.turns[index].calm for index in indices),
        )


@contextmanager
def watching(*, on_cpu: bool, reserve: int = 0, limit: int | None = None) -> Iterator[Watchman]:
    """A watchman over the runs inside, which have fewer of torch's threads where other programs use the cores, all the same number.

    Args:
        on_cpu: where the runs decode; on a GPU the processor's time shows little, and only their spread is judged.
        reserve: cores that are left free for the page.
        limit: the most threads to use; None for as many as torch has.
    """
    threads = Threads(on_cpu, reserve, limit, fixed=True)
    with threads.used():
        yield Watchman(on_cpu, reserve, threads)
