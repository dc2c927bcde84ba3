"""Measurements in turn, and their median with the lowest and the highest value. Standard library only."""

import gc
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figure:
    """The median, the lowest and the highest of several measurements."""

    median: float
    low: float
    high: float


def figure(values: Iterable[float]) -> Figure:
    """The figure of one or more values. Raises ValueError if there are no values."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("No values were given: measure at least once.")
    return Figure(median(ordered), ordered[0], ordered[-1])


def ratios(numerators: Iterable[float], denominators: Iterable[float]) -> Figure:
    """The figure of the pairwise ratios; each pair was measured in the same turn."""
    return figure(n / d for n, d in zip(numerators, denominators, strict=True))


def quantile(values: Iterable[float], share: float) -> float | None:
    """The smallest of the values that at least this share of them do not exceed; None of none."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else None


def in_turn(decoders: Mapping[str, Callable[[], T]], repeats: int) -> dict[str, list[T]]:
    """Warm up each decoder, then run them `repeats` times in turn, one at a time; a different one goes first in each turn."""
    names = list(decoders)
    for name in names:
        decoders[name]()
    results: dict[str, list[T]] = {name: [] for name in names}
    gc.collect()
    for turn in range(repeats):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            results[name].append(decoders[name]())
    return results
