"""Which layers a target can best do without when it drafts for itself.

Zhang et al., "Draft & Verify", arXiv 2309.08168, search them by Bayesian optimisation; here they go one by one, each time the one
whose loss hurts least, and the set with the best predicted speedup is taken.
"""

from collections.abc import Sequence

import torch

from specviz.decoding.sampling import widen
from specviz.models.cached_model import CachedModel
from specviz.trace.theory import speedup

_K = 5
"""The draft length for which the set is chosen."""
_THOROUGH = 16
"""Up to so many layers every remaining one is tried at each step; deeper models go by the harm that each does alone."""


def layers_to_skip(target: CachedModel, text: Sequence[int]) -> tuple[int, ...]:
    """The layers, in order, without which the model would draft best for itself on this text (one token or more).

    Agreement is the mean over the text of Σ min(p, q), which is the chance that a drafted token is accepted at temperature 1
    (Leviathan et al., arXiv 2211.17192, section 3.1); a draft pass costs its share of the layers. Leaves the model's cache empty.
    """
    depth = target.network.depth
    ids = torch.tensor(text, device=target.device)
    wanted = _probabilities(target, ids)

    def agreement(skipped: tuple[int, ...]) -> float:
        return float(torch.minimum(wanted, _probabilities(target.skipping(skipped), ids)).sum(dim=-1).mean())

    alone = {layer: agreement((layer,)) for layer in range(depth)} if depth > 1 else {}
    skipped: tuple[int, ...] = ()
    best, best_speedup = skipped, 0.0
    while len(skipped) < depth - 1:
        left = [layer for layer in range(depth) if layer not in skipped]
        if depth <= _THOROUGH:
            options = {layer: agreement(tuple(sorted((*skipped, layer)))) for layer in left}
        else:
            layer = max(left, key=lambda one: alone[one])
            options = {layer: agreement(tuple(sorted((*skipped, layer))))}
        layer = max(options, key=lambda one: options[one])
        skipped = tuple(sorted((*skipped, layer)))
        promised = speedup(options[layer], _K, (depth - len(skipped)) / depth)
        if promised > best_speedup:
            best, best_speedup = skipped, promised
    return best


def _probabilities(model: CachedModel, ids: torch.Tensor) -> torch.Tensor:
    model.begin(ids.shape[0])
    probabilities = widen(model.forward(ids).logits).softmax(dim=-1)
    model.begin(ids.shape[0])
    return probabilities
