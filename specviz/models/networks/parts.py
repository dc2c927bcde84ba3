"""Small parts of our own decoder: normalisation, rotary embeddings and masks; and how far its scores are from others."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

_SHORT = 16  # tokens of a pass in which calling an operation costs more than its arithmetic


@dataclass(frozen=True, slots=True)
class Norm:
    """Root mean square normalisation (Zhang and Sennrich, arXiv 1910.07467), or layer normalisation where `centred`.

    It is computed in float32 or wider, and rounded to the format of the weight before it is multiplied by it.

    Attributes:
        weight: of the shape `over`, or of one that broadcasts with the states.
        over: the last dimensions of the states, over which is normalised.
    """

    weight: Tensor
    over: tuple[int, ...]
    eps: float
    centred: bool = False

    def __call__(self, states: Tensor) -> Tensor:
        if self._in_few_steps(states):
            norm = torch.linalg.vector_norm(states, dim=-1, keepdim=True)
            scale: Tensor = norm.square_().mul_(1 / self.over[0]).add_(self.eps).rsqrt_()
            return scale.mul(states).mul_(self.weight)
        normalise = functional.layer_norm if self.centred else functional.rms_norm
        if states.dtype.itemsize > 2 and self.weight.shape == self.over:
            fused: Tensor = normalise(states, self.over, self.weight, eps=self.eps)
            return fused
        wide = states if states.dtype.itemsize > 2 else states.float()
        return (normalise(wide, self.over, eps=self.eps).to(self.weight.dtype) * self.weight).to(states.dtype)

    def _in_few_steps(self, states: Tensor) -> bool:
        """True if a short float32 pass on the CPU: there calling torch's own function takes longer than what it computes."""
        return (
            states.dtype == self.weight.dtype == torch.float32
            and states.device.type == "cpu"
            and not self.centred
            and len(self.over) == 1
            and self.weight.shape == self.over
            and states.shape[0] <= _SHORT
        )


def norm_of(module: nn.Module, dtype: torch.dtype, *, width: int, offset: float = 0.0, centred: bool = False) -> Norm:
    """A transformers module's normalisation.

    Args:
        dtype: of the weight.
        width: of a head, or of whatever else is normalised. A longer weight spans several heads, [heads · width]; a matrix
            [heads, width] has one weight for each head, which is normalised by itself.
        offset: added to the weight.
    """
    weight: Tensor = module.weight  # type: ignore[assignment]
    eps = float(getattr(module, "variance_epsilon", None) or module.eps)  # type: ignore[arg-type]
    wide = (weight.float() + offset).to(dtype) if offset else weight.to(dtype)
    if weight.dim() == 1 and weight.shape[0] > width:
        wide = wide.view(-1, width)
        return Norm(wide, tuple(wide.shape), eps, centred)
    return Norm(wide, (width,), eps, centred)


class Rotary:
    """Rotary position embeddings (Su et al., arXiv 2104.09864) of some or all of the numbers of a head.

    With `cos` and `sin` from `tables`, x rotated is x · cos + swapped(x) · sin: `swapped` gives each number its partner's, and the table of
    sines contains the sign. Numbers without a partner have the cosine 1 and the sine 0.

    Args:
        width: of a head.
        rotated: how many numbers of a head are rotated, from the first on.
        interleaved: partners are neighbours; else number i and i + rotated / 2.
    """

    def __init__(self, width: int, rotated: int, interleaved: bool, device: torch.device) -> None:
        self._width, self._rotated, self._interleaved = width, rotated, interleaved
        order = torch.arange(width, device=device)
        order[:rotated] = order[:rotated] ^ 1 if interleaved else order[:rotated].roll(rotated // 2)
        self._partners = order
        self._halves = rotated == width and not interleaved

    def swapped(self, states: Tensor) -> Tensor:
        """[..., width] with each number replaced by its partner."""
        return states.roll(self._width // 2, -1) if self._halves else states[..., self._partners]

    def tables(self, frequencies: Tensor | None, scale: float, capacity: int, like: Tensor) -> tuple[Tensor, Tensor]:
        """The cosines and sines of `capacity` positions, [capacity, 1, width] each; without frequencies nothing is rotated."""
        cos, sin = like.new_ones(capacity, 1, self._width), like.new_zeros(capacity, 1, self._width)
        if frequencies is not None:
            angles = torch.outer(torch.arange(capacity, device=frequencies.device).float(), frequencies)
            c, s = angles.cos() * scale, angles.sin() * scale
            pair = torch.stack if self._interleaved else torch.cat
            cos[:, 0, : self._rotated] = pair([c, c], dim=-1).flatten(1)
            sin[:, 0, : self._rotated] = pair([-s, s], dim=-1).flatten(1)
        return cos, sin


def within(attends: Tensor, window: int | None) -> Tensor:
    """[m, keys] bool, what each token still attends to through a window.

    The tokens that a token attends to are its own path, in order, so their count gives every token's position on it. That holds for trees
    too.
    """
    if window is None or attends.shape[1] <= window:
        return attends
    index = attends.cumsum(-1)
    return attends & (index > index[:, -1:] - window)


def fit_vocabulary(logits: Tensor, own_ids: int, vocabulary: int) -> Tensor:
    """[..., head rows] logits of the first `own_ids` ids, padded to [..., V]. The padding is finite, because a recorded logit must be a number."""
    own = logits[..., :own_ids]
    lacking = vocabulary - own.shape[-1]
    return functional.pad(own, (0, lacking), value=torch.finfo(own.dtype).min) if lacking else own


def capped(scores: Tensor, cap: float) -> Tensor:
    """Scores kept between -cap and cap by a tanh (Gemma 2, arXiv 2408.00118, section 2)."""
    return (scores / cap).tanh() * cap


def divergences(plain: Tensor, path: Tensor) -> Tensor:
    """The Kullback-Leibler divergence KL(plain || path) of every row, [m] float64 in nats, from logits [m, V] each; infinite where a row is not a distribution."""
    p, q = plain.double().log_softmax(dim=-1), path.double().log_softmax(dim=-1)
    terms = torch.where(p == -torch.inf, 0.0, p.exp() * (p - q))
    return terms.sum(dim=-1).nan_to_num(nan=torch.inf, posinf=torch.inf).clamp_min(0.0)


def divergence(plain: Tensor, path: Tensor) -> float:
    """The mean of `divergences`."""
    return float(divergences(plain, path).mean())
