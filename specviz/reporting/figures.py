"""A measured number and its spread, and a curve of them. Standard library only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Figure:
    """The median, the lowest and the highest of several measurements."""

    median: float
    low: float
    high: float


def figure(values: Iterable[float]) -> Figure:
    """The figure of one or more values.

    Raises:
        ValueError: there are no values.
    """
    ordered = sorted(values)
    if not ordered:
        raise ValueError("No values were given: measure at least once.")
    return Figure(median(ordered), ordered[0], ordered[-1])


def ratios(numerators: Iterable[float], denominators: Iterable[float]) -> Figure:
    """The figure of the pairwise ratios; each pair was measured in the same turn."""
    return figure(n / d for n, d in zip(numerators, denominators, strict=True))


@dataclass(frozen=True, slots=True)
class CostCurve:
    """Measured costs of passes at batch 1: v(n), a target pass over n tokens relative to one over a single token, and c, a draft pass
    relative to a target pass.

    Attributes:
        cache_length: tokens in the caches.
        pass_s: seconds of a target pass over one token.
        v: from n to v(n).
        drafting: c; None without a draft.
    """

    cache_length: int
    pass_s: Figure
    v: Mapping[int, Figure]
    drafting: Figure | None = None

    @property
    def c(self) -> Figure:
        """The cost ratio; there must have been a draft."""
        assert self.drafting is not None, "no draft was measured"
        return self.drafting
