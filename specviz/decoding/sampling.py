"""From logits to the one distribution that all parts use, and from a distribution to a token.

One warp for draft, target and plain decoding: temperature, then top-k, then top-p. Temperature 0 gives a
one-hot distribution, so greedy decoding needs no second code path; shared noise does the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import torch
from torch import Tensor

from specviz.errors import ScoresError
from specviz.settings import Settings

# No lower temperature divides the logits; the distribution is one-hot long before, except between tokens of equal
# logits.
COLDEST = 1e-30
_TOP = (64, 1024)  # how many top tokens are tried before all are sorted, where some may be dropped by top-p


def warp(logits: Tensor, settings: Settings, positions: Sequence[int] = ()) -> Tensor:
    """Probabilities as the rule uses them: [..., V] logits to [..., V], each row summing to 1.

    Half-precision logits are widened to float32 first; float64 stays float64.

    Args:
        positions: for each row, the index among the new tokens of the token that it chooses. Used by shared noise
            only, which makes each row one-hot at the token with the highest score of `perturbed`.
    """
    if settings.greedy:
        return _first_choice(logits)
    if settings.shared_noise:
        return _first_choice(perturbed(logits, settings, positions))
    return _softened(logits, settings)


def perturbed(logits: Tensor, settings: Settings, positions: Sequence[int]) -> Tensor:
    """[..., V] log probabilities after the warp plus the noise of each row's position, in float64.

    The Gumbel-max trick (Maddison et al., arXiv 1411.0030): with g = -log(-log(u)), with an independent uniform u for every
    token, argmax(log p + g) is a draw from p exactly. A draft and a target that use the same g choose the same token wherever p
    and q are close, and the target's choice does not depend on the drafter (Daliri, Musco and Suresh, arXiv 2408.07978,
    "drafter-invariant"). Raises ValueError if the number of positions differs from the number of rows.
    """
    vocabulary = logits.shape[-1]
    if logits.numel() != len(positions) * vocabulary:
        raise ValueError(f"shared noise was given {len(positions)} positions for logits of shape {tuple(logits.shape)}")
    noise = [gumbel(settings.seed, position, vocabulary, logits.device) for position in positions]
    log_p = _softened(logits, settings).double().log()
    return log_p + torch.stack(noise).reshape(logits.shape) if noise else log_p


@lru_cache(maxsize=32)
def gumbel(seed: int, position: int, vocabulary: int, device: torch.device) -> Tensor:
    """[V] float64 Gumbel noise of one position of one text, a pure function of its arguments.

    Every token's number is the hash of (seed, position, token) by the finaliser of SplitMix64 (Steele, Lea and Flood,
    "Fast splittable pseudorandom number generators", 2014), so there is no generator state, and all devices agree.
    """
    stream = _mixed(_mixed(seed) + position)
    tokens = torch.arange(1, vocabulary + 1, device=device) * _signed(_GOLDEN) + _signed(stream)
    for shift, factor in _ROUNDS:
        tokens = (tokens ^ _shifted(tokens, shift)) * _signed(factor)
    uniform = (_shifted(tokens ^ _shifted(tokens, 31), 12).double() + 0.5) * 2.0**-52
    noise: Tensor = -(-uniform.log()).log()
    return noise


_GOLDEN = 0x9E3779B97F4A7C15
_ROUNDS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_WORD = 2**64


def _mixed(number: int) -> int:
    """The finaliser of SplitMix64 on one number."""
    number = (number + _GOLDEN) % _WORD
    for shift, factor in _ROUNDS:
        number = (number ^ (number >> shift)) * factor % _WORD
    return number ^ (number >> 31)


def _signed(number: int) -> int:
    """64 bits as a signed number, as torch stores them."""
    return number - _WORD if number >= _WORD // 2 else number


def _shifted(numbers: Tensor, bits: int) -> Tensor:
    """A logical shift to the right of 64 bits; torch's own shift of signed numbers is arithmetic."""
    return (numbers >> bits) & ((1 << (64 - bits)) - 1)


def _first_choice(scores: Tensor) -> Tensor:
    """One-hot at the highest score of each row."""
    best = scores.argmax(dim=-1, keepdim=True)
    wide = torch.float64 if scores.dtype == torch.float64 else torch.float32
    return torch.zeros_like(scores, dtype=wide).scatter_(-1, best, 1.0)


def _softened(logits: Tensor, settings: Settings) -> Tensor:
    """Temperature, then top-k, then top-p."""
    return softened(logits, coldest(settings), settings.top_k, settings.top_p if settings.top_p < 1 else None)


def softened(
    logits: Tensor, temperature: float | Tensor, top_k: int = 0, top_p: float | Tensor | None = None
) -> Tensor:
    """The warp of all settings above temperature 0 without shared noise.

    Args:
        temperature: a number, or a tensor [] on the device, so that one CUDA graph serves all temperatures.
        top_p: likewise; None keeps all tokens.
    """
    logits = widen(logits) / temperature
    if 0 < top_k < logits.shape[-1]:
        floor = logits.topk(top_k, dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < floor, -torch.inf)
    probabilities = logits.softmax(dim=-1)
    return probabilities if top_p is None else _nucleus(probabilities, top_p)


def coldest(settings: Settings) -> float:
    """The temperature to divide by: at least `COLDEST`, below which scores would overflow and give no numbers."""
    return max(settings.temperature, COLDEST)


def widen(logits: Tensor) -> Tensor:
    """At least float32: half precision is too coarse to compare p with q."""
    return logits if logits.dtype == torch.float64 else logits.float()


def _nucleus(probabilities: Tensor, top_p: float | Tensor) -> Tensor:
    """Keep the smallest set of most likely tokens whose probabilities sum to `top_p` or more, and renormalise.

    The first token always stays, also where `top_p` is rounded to 0.
    """
    short = _short_nucleus(probabilities, top_p) if probabilities.device.type == "cpu" else None
    if short is not None:
        return short
    ordered, order = probabilities.sort(dim=-1, descending=True, stable=True)
    return _renormalised(probabilities, ordered, order, _before(ordered) >= top_p)


def _short_nucleus(probabilities: Tensor, top_p: float | Tensor) -> Tensor | None:
    """The nucleus, bit by bit, from the top tokens alone, because sorting a large vocabulary costs as much as a small model's pass.

    None where they are too few, or where tokens of equal probability lie on both sides of the cut: the full order decides these.
    Only for the CPU: a GPU would have to wait for the answer.
    """
    margin = 8 * torch.finfo(probabilities.dtype).eps  # more than rounding can lower a later sum
    for count in _TOP:
        if count >= probabilities.shape[-1]:
            break
        ordered, order = probabilities.topk(count, dim=-1)
        before = _before(ordered)
        dropped = before >= top_p
        least = ordered.masked_fill(dropped, torch.inf).amin(dim=-1)
        following = ordered.masked_fill(~dropped, 0.0).amax(dim=-1)
        if bool(((before[..., -1] > top_p + margin) & (following < least)).all()):
            return _renormalised(probabilities, ordered, order, dropped)
    return None


def _before(ordered: Tensor) -> Tensor:
    """For each of the tokens in order, the sum of the probabilities before it; -1 for the first, which always stays."""
    before = ordered.cumsum(dim=-1) - ordered
    before.narrow(-1, 0, 1).fill_(-1.0)  # an assignment would copy the number from the CPU, which no CUDA graph may do
    return before


def _renormalised(probabilities: Tensor, ordered: Tensor, order: Tensor, dropped: Tensor) -> Tensor:
    """[..., V] probabilities of the tokens in `order` that are not dropped, divided by their sum; 0 for all others."""
    nucleus = torch.zeros_like(probabilities)
    nucleus[..., : ordered.shape[-1]] = ordered.masked_fill(dropped, 0.0)
    total = nucleus.sum(dim=-1, keepdim=True)  # over V numbers in every case, so that it is rounded alike
    return torch.zeros_like(probabilities).scatter_(-1, order, nucleus[..., : ordered.shape[-1]] / total)


def not_numbers(model: str, dtype: torch.dtype) -> ScoresError:
    """The error for scores that are not numbers, of the "target" or the "draft", computed in this format."""
    formats = {torch.float16: "float32 or bfloat16", torch.bfloat16: "float32"}
    name = str(dtype).removeprefix("torch.")
    advice = (
        f"choose another number format, {formats[dtype]}"
        if dtype in formats
        else "its weights may be damaged, so save or download it again, or choose another model"
    )
    return ScoresError(f"The scores of the {model} model are not numbers (computed in {name}): {advice}.")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A token drawn from a distribution, still on the device.

    Attributes:
        token: [] int64.
        uniform: [] the uniform number that chose it, or None where none was needed.
    """

    token: Tensor
    uniform: Tensor | None


class Draws(Protocol):
    """The random source. It is passed in: no part of the library has a seed of its own."""

    def uniform(self, count: int) -> Tensor | None:
        """[count] fresh uniform numbers in [0, 1), or None for a source that never draws (temperature 0)."""
        ...

    def token(self, probabilities: Tensor) -> Drawn:
        """One token from a [V] distribution."""
        ...


class SeededDraws:
    """Random numbers from one seed, drawn on the device, independent of models and rounds."""

    def __init__(self, seed: int, device: str | torch.device = "cpu") -> None:
        self._generator = torch.Generator(device=device).manual_seed(seed)
        self._device = torch.device(device)

    def uniform(self, count: int) -> Tensor:
        return torch.rand(count, generator=self._generator, device=self._device, dtype=torch.float64)

    def token(self, probabilities: Tensor) -> Drawn:
        """By inversion: the first token at which the cumulative sum exceeds the drawn number."""
        uniform = self.uniform(1)
        return Drawn(token_at(probabilities, uniform), uniform[0])


class CertainDraws:
    """The source for one-hot distributions: no number is drawn, the only possible token is returned."""

    def uniform(self, count: int) -> None:
        return None

    def token(self, probabilities: Tensor) -> Drawn:
        return Drawn(probabilities.argmax(dim=-1), None)


def token_at(probabilities: Tensor, uniform: Tensor) -> Tensor:
    """The token that `uniform` [1] chooses from [V] probabilities; never one of probability 0.

    Probabilities that are not numbers give some valid id: an id without an embedding would end the process on a GPU, before the
    round could report what is wrong.
    """
    reached = probabilities.double().cumsum(dim=-1)
    last = torch.searchsorted(reached, reached[-1:]).clamp_max(probabilities.shape[-1] - 1)
    index = torch.searchsorted(reached, uniform * reached[-1:], right=True)
    return torch.minimum(index, last)[0]


def draws_for(settings: Settings, device: str | torch.device = "cpu") -> Draws:
    """The random source of these settings: `CertainDraws` where every distribution is one-hot, else seeded on the device."""
    return CertainDraws() if settings.certain else SeededDraws(settings.seed, device)
