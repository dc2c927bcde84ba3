"""A Llama-type decoder without its wrappers: the same weights and the same arithmetic in about a third of the steps.

Architecture: Touvron et al., arXiv 2302.13971, section 2.2 (pre-normalisation, SwiGLU, rotary embeddings of Su et al., arXiv 2104.09864),
with grouped-query attention (Ainslie et al., arXiv 2305.13245), biases on queries, keys and values as in Qwen2, and normalised queries
and keys as in Qwen3. What is saved against the library's own modules: one product for queries, keys and values and one for both halves of
the gate, rotation tables made once, keys and values that are never expanded for their groups, masks only where there is one.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedModel

from specviz.models.networks.packing import Matrix, arithmetic_of, pack
from specviz.models.networks.positions import Place

KINDS = ("LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM")
_ROTATIONS = ("default", "linear", "llama3")
"""Rotary embeddings whose frequencies do not depend on the length of the text."""
_SHARING = ("cuda",)
"""Kinds of devices where a matrix and its joined copy would be a burden; elsewhere weights may be packed, or mapped from a file."""
_FEW = 64
"""Passes over more tokens than this attend with the library's own kernel, which never holds all weights at once."""


def is_lean(model: PreTrainedModel) -> bool:
    """Whether this model is of a kind that `LeanDecoder` reads, in every detail."""
    config = model.config
    rotation = (getattr(config, "rope_parameters", None) or {}).get("rope_type", "default")
    windows = set(getattr(config, "layer_types", None) or ["full_attention"])
    # Mistral names no layer types: there a window, if there is one, is on every layer.
    windowed = type(model).__name__ == "MistralForCausalLM" and getattr(config, "sliding_window", None)
    placed = getattr(model, "hf_device_map", None) or {}
    return (
        type(model).__name__ in KINDS
        and rotation in _ROTATIONS
        and windows == {"full_attention"}
        and not windowed
        and config.hidden_act == "silu"
        and model.dtype
        != torch.float64  # the library itself normalises in float32 there; who wants exactness wants the same
        and len({str(device) for device in placed.values()}) <= 1
        and getattr(model, "hf_quantizer", None) is None
    )


@dataclass(frozen=True, slots=True)
class _Layer:
    """One layer's weights, [outputs, inputs] each, those that read the same rows joined."""

    attention_norm: Tensor
    queries_keys_values: Matrix
    query_norm: Tensor | None
    key_norm: Tensor | None
    output: Matrix
    ffn_norm: Tensor
    gate_and_up: Matrix
    down: Matrix


@dataclass(frozen=True, slots=True)
class _Geometry:
    """What the layers of one pass over m tokens share.

    Attributes:
        slots: where in the buffers the m are written; numbers on the device where the shapes must not change, else a slice.
        end: how many places of the buffers are looked at.
        cos, sin: [m, 1, width] the rotation.
        mask: [queries, keys] or [1, 1] zeros, to be added to the weights.
        alone: whether the m see each other in order and nothing else, so that the library's kernel needs no mask.
    """

    slots: slice | Tensor
    end: int
    cos: Tensor
    sin: Tensor
    mask: Tensor
    alone: bool = False


class LeanDecoder:
    """A `specviz.models.networks.choice.Network` over the weights of a transformers model for which `is_lean` holds.

    Args:
        model: in evaluation mode, on its device; it may be used beside this one, whose buffers are its own.

    Attributes:
        dtype: of states, keys, values and scores. Weights stay in the model's format.
    """

    @torch.inference_mode()
    def __init__(self, model: PreTrainedModel) -> None:
        config, base = model.config, model.model
        self.depth = len(base.layers)
        self._heads: int = config.num_attention_heads
        self._groups: int = config.num_key_value_heads
        self._width: int = getattr(config, "head_dim", None) or config.hidden_size // self._heads
        self._eps: float = config.rms_norm_eps
        self._scale = self._width**-0.5
        self._embedding: Tensor = base.embed_tokens.weight
        self.dtype = arithmetic_of(self._embedding.dtype, self._embedding.device)
        self._layers = [_layer(layer, self.dtype) for layer in base.layers]
        self._norm: Tensor = base.norm.weight.to(self.dtype)
        self._head = pack(model.lm_head.weight, model.lm_head.bias)
        self._frequencies: Tensor = base.rotary_emb.inv_freq.float()
        self._loudness: float = base.rotary_emb.attention_scaling
        self._zero: Tensor = self._zeros(1, 1)
        self._cos = self._sin = self._zero
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []
        self._capacity = 0

    @property
    def kind(self) -> str:
        return (
            "own"
            if self.dtype == self._embedding.dtype
            else f"own, computing in {str(self.dtype).removeprefix('torch.')}"
        )

    def begin(self, capacity: int) -> None:
        """Larger buffers where there is too little room; what they held is lost."""
        if capacity <= self._capacity:
            return
        shape = (self._groups, capacity, self._width)
        self._keys = [self._zeros(*shape) for _ in self._layers]
        self._values = [self._zeros(*shape) for _ in self._layers]
        angles = torch.outer(torch.arange(capacity, device=self._frequencies.device).float(), self._frequencies)
        cos, sin = angles.cos() * self._loudness, angles.sin() * self._loudness
        # The second half of a head is turned against the first: the sign is put into the table.
        self._cos = torch.cat([cos, cos], dim=-1).unsqueeze(1).to(self._zero)
        self._sin = torch.cat([-sin, sin], dim=-1).unsqueeze(1).to(self._zero)
        self._capacity = capacity  # last: where the memory runs out, the next `begin` starts anew

    def read(self, tokens: Tensor, place: Place, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._score(self._run(self._embed(tokens), self._geometry(place), range(self.depth)), rows)

    def read_at(self, tokens: Tensor, length: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """`read` for a chain, with shapes that are the same whatever `length` [] on the device says is held: the whole buffers are
        looked at through a mask. For CUDA graphs, which replay one and the same sequence of kernels."""
        return self._score(
            self._run(self._embed(tokens), self._whole_geometry(tokens.shape[0], length), range(self.depth)), rows
        )

    def lower(self, tokens: Tensor, place: Place, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        states = self._run(self._embed(tokens), self._geometry(place), range(depth))
        return self._score(states, rows)[0], states

    def upper(self, states: Tensor, place: Place, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._score(self._run(states, self._geometry(place), range(depth, self.depth)), rows)

    def skipping(self, layers: Sequence[int]) -> "LeanDecoder":
        fewer = copy(self)
        fewer._layers = [layer for index, layer in enumerate(self._layers) if index not in layers]
        fewer.depth, fewer._capacity, fewer._keys, fewer._values = len(fewer._layers), 0, [], []
        return fewer

    @torch.inference_mode()
    def move(self, begin: int, places: Sequence[int]) -> None:
        chosen = torch.tensor(places, device=self._embedding.device)
        for buffer in self.buffers():
            buffer[:, begin : begin + len(places)] = buffer.index_select(1, chosen)

    def release(self) -> None:
        self._keys, self._values, self._capacity = [], [], 0

    def buffers(self) -> list[Tensor]:
        return [*self._keys, *self._values]

    def _run(self, states: Tensor, geometry: _Geometry, layers: range) -> Tensor:
        """[m, width] states through these layers, unnormalised."""
        for index in layers:
            layer = self._layers[index]
            attended = self._attend(index, self._normalise(states, layer.attention_norm), geometry)
            states = states + layer.output(attended)
            gate, up = layer.gate_and_up(self._normalise(states, layer.ffn_norm)).chunk(2, dim=-1)
            states = states + layer.down(functional.silu(gate) * up)
        return states

    def _score(self, states: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """The head on the last `rows` of these states, and all of them normalised."""
        last = self._normalise(states, self._norm)
        return self._head(last if rows is None else last[-rows:]), last

    def _embed(self, tokens: Tensor) -> Tensor:
        """[m] ids as [m, width] states."""
        return functional.embedding(tokens, self._embedding).to(self.dtype)

    def _zeros(self, *shape: int) -> Tensor:
        return self._embedding.new_zeros(shape, dtype=self.dtype)

    def _attend(self, index: int, states: Tensor, geometry: _Geometry) -> Tensor:
        """[m, heads · width]: what each token takes from those it sees."""
        layer, heads, groups, count = self._layers[index], self._heads, self._groups, states.shape[0]
        joined = layer.queries_keys_values(states).view(count, heads + 2 * groups, self._width)
        turning = joined[:, : heads + groups]
        if layer.query_norm is not None and layer.key_norm is not None:
            queries = self._normalise(joined[:, :heads], layer.query_norm)
            turning = torch.cat([queries, self._normalise(joined[:, heads : heads + groups], layer.key_norm)], dim=1)
        turned = torch.addcmul(turning * geometry.cos, turning.roll(self._width // 2, -1), geometry.sin)
        self._keys[index][:, geometry.slots] = turned[:, heads:].transpose(0, 1)
        self._values[index][:, geometry.slots] = joined[:, heads + groups :].transpose(0, 1)
        keys, values = self._keys[index][:, : geometry.end], self._values[index][:, : geometry.end]
        queries = turned[:, :heads].reshape(count, groups, -1, self._width).permute(1, 2, 0, 3)
        mixed = self._mix(queries, keys, values, geometry)
        return mixed.permute(2, 0, 1, 3).reshape(count, -1)

    def _mix(self, queries: Tensor, keys: Tensor, values: Tensor, geometry: _Geometry) -> Tensor:
        """[groups, heads a group, m, width]; keys and values stay as they are, the heads of a group stand in line instead."""
        if queries.shape[2] > _FEW:
            each = (-1, queries.shape[1], -1, -1)  # seen once for every head, not copied: the kernel takes nothing else
            return functional.scaled_dot_product_attention(
                queries,
                keys.unsqueeze(1).expand(each),
                values.unsqueeze(1).expand(each),
                attn_mask=None if geometry.alone else geometry.mask,
                is_causal=geometry.alone,
                scale=self._scale,
            )
        lined = queries.reshape(self._groups, -1, self._width)
        weights = torch.baddbmm(geometry.mask, lined, keys.transpose(1, 2), alpha=self._scale)
        wide = weights.softmax(dim=-1, dtype=torch.promote_types(weights.dtype, torch.float32))
        mixed: Tensor = torch.bmm(wide.to(weights.dtype), values).view(queries.shape)
        return mixed

    def _normalise(self, states: Tensor, weight: Tensor) -> Tensor:
        """Root mean square normalisation (Zhang and Sennrich, arXiv 1910.07467), in float32 at least."""
        if states.dtype.itemsize > 2:
            whole: Tensor = functional.rms_norm(states, weight.shape, weight, self._eps)
            return whole
        return functional.rms_norm(states.float(), weight.shape, eps=self._eps).to(states.dtype) * weight

    def _geometry(self, place: Place) -> _Geometry:
        if place.positions is None:
            cos, sin = self._cos[place.begin : place.end], self._sin[place.begin : place.end]
        else:
            cos, sin = self._cos[place.positions], self._sin[place.positions]
        alone = place.begin == 0 and place.sees is None
        return _Geometry(slice(place.begin, place.end), place.end, cos, sin, self._mask(place), alone)

    def _whole_geometry(self, count: int, length: Tensor) -> _Geometry:
        """A chain of `count` behind `length` [] tokens, in shapes that do not depend on it."""
        slots = length + torch.arange(count, device=length.device)
        held = torch.arange(self._capacity, device=length.device)
        mask = self._zeros(count, self._capacity).masked_fill_(held > slots.unsqueeze(1), -torch.inf)
        if count <= _FEW:
            mask = mask.repeat(self._heads // self._groups, 1)
        return _Geometry(slots, self._capacity, self._cos[slots], self._sin[slots], mask)

    def _mask(self, place: Place) -> Tensor:
        """[queries, keys] to be added to the weights: minus infinity where a token does not see another."""
        if place.count == 1 and place.sees is None:
            return self._zero
        if place.sees is not None:
            mask = torch.where(place.sees, 0.0, -torch.inf).to(self.dtype)
        else:
            mask = self._zeros(place.count, place.end)
            mask[:, place.begin :] = mask.new_full((place.count, place.count), -torch.inf).triu(1)
        return mask if place.count > _FEW else mask.repeat(self._heads // self._groups, 1)


def _layer(layer: torch.nn.Module, dtype: torch.dtype) -> _Layer:
    """This layer's weights; the few that are not multiplied by a matrix product in the format that is computed in."""
    attention, feed = layer.self_attn, layer.mlp
    reading = [attention.q_proj, attention.k_proj, attention.v_proj]  # type: ignore[union-attr]
    query_norm, key_norm = getattr(attention, "q_norm", None), getattr(attention, "k_norm", None)
    return _Layer(
        attention_norm=layer.input_layernorm.weight.to(dtype),  # type: ignore[union-attr, arg-type]
        queries_keys_values=_joined(reading),  # type: ignore[arg-type]
        query_norm=None if query_norm is None else query_norm.weight.to(dtype),
        key_norm=None if key_norm is None else key_norm.weight.to(dtype),
        output=_joined([attention.o_proj]),  # type: ignore[union-attr, list-item]
        ffn_norm=layer.post_attention_layernorm.weight.to(dtype),  # type: ignore[union-attr, arg-type]
        gate_and_up=_joined([feed.gate_proj, feed.up_proj]),  # type: ignore[union-attr, list-item]
        down=_joined([feed.down_proj]),  # type: ignore[union-attr, list-item]
    )


def _joined(parts: Sequence[torch.nn.Linear]) -> Matrix:
    """The products of several matrices with the same rows as one; a lone matrix is not copied.

    On a GPU the model's own modules are given the joined matrix's rows for theirs, so that nothing lies in its memory twice.
    """
    if len(parts) == 1:
        return pack(parts[0].weight, parts[0].bias)
    with torch.inference_mode(False), torch.no_grad():  # a module's weight cannot become a tensor of inference mode
        joined = torch.cat([part.weight for part in parts])
    biases: list[Tensor] = [part.bias for part in parts if part.bias is not None]
    matrix = pack(joined, torch.cat(biases) if biases else None)
    if joined.device.type in _SHARING and not any(part.weight.is_inference() for part in parts):
        pieces = torch.split(joined, [part.out_features for part in parts])
        for part, rows in zip(parts, pieces, strict=True):
            part.weight.data = rows
    return matrix
