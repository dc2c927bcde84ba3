"""Which layers draft when a target drafts for itself: after how many it exits early, or which ones it skips.

What decides is the agreement of the shallower model with the full one, measured on text that the target wrote: the mean over the text
of Σ min(p, q), the probability that a drafted token is accepted at temperature 1 (Leviathan et al., arXiv 2211.17192, section 3.1).
From it follows the speedup at the best draft length (their theorem 3.8). Passes are priced by the weights that they read, which decide
the time of short passes, and a pass that verifies a draft is counted as a pass over one token.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from specviz.decoding.sampling import widen
from specviz.models.cached_model import CachedModel
from specviz.settings import MAX_DRAFT_LENGTH
from specviz.trace.theory import tokens_per_pass

_PASSES = 24
"""At most this many sets of layers are tried when layers are skipped."""
_PACE = 0.25
"""Further layers are expected to cost at least this share of the agreement that each layer has cost so far."""


@dataclass(frozen=True, slots=True)
class LayerChoice:
    """The layers that draft.

    Attributes:
        layers: their indices, from 0.
        agreement: their agreement with the full model, 0 to 1; None if it was not measured.
        speedup: the predicted speedup over plain decoding at the best draft length; None if it was not predicted.
    """

    layers: tuple[int, ...]
    agreement: float | None = None
    speedup: float | None = None

    @property
    def note(self) -> str:
        """A sentence where no speedup can be expected; empty otherwise."""
        if self.speedup is None or self.speedup > 1:
            return ""
        # Rounded down: a slowdown must not read as 1.00.
        return f"No choice of layers promises more than 1.0x here: best estimate {int(self.speedup * 100) / 100:.2f}x."


def exit_depth(target: CachedModel, text: Sequence[int]) -> LayerChoice:
    """After how many layers to exit, for the best predicted speedup on this text (at least one token). It takes two passes.

    Raises:
        PairError: the layers of this model cannot be run separately.
    """
    depth, prices = target.network.depth, _prices(target)
    ids = torch.tensor(text, device=target.device)
    full = _probabilities(_logits(target, ids))
    choices = []
    for layers, scores in zip(range(1, depth), target.exits(ids), strict=False):
        agreement = _agreement(full, scores.logits)
        # The first layers read each drafted token and the one before them, with the head; the other layers read all of them once.
        lower, upper = prices.of(layers), prices.of(depth - layers)
        choices.append(_choice(range(layers), agreement, draft=lower, verify=upper + lower))
    target.begin(ids.shape[0])
    return max(choices, key=_promise)


def layers_to_skip(target: CachedModel, text: Sequence[int]) -> LayerChoice:
    """Which layers to skip, for the best predicted speedup on this text (at least one token).

    Zhang et al., "Draft & Verify", arXiv 2309.08168, search the layers by Bayesian optimisation. Here they are removed greedily. Each
    step tries the few layers that change the states least (Men et al., "ShortGPT", arXiv 2403.03853) and removes the one
    that keeps the agreement highest. It ends when no larger set can be expected to pay or to be better than the best so far, or after a
    fixed number of passes. The model's cache is empty afterwards.

    Raises:
        PairError: the layers of this model cannot be run separately, or other layers need all of them.
    """
    depth, prices = target.network.depth, _prices(target)
    ids = torch.tensor(text, device=target.device)
    full = _probabilities(_logits(target, ids))
    ranked = _by_influence(target, ids)
    target.begin(ids.shape[0])
    width = max(2, _PASSES // min(len(ranked), depth - 1))
    best: LayerChoice | None = None
    skipped: tuple[int, ...] = ()
    tried = 0
    while len(skipped) < depth - 1 and (candidates := [one for one in ranked if one not in skipped][:width]):
        step = []
        for layer in candidates:
            chosen = tuple(sorted((*skipped, layer)))
            kept = tuple(one for one in range(depth) if one not in chosen)
            agreement = _agreement(full, _logits(target.skipping(chosen), ids))
            step.append(_choice(kept, agreement, draft=prices.of(len(kept)), verify=1.0))
        tried += len(step)
        found = max(step, key=lambda choice: choice.agreement or 0.0)
        skipped = tuple(one for one in range(depth) if one not in found.layers)
        best = found if best is None else max(best, found, key=_promise)
        if tried + width > _PASSES or not _may_improve(found, depth, prices, _promise(best)):
            break
    assert best is not None, "a model of two layers or more has a layer to skip"
    return best


def _may_improve(found: LayerChoice, depth: int, prices: "_Prices", best: float) -> bool:
    """Whether skipping more layers than `found` does may give more than `best`, and more than plain decoding."""
    agreement, kept = found.agreement or 0.0, len(found.layers)
    pace = _PACE * (1 - agreement) / (depth - kept)
    later = (
        _choice((), max(0.0, agreement - pace * more), draft=prices.of(kept - more), verify=1.0)
        for more in range(1, kept)
    )
    return any(_promise(choice) > max(best, 1.0) for choice in later)


@dataclass(frozen=True, slots=True)
class _Prices:
    """What a pass costs relative to one of the full model: its layers and its head, by their weights."""

    layer: float
    head: float

    def of(self, layers: int) -> float:
        return layers * self.layer + self.head


def _prices(target: CachedModel) -> _Prices:
    """Every layer counts the same. Embeddings are looked up, not read, so they cost nothing unless they are the head too."""
    model, depth = target.model, target.network.depth
    embedding = model.get_input_embeddings().weight
    head = getattr(model.get_output_embeddings(), "weight", embedding)
    every = sum(weight.numel() for weight in model.parameters())
    outside = head.numel() + (0 if head is embedding else embedding.numel())
    layers = max(every - outside, depth)
    return _Prices(layers / depth / (layers + head.numel()), head.numel() / (layers + head.numel()))


def _choice(layers: Sequence[int], agreement: float, *, draft: float, verify: float) -> LayerChoice:
    """These layers at the draft length that is best for them; the costs of passes are relative to a plain pass."""
    best = max(tokens_per_pass(agreement, k) / (k * draft + verify) for k in range(1, MAX_DRAFT_LENGTH + 1))
    return LayerChoice(tuple(layers), agreement, best)


def _promise(choice: LayerChoice) -> float:
    return choice.speedup or 0.0


def _by_influence(target: CachedModel, ids: Tensor) -> list[int]:
    """The layers that can be skipped; first those that change the direction of the states least."""
    states = [scores.states.flatten(1).float() for scores in target.exits(ids, 1) if scores.states is not None]
    change = {0: 2.0}  # what enters the first layer is not known; it is rarely the one to leave out
    for index in range(1, len(states)):
        change[index] = 1 - float(functional.cosine_similarity(states[index - 1], states[index], dim=-1).mean())
    return sorted(target.network.skippable, key=lambda index: change[index])


def _logits(model: CachedModel, ids: Tensor) -> Tensor:
    model.begin(ids.shape[0])
    logits = model.forward(ids).logits
    model.begin(ids.shape[0])
    return logits


def _probabilities(logits: Tensor) -> Tensor:
    return widen(logits).softmax(dim=-1)


def _agreement(full: Tensor, logits: Tensor) -> float:
    return float(torch.minimum(full, _probabilities(logits)).sum(dim=-1).mean())
