"""The cost curve v(n), a target pass over n tokens relative to one over one token, and c, a draft pass relative to a target pass."""

from collections.abc import Mapping
from dataclasses import dataclass

from specviz.models import CachedModel
from specviz.models.timing import fill, pass_seconds
from specviz.reporting.figures import Figure, figure, ratios

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)


@dataclass(frozen=True, slots=True)
class Costs:
    """Measured costs of passes at batch 1.

    Attributes:
        cache_length: tokens in both caches.
        pass_s: seconds of a target pass over one token.
        c: time of a draft pass / time of a target pass over one token.
        v: from n to time of a target pass over n tokens / time of one over one token.
    """

    cache_length: int
    pass_s: Figure
    c: Figure
    v: Mapping[int, Figure]


def measure_costs(target: CachedModel, draft: CachedModel, cache_length: int, k: int, sweeps: int) -> Costs:
    """Time passes of every length, in several sweeps; each pass is rolled back after it.

    A draft pass is measured as one of k consecutive passes with one device synchronisation at their end, as in a round.

    Args:
        cache_length: tokens in the caches; fewer if the models' context is too short.
        k: draft length.
        sweeps: timed sweeps over all lengths, after one for warm-up.
    """
    room = min(target.context, draft.context) - max(LENGTHS[1], k)
    length = max(1, min(cache_length, room))
    lengths = [n for n in LENGTHS if length + n <= target.context]
    for model in (target, draft):
        fill(model, length, max(*lengths, k))
    target_s: dict[int, list[float]] = {n: [] for n in lengths}
    draft_s: list[float] = []
    for sweep in range(sweeps + 1):
        for n in lengths:
            seconds = pass_seconds(target, n)
            if sweep:  # the first sweep is a warm-up
                target_s[n].append(seconds)
        seconds = pass_seconds(draft, 1, in_a_row=k) / k
        if sweep:
            draft_s.append(seconds)
    return Costs(
        cache_length=length,
        pass_s=figure(target_s[1]),
        c=ratios(draft_s, target_s[1]),
        v={n: ratios(target_s[n], target_s[1]) for n in lengths},
    )
