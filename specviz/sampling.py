"""From logits to the one distribution that every part uses, and from a distribution to a token.

One warp for draft, target and plain decoding: temperature, then top-k, then top-p. Temperature 0 gives a
one-hot distribution, so that greedy decoding is the same rule and not a second code path.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from specviz.settings import Settings


def warp(logits: Tensor, settings: Settings) -> Tensor:
    """Probabilities as the rule uses them: [..., V] logits to [..., V], each row summing to 1.

    Half-precision logits are widened to float32 first; float64 stays float64.
    """
    if settings.greedy:
        best = logits.argmax(dim=-1, keepdim=True)
        wide = torch.float64 if logits.dtype == torch.float64 else torch.float32
        return torch.zeros_like(logits, dtype=wide).scatter_(-1, best, 1.0)
    logits = widen(logits) / settings.temperature
    if 0 < settings.top_k < logits.shape[-1]:
        floor = logits.topk(settings.top_k, dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < floor, -torch.inf)
    probabilities = logits.softmax(dim=-1)
    if settings.top_p < 1:
        probabilities = _nucleus(probabilities, settings.top_p)
    return probabilities


def widen(logits: Tensor) -> Tensor:
    """At least float32: half precision is too coarse to compare p with q."""
    return logits if logits.dtype == torch.float64 else logits.float()


def _nucleus(probabilities: Tensor, top_p: float) -> Tensor:
    """Keep the fewest likeliest tokens whose sum reaches `top_p` (always at least one), and renormalise."""
    ordered, order = probabilities.sort(dim=-1, descending=True, stable=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = ordered.masked_fill(before >= top_p, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probabilities).scatter_(-1, order, kept)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A token drawn from a distribution, still on the device.

    Attributes:
        token: [] int64.
        uniform: [] the number that chose it, or None where none was needed.
    """

    token: Tensor
    uniform: Tensor | None


class Draws(Protocol):
    """Where chance comes from. Passed in: no part of the library holds a seed of its own."""

    def uniform(self, count: int) -> Tensor | None:
        """[count] fresh numbers in [0, 1), or None for a source that never draws (temperature 0)."""
        ...

    def token(self, probabilities: Tensor) -> Drawn:
        """One token from a [V] distribution."""
        ...


class SeededDraws:
    """Chance from one seed, drawn on the device. Knows nothing of models or rounds."""

    def __init__(self, seed: int, device: str | torch.device = "cpu") -> None:
        self._generator = torch.Generator(device=device).manual_seed(seed)
        self._device = torch.device(device)

    def uniform(self, count: int) -> Tensor:
        return torch.rand(count, generator=self._generator, device=self._device, dtype=torch.float64)

    def token(self, probabilities: Tensor) -> Drawn:
        """By inversion: the first token at which the running sum passes the drawn number."""
        uniform = self.uniform(1)
        return Drawn(token_at(probabilities, uniform), uniform[0])


class CertainDraws:
    """The source for one-hot distributions: no number is drawn, the only possible token is taken."""

    def uniform(self, count: int) -> None:
        return None

    def token(self, probabilities: Tensor) -> Drawn:
        return Drawn(probabilities.argmax(dim=-1), None)


def token_at(probabilities: Tensor, uniform: Tensor) -> Tensor:
    """The token that `uniform` [1] chooses from [V] probabilities; never one of probability 0."""
    reached = probabilities.double().cumsum(dim=-1)
    last = torch.searchsorted(reached, reached[-1:])
    chosen = torch.searchsorted(reached, uniform * reached[-1:], right=True)
    return torch.minimum(chosen, last)[0]


def draws_for(settings: Settings, device: str | torch.device = "cpu") -> Draws:
    """The source that these settings call for: none at temperature 0, else seeded on the device."""
    return CertainDraws() if settings.greedy else SeededDraws(settings.seed, device)
