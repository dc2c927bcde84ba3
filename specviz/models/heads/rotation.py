"""Rotary positions for the attention of heads, as the target's own layers have them."""

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from specviz.models.networks.parts import Rotary


@dataclass(frozen=True, slots=True)
class Rotation:
    """Rotates queries and keys to their positions.

    Attributes:
        cos, sin: [capacity, 1, head width], see `Rotary.tables`.
    """

    rotary: Rotary
    cos: Tensor
    sin: Tensor

    @classmethod
    def of(cls, theta: float, head_width: int, capacity: int, like: Tensor) -> Self:
        """For positions below `capacity`, in the format and on the device of `like`."""
        rotary = Rotary(head_width, head_width, False, like.device)
        exponents = torch.arange(0, head_width, 2, device=like.device).float() / head_width
        return cls(rotary, *rotary.tables(theta**-exponents, 1.0, capacity, like))

    def __call__(self, states: Tensor, positions: Tensor | slice) -> Tensor:
        """[..., n, heads, head width] at these positions [..., n]."""
        return states * self.cos[positions] + self.rotary.swapped(states) * self.sin[positions]
