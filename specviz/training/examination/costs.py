"""What passes cost: c, a draft pass relative to a target pass, and v(n), a target pass over n tokens relative to one over a single token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specviz.models.cached_model import CachedModel
from specviz.models.timing import fill, pass_seconds
from specviz.reporting.figures import Figure, figure, ratios

_CACHED = 128
"""Tokens in the caches while passes are timed, fewer where the models cannot read as many."""
_IN_A_ROW = 4
"""Draft passes that are timed together, as in a round."""
_SWEEPS = 5


@dataclass(frozen=True, slots=True)
class PassCosts:
    """Costs at batch 1, each the median over sweeps with the lowest and the highest.

    Attributes:
        pass_s: seconds of a target pass over one token.
        c: see above.
        v: from n to v(n).
    """

    pass_s: Figure
    c: Figure
    v: Mapping[int, Figure]


def pass_costs(target: CachedModel, draft: CachedModel, lengths: Sequence[int]) -> PassCosts:
    """Time passes of both models in turn, after one sweep to warm up; each pass is rolled back.

    Args:
        lengths: the n of v(n).
    """
    room = min(target.context, draft.context) - max(*lengths, _IN_A_ROW)
    cached = max(1, min(_CACHED, room))
    for model in (target, draft):
        fill(model, cached, max(*lengths, _IN_A_ROW))
    single: list[float] = []
    drafting: list[float] = []
    several: dict[int, list[float]] = {n: [] for n in lengths}
    for sweep in range(_SWEEPS + 1):
        one = pass_seconds(target, 1)
        passes = pass_seconds(draft, 1, in_a_row=_IN_A_ROW) / _IN_A_ROW
        longer = {n: pass_seconds(target, n) for n in lengths}
        if sweep:
            single.append(one)
            drafting.append(passes)
            for n, seconds in longer.items():
                several[n].append(seconds)
    return PassCosts(figure(single), ratios(drafting, single), {n: ratios(several[n], single) for n in lengths})
