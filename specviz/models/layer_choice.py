"""Which layers to skip when a target drafts for itself.

Zhang et al., "Draft & Verify", arXiv 2309.08168, search the layers by Bayesian optimisation. Here they are removed greedily: each
step removes the layer that lowers the agreement least, and the set with the best predicted speedup is used.
"""

from collections.abc import Sequence

import torch

from specviz.decoding.sampling import widen
from specviz.models.cached_model import CachedModel
from specviz.trace.theory import speedup

_K = 5
"""The draft length for which the set is chosen."""
_FULL_SEARCH_DEPTH = 16
"""Up to this many layers, each step tries every remaining layer. Deeper models rank the layers by the agreement without each alone."""


def layers_to_skip(target: CachedModel, text: Sequence[int]) -> tuple[int, ...]:
    """The layers to skip, in order, for the best predicted speedup of self-drafting on this text (at least one token).

    Agreement is the mean over the text of Σ min(p, q), the probability that a drafted token is accepted at temperature 1
    (Leviathan et al., arXiv 2211.17192, section 3.1). A draft pass costs its share of the layers. The model's cache is empty
    afterwards.
    """
    depth = target.network.depth
    ids = torch.tensor(text, device=target.device)
    full_probabilities = _probabilities(target, ids)

    def agreement(skipped: tuple[int, ...]) -> float:
        return float(
            torch.minimum(full_probabilities, _probabilities(target.skipping(skipped), ids)).sum(dim=-1).mean()
        )

    alone = {layer: agreement((layer,)) for layer in range(depth)} if depth > 1 else {}
    skipped: tuple[int, ...] = ()
    best, best_speedup = skipped, 0.0
    while len(skipped) < depth - 1:
        remaining = [layer for layer in range(depth) if layer not in skipped]
        if depth <= _FULL_SEARCH_DEPTH:
            options = {layer: agreement(tuple(sorted((*skipped, layer)))) for layer in remaining}
        else:
            layer = max(remaining, key=lambda one: alone[one])
            options = {layer: agreement(tuple(sorted((*skipped, layer))))}
        layer = max(options, key=lambda one: options[one])
        skipped = tuple(sorted((*skipped, layer)))
        predicted = speedup(options[layer], _K, (depth - len(skipped)) / depth)
        if predicted > best_speedup:
            best, best_speedup = skipped, predicted
    return best


def _probabilities(model: CachedModel, ids: torch.Tensor) -> torch.Tensor:
    model.begin(ids.shape[0])
    probabilities = widen(model.forward(ids).logits).softmax(dim=-1)
    model.begin(ids.shape[0])
    return probabilities
