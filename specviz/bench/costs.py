"""The cost curve: what a pass over n tokens costs beside a pass over one, and a draft pass beside a target pass."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Protocol

import torch

from specviz.bench.decoders import wait
from specviz.bench.figures import Figure, figure, ratios
from specviz.models import CachedModel

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)
_PASSES = 5
"""Passes of one length in a sweep; the middle one counts, so that a hiccup of the machine is no cost."""


class Models(Protocol):
    """A target and a draft."""

    @property
    def target(self) -> CachedModel: ...
    @property
    def draft(self) -> CachedModel: ...


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured.

    Attributes:
        cache_length: tokens in both caches.
        pass_s: seconds of a target pass over one token.
        c: a draft pass over a target pass.
        v: n -> a target pass over n tokens over one over one token.
    """

    cache_length: int
    pass_s: Figure
    c: Figure
    v: Mapping[int, Figure]


def measure_costs(pair: Models, cache_length: int, k: int, sweeps: int) -> Costs:
    """Time passes of every length in turn, several sweeps of them, each pass taken back behind it.

    A draft pass is one of k in a row with one wait behind them, as they are made in a round.

    Args:
        cache_length: how much text lies in the caches; less where the models do not hold as much.
    """
    room = min(pair.target.context, pair.draft.context) - max(LENGTHS[1], k)
    held = max(1, min(cache_length, room))
    lengths = [n for n in LENGTHS if held + n <= pair.target.context]
    for model in (pair.target, pair.draft):
        _fill(model, held, max(*lengths, k))
    ids = torch.arange(1, max(lengths) + 1, device=pair.target.device) % pair.target.vocabulary
    target: dict[int, list[float]] = {n: [] for n in lengths}
    draft: list[float] = []
    for sweep in range(sweeps + 1):
        for n in lengths:
            seconds = _middle(lambda n=n: _read(pair.target, ids[:n], 1))  # type: ignore[misc]
            if sweep:  # the first sweep only warms up
                target[n].append(seconds)
        seconds = _middle(lambda: _read(pair.draft, ids[:1], k)) / k
        if sweep:
            draft.append(seconds)
    return Costs(
        cache_length=held,
        pass_s=figure(target[1]),
        c=ratios(draft, target[1]),
        v={n: ratios(target[n], target[1]) for n in lengths},
    )


def _fill(model: CachedModel, length: int, spare: int) -> None:
    """An arbitrary text of this length in the model's cache; what it says does not change what a pass costs."""
    model.begin(length + spare)
    model.forward(torch.arange(length, device=model.device) % model.vocabulary, rows=1)
    model.keep(range(length))


def _read(model: CachedModel, ids: torch.Tensor, passes: int) -> float:
    """Seconds for this many passes over these ids, one behind the other; taken back afterwards, off the clock."""
    wait(model.device)
    began = perf_counter()
    for _ in range(passes):
        model.forward(ids)
    wait(model.device)
    seconds = perf_counter() - began
    model.keep([])
    return seconds


def _middle(measured: Callable[[], float]) -> float:
    return median(measured() for _ in range(_PASSES))
