"""Threads of one run: as many as find a core before each round, and one after a round that took far longer than expected."""

from collections import deque
from collections.abc import Iterable, Iterator
from statistics import median

from specviz.decoding.costs import Costs
from specviz.models.threads import Threads
from specviz.trace.records import Round

# A round that takes more than so many times its expected time waited for cores, whatever the system's counters show.
SLOW = 3.0
_RECENT = 16  # compared with so many earlier rounds: the longer a text, the longer a pass over it takes


class RoundTimes:
    """The expected time of the next round of a run: by its costs and the rounds before; where costs are not known, the time of earlier rounds
    that drafted as much or more, which cannot be the quicker ones.

    Args:
        costs: of a pass and of a guess; None where they are not known.
    """

    def __init__(self, costs: Costs | None = None) -> None:
        self._costs = costs
        self._earlier: deque[tuple[int, float]] = deque(maxlen=_RECENT)

    def is_slow(self, drafted: int, seconds: float) -> bool:
        """True if a round with so many drafted tokens took more than `SLOW` times its expected time; it is one of the earlier ones then."""
        alike = [earlier_s / self._cost(n) for n, earlier_s in self._earlier if self._costs is not None or n >= drafted]
        self._earlier.append((drafted, seconds))
        return bool(alike) and seconds > SLOW * median(alike) * self._cost(drafted)

    def _cost(self, drafted: int) -> float:
        return 1.0 if self._costs is None else self._costs.verify(drafted) + drafted * self._costs.c


def with_fitting_threads(rounds: Iterable[Round], *, on_cpu: bool) -> Iterator[Round]:
    """Yield these rounds, each made on as many threads as find a core: for a loop that is not a `Run`."""
    threads, times, remaining = Threads(on_cpu), RoundTimes(), iter(rounds)
    while True:
        with threads.used() as active:
            if (round_ := next(remaining, None)) is None:
                return
            if times.is_slow(len(round_.drafted), round_.seconds):
                active.drop()
        yield round_
