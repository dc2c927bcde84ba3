"""Which layers draft when a target drafts for itself: after how many it exits early.

What decides is the agreement of the shallower model with the full one, measured on text that the target wrote: the mean over the text
of Σ min(p, q), the probability that a drafted token is accepted at temperature 1 (Leviathan et al., arXiv 2211.17192, section 3.1).
From it follows the speedup at the best draft length (their theorem 3.8). Passes are priced by the weights that they read, which decide
the time of short passes, and a pass that verifies a draft is counted as a pass over one token.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from specviz.decoding.sampling import widen
from specviz.models.cached_model import CachedModel
from specviz.settings import MAX_DRAFT_LENGTH
from specviz.trace.theory import tokens_per_pass


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


def _logits(model: CachedModel, ids: Tensor) -> Tensor:
    model.begin(ids.shape[0])
    logits = model.forward(ids).logits
    model.begin(ids.shape[0])
    return logits


def _probabilities(logits: Tensor) -> Tensor:
    return widen(logits).softmax(dim=-1)


def _agreement(full: Tensor, logits: Tensor) -> float:
    return float(torch.minimum(full, _probabilities(logits)).sum(dim=-1).mean())
