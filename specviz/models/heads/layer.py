"""The decoder layer that EAGLE heads and block heads are made of: attention, in which several queries can share a key, and a gated feed-forward
network; and rotary positions as the target's own layers have them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from specviz.models.heads.spec import Spec
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


@dataclass(frozen=True, slots=True)
class LayerShape:
    """The sizes of a head's layers. Heads that were trained here take them from the target; published ones have their own,
    `options["layer"]`. Raises TypeError or ValueError if a size is impossible.

    Attributes:
        width: of the head's states.
        heads, kv_heads: attention heads, and how many of keys and values; each of these serves as many neighbouring queries.
        head_width: of an attention head.
        ffn: the width inside the feed-forward network.
        norm_eps, rope_theta: as in `Shape`.
        rope_scaling: how the rotary embedding is stretched, as transformers names it; None where it is not.
        qk_norm: whether queries and keys are normalised (Qwen3).
        bias, out_bias: whether the projections to queries, keys and values, and the one after the attention, have a bias.
    """

    width: int
    heads: int
    kv_heads: int
    head_width: int
    ffn: int
    norm_eps: float
    rope_theta: float
    rope_scaling: Mapping[str, Any] | None = None
    qk_norm: bool = False
    bias: bool = False
    out_bias: bool = False

    def __post_init__(self) -> None:
        for name in ("width", "heads", "kv_heads", "head_width", "ffn"):
            value = getattr(self, name)
            if type(value) is not int or not 0 < value < 2**24:
                raise ValueError(f"{name} is {value!r:.20}")
        if self.heads % self.kv_heads:
            raise ValueError(f"{self.heads} queries cannot share {self.kv_heads} keys")
        if self.head_width % 2:
            raise ValueError(f"head_width is {self.head_width}, and numbers are rotated in pairs")

    @classmethod
    def of(cls, spec: Spec) -> Self:
        """The sizes of this head's layers."""
        shape, heads = spec.shape, max(1, spec.shape.width // spec.shape.head_width)
        sizes = {
            "width": shape.width,
            "heads": heads,
            "kv_heads": heads,
            "head_width": shape.head_width,
            "ffn": shape.ffn,
            "norm_eps": shape.norm_eps,
            "rope_theta": shape.rope_theta,
        }
        return cls(**{**sizes, **spec.options.get("layer", {})})

    def rotation(self, capacity: int, like: Tensor) -> Rotation:
        """The rotation of queries and keys at positions below `capacity`, in the format and on the device of `like`."""
        return Rotation.of(self.rope_theta, self.head_width, capacity, like, self.rope_scaling)


class HeadLayer(nn.Module):
    """The weights of a layer.

    Args:
        input_width: of what its attention reads.
        shape: its other sizes.
        normalised: whether the layer itself normalises what its attention reads.
    """

    def __init__(self, input_width: int, shape: LayerShape, *, normalised: bool) -> None:
        super().__init__()
        self.shape, inner = shape, shape.heads * shape.head_width
        self.attention_norm = nn.RMSNorm(input_width, shape.norm_eps) if normalised else None
        rows = (shape.heads + 2 * shape.kv_heads) * shape.head_width
        self.queries_keys_values = nn.Linear(input_width, rows, bias=shape.bias)
        self.out = nn.Linear(inner, shape.width, bias=shape.out_bias)
        self.query_norm = nn.RMSNorm(shape.head_width, shape.norm_eps) if shape.qk_norm else None
        self.key_norm = nn.RMSNorm(shape.head_width, shape.norm_eps) if shape.qk_norm else None
        self.ffn_norm = nn.RMSNorm(shape.width, shape.norm_eps)
        self.gate_up = nn.Linear(shape.width, 2 * shape.ffn, bias=False)
        self.down = nn.Linear(shape.ffn, shape.width, bias=False)

    def parts(self, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """[..., n, input width] to queries [..., n, heads, head width], keys and values [..., n, kv heads, head width], none of them rotated."""
        shape = self.shape
        if self.attention_norm is not None:
            inputs = self.attention_norm(inputs)
        mixed = self.queries_keys_values(inputs).unflatten(-1, (-1, shape.head_width))
        queries, keys, values = mixed.split([shape.heads, shape.kv_heads, shape.kv_heads], dim=-2)
        if self.query_norm is not None and self.key_norm is not None:
            queries, keys = self.query_norm(queries), self.key_norm(keys)
        return queries, keys, values

    def after(self, states: Tensor, mixed: Tensor) -> Tensor:
        """[..., n, width] states with what the attention read, [..., n, heads, head width], and with the feed-forward network's result."""
        states = states + self.out(mixed.flatten(-2))
        gate, up = self.gate_up(self.ffn_norm(states)).chunk(2, dim=-1)
        result: Tensor = states + self.down(functional.silu(gate) * up)
        return result


def attended(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """Attention of [n, heads, head width] queries over keys and values [kv heads, m, head width], [n, heads, head
    width]. `mask`: [n, m] whether each query sees each key; None for all."""
    count, heads, width = queries.shape
    sharing = heads // keys.shape[0]
    rows = queries.transpose(0, 1).reshape(keys.shape[0], sharing * count, width)
    shared_mask = mask if mask is None or sharing == 1 else mask.repeat(sharing, 1)
    mixed = functional.scaled_dot_product_attention(rows, keys, values, attn_mask=shared_mask)
    return mixed.reshape(heads, count, width).transpose(0, 1)


def normalised_heads(states: Tensor, weights: Tensor, eps: float) -> Tensor:
    """[..., layers, heads, head width] keys of several layers, each normalised by the weights [layers, head width] of its own."""
    return torch.nn.functional.rms_norm(states, states.shape[-1:], eps=eps) * weights.unsqueeze(-2)
