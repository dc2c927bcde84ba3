"""A measured number and its spread. Standard library only."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Figure:
    """The median of what was measured, the lowest and the highest."""

    median: float
    low: float
    high: float


def figure(values: Iterable[float]) -> Figure:
    """The figure of one or more values.

    Raises:
        ValueError: there are none.
    """
    found = sorted(values)
    if not found:
        raise ValueError("nothing was measured")
    return Figure(median(found), found[0], found[-1])


def ratios(numerators: Iterable[float], denominators: Iterable[float]) -> Figure:
    """The figure of the ratios of values that were measured side by side."""
    return figure(n / d for n, d in zip(numerators, denominators, strict=True))
