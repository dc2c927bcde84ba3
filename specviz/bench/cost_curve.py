"""The cost curve: what a pass over n tokens costs beside a pass over one, and a draft pass beside a target pass."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from specviz.models import CachedModel
from specviz.models.timing import fill, pass_seconds
from specviz.reporting.figures import Figure, figure, ratios

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)


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
        fill(model, held, max(*lengths, k))
    target: dict[int, list[float]] = {n: [] for n in lengths}
    draft: list[float] = []
    for sweep in range(sweeps + 1):
        for n in lengths:
            seconds = pass_seconds(pair.target, n)
            if sweep:  # the first sweep only warms up
                target[n].append(seconds)
        seconds = pass_seconds(pair.draft, 1, in_a_row=k) / k
        if sweep:
            draft.append(seconds)
    return Costs(
        cache_length=held,
        pass_s=figure(target[1]),
        c=ratios(draft, target[1]),
        v={n: ratios(target[n], target[1]) for n in lengths},
    )
