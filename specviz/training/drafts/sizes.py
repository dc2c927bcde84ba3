"""`--size auto`: the candidate with the best predicted speedup, from measured costs and an assumed acceptance rate."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import log10

import torch

from specviz.models.cached_model import CachedModel
from specviz.models.loading import Target
from specviz.reporting.cost_curve import cost_curve
from specviz.trace.theory import speedup
from specviz.training.drafts.student import Size, network
from specviz.training.examination.rounds import KS

_AT_EQUAL_SIZE, _PER_DECADE = 0.72, 0.08
_LOWEST, _HIGHEST = 0.05, 0.9


@dataclass(frozen=True, slots=True)
class Candidate:
    """A size, what it costs here, and what it promises.

    Attributes:
        c: cost of a pass, measured.
        alpha: the acceptance rate that is assumed.
        k: the draft length with the best predicted speedup.
        speedup: this prediction.
    """

    size: Size
    c: float
    alpha: float
    k: int
    speedup: float


def assumed_alpha(draft_weights: int, target_weights: int) -> float:
    """The acceptance rate to expect of a draft whose layers have so many weights, beside those of the target's layers.

    A rule of thumb, not a law: 0.72, less 0.08 for each factor of ten between the two. It only ranks the candidates; the examination
    measures the rate itself.
    """
    found = _AT_EQUAL_SIZE - _PER_DECADE * log10(max(target_weights, 1) / max(draft_weights, 1))
    return min(_HIGHEST, max(_LOWEST, found))


def candidates(
    target: Target, sizes: Sequence[tuple[int, int]], kept: int, report: Callable[[int, int], object]
) -> list[Candidate]:
    """Measure the target and a draft of every size with random weights; the best predicted speedup comes first.

    Args:
        kept: rows of the drafts' heads.
        report: callback with how many sizes are done, and of how many.
    """
    model = target.model
    layers = sum(weight.numel() for weight in model.parameters()) - _table_weights(target)
    big = CachedModel(model, target.text.vocabulary, target.ends)
    found = []
    for index, (width, count) in enumerate(sizes):
        report(index, len(sizes))
        size = Size(width, count)
        small = _random_draft(size, kept, big.context, target.ends, model.device, model.dtype)
        costs = cost_curve(big, small, [k + 1 for k in KS])
        alpha = assumed_alpha(size.weights(0), layers)
        promised = {k: speedup(alpha, k, costs.c.median, costs.v[k + 1].median) for k in KS}
        k = max(KS, key=lambda each: promised[each])
        found.append(Candidate(size, costs.c.median, alpha, k, promised[k]))
    report(len(sizes), len(sizes))
    return sorted(found, key=lambda candidate: -candidate.speedup)


def _random_draft(
    size: Size, rows: int, context: int, ends: Collection[int], device: torch.device, dtype: torch.dtype
) -> CachedModel:
    built = network(size, rows, min(context, 4096), ()).to(device, dtype).eval()
    return CachedModel(built, rows, frozenset(end for end in ends if end < rows))


def _table_weights(target: Target) -> int:
    """Weights of the embedding and of a head of its own."""
    tables = {
        id(layer.weight): layer.weight.numel()
        for layer in (target.model.get_input_embeddings(), target.model.get_output_embeddings())
        if layer is not None
    }
    return sum(tables.values())
