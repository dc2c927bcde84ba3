"""Rotary positions for the attention of heads, as the target's own layers have them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from specviz.models.networks.parts import Rotary

# The ways of stretching a rotary embedding that are the same at every length of a text.
STRETCHED = ("linear", "llama3", "yarn")


@dataclass(frozen=True, slots=True)
class Rotation:
    """Rotates queries and keys to their positions. `cos` and `sin`: [capacity, 1, head width], see `Rotary.tables`."""

    rotary: Rotary
    cos: Tensor
    sin: Tensor

    @classmethod
    def of(
        cls, theta: float, head_width: int, capacity: int, like: Tensor, scaling: Mapping[str, Any] | None = None
    ) -> Self:
        """For positions below `capacity`, in the format and on the device of `like`. `scaling`: how the embedding is
        stretched: "rope_type", one of `STRETCHED`, and its parameters, as transformers names them."""
        rotary = Rotary(head_width, head_width, False, like.device)
        if scaling is None:
            exponents = torch.arange(0, head_width, 2, device=like.device).float() / head_width
            return cls(rotary, *rotary.tables(theta**-exponents, 1.0, capacity, like))
        longest = int(scaling.get("original_max_position_embeddings", 2048) * scaling.get("factor", 1))
        stretched = {**scaling, "rope_theta": theta}
        config = LlamaConfig(head_dim=head_width, max_position_embeddings=longest, rope_parameters=stretched)
        frequencies, factor = ROPE_INIT_FUNCTIONS[scaling["rope_type"]](config, like.device)
        return cls(rotary, *rotary.tables(frequencies, factor, capacity, like))

    def __call__(self, states: Tensor, positions: Tensor | slice) -> Tensor:
        """[..., n, heads, head width] at these positions [..., n]."""
        return states * self.cos[positions] + self.rotary.swapped(states) * self.sin[positions]
