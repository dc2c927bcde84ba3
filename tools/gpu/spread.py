"""A measured number and its spread. Standard library only."""

from collections.abc import Iterable
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
