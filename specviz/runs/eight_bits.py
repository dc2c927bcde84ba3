"""Whether the target's copy in 8 bits is faster than the target on this processor, in a sentence where it is not."""

from statistics import median

from specviz.models.cached_model import CachedModel
from specviz.models.pair import Pair
from specviz.models.timing import fill, pass_seconds

_CACHED = 64
"""The number of cached tokens while passes are timed."""
_TURNS = 3
"""How often the two models are timed in turn; the median ratio counts."""


def measure_copy(pair: Pair, copied: CachedModel) -> None:
    """Time passes of the copy and of the target over one token in turn, once for each pair.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    if pair.quantized_cost is not None:
        return
    pair.take()
    for model in (pair.target, copied):
        fill(model, max(1, min(_CACHED, model.context - 1)), 1)
        pass_seconds(model, 1)  # the first passes are slower
    pair.quantized_cost = median(pass_seconds(copied, 1) / pass_seconds(pair.target, 1) for _ in range(_TURNS))


def no_faster(pair: Pair) -> tuple[str, ...]:
    """A sentence if a pass of the copy takes as long as one of the target, or longer."""
    cost = pair.quantized_cost
    if cost is None or cost < 1:
        return ()
    return (
        f"This processor does not speed 8 bits up: a pass of the copy takes {cost:.2f} of the target's own pass, so drafting with it cannot pay.",
    )
