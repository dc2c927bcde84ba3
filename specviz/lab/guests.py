"""Rush hour: what passes over several guests' texts cost, measured; and the speedup that follows from α, calculated. Standard library only.

Between measured numbers of guests, and of tokens, a cost is on the straight line between the two nearest; outside of them nothing is said.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from specviz.lab.profile import BatchPass
from specviz.trace import theory
from specviz.trace.measured import Point


@dataclass(frozen=True, slots=True)
class Surface:
    """Seconds of passes by guests and tokens of each.

    Attributes:
        target: of the target.
        draft: of the draft, over one token of each guest.

    Raises:
        ValueError: there is no pass of the target over one token.
    """

    target: tuple[BatchPass, ...]
    draft: tuple[BatchPass, ...]

    def __post_init__(self) -> None:
        if not any(each.tokens == 1 for each in self.target):
            raise ValueError("no pass of the target over one token was measured")

    @property
    def most_guests(self) -> int:
        """The largest number of guests for which a plain pass was measured."""
        return max(each.guests for each in self.target if each.tokens == 1)

    @property
    def lengths(self) -> tuple[int, ...]:
        """The measured numbers of tokens, sorted."""
        return tuple(sorted({each.tokens for each in self.target}))

    def pass_s(self, guests: int, tokens: float) -> float | None:
        """Seconds of the target's pass over so many tokens of each guest; None outside of what was measured."""
        rows = [(n, _between(_row(self.target, n), guests)) for n in self.lengths]
        return _between([(n, seconds) for n, seconds in rows if seconds is not None], tokens)

    def draft_s(self, guests: int) -> float | None:
        """Seconds of the draft's pass over one token of each guest; None outside of what was measured."""
        return _between(_row(self.draft, 1), guests)

    def room_for(self, k: int) -> int:
        """The largest number of guests who can all draft k tokens, as far as passes were measured; 0 where none can."""
        able = (
            guests
            for guests in range(self.most_guests, 0, -1)
            if self.pass_s(guests, k + 1) is not None and self.draft_s(guests) is not None
        )
        return next(able, 0)


@dataclass(frozen=True, slots=True)
class Best:
    """The draft length with the highest calculated speedup for so many guests; below 1 the speedup is a slowdown."""

    guests: int
    k: int
    speedup: float


def passes_of(points: Sequence[Point]) -> tuple[BatchPass, ...]:
    """The medians of a measurement."""
    return tuple(BatchPass(point.guests, point.tokens, point.pass_s) for point in points)


def speedup_at(surface: Surface, guests: int, k: int, alpha: float) -> float | None:
    """The expected speedup with draft length k; None where a pass that it needs was not measured."""
    plain, check = surface.pass_s(guests, 1), surface.pass_s(guests, k + 1)
    draft = surface.draft_s(guests)
    if plain is None or check is None or draft is None:
        return None
    return theory.speedup(alpha, k, draft / plain, check / plain)


def best_at(surface: Surface, guests: int, alpha: float) -> Best | None:
    """The best draft length from 1 on; of equal ones the shortest. None where nothing can be calculated."""
    best: Best | None = None
    for k in range(1, surface.lengths[-1]):
        speedup = speedup_at(surface, guests, k, alpha)
        if speedup is not None and (best is None or speedup > best.speedup + 1e-12):
            best = Best(guests, k, speedup)
    return best


def table(surface: Surface, alpha: float) -> tuple[Best, ...]:
    """The best of every number of guests, from 1 to the largest that was measured."""
    found = (best_at(surface, guests, alpha) for guests in range(1, surface.most_guests + 1))
    return tuple(best for best in found if best is not None)


def switch_off(rows: Sequence[Best]) -> int | None:
    """From how many guests on speculation does not pay at any draft length; None where it pays for the most guests that were measured."""
    first: int | None = None
    for best in rows:
        if best.speedup >= 1:
            first = None
        elif first is None:
            first = best.guests
    return first


def _row(passes: Sequence[BatchPass], tokens: int) -> list[tuple[float, float]]:
    return sorted((each.guests, each.seconds) for each in passes if each.tokens == tokens)


def _between(samples: Sequence[tuple[float, float]], at: float) -> float | None:
    """The value at a position, on the line between the two nearest samples; None outside of them."""
    positions = [position for position, _ in samples]
    index = bisect_left(positions, at)
    if index == len(samples):
        return None
    upper, value = samples[index]
    if upper == at:
        return value
    if index == 0:
        return None
    lower, before = samples[index - 1]
    return before + (at - lower) / (upper - lower) * (value - before)
