"""A Llama-type decoder without transformers' wrappers: the same weights and arithmetic in about a third of the steps.

Architecture: Touvron et al., arXiv 2302.13971, section 2.2 (pre-normalisation, SwiGLU, rotary embeddings of Su et al., arXiv 2104.09864),
with grouped-query attention (Ainslie et al., arXiv 2305.13245), biases on queries, keys and values as in Qwen2, and normalised queries
and keys as in Qwen3. It is faster than transformers' own modules because queries, keys and values are one product and gate and up
projection another, the rotation tables are computed once, keys and values are never expanded for their groups, and a mask is built only
where one is needed.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedModel

from specviz.models.networks.originals import free_originals, restore_originals
from specviz.models.networks.packing import HalfMatrix, Matrix, arithmetic_of, narrow, pack_layers
from specviz.models.networks.positions import Positions

KINDS = ("LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM")
_ROTATIONS = ("default", "linear", "llama3")
"""Rotary embeddings whose frequencies do not depend on the length of the text."""
_SHORT_PASS = 64
"""Longer passes use torch's fused attention kernel, which never stores all attention weights at once."""


FEWEST_ATTENDED = 256


def attended_slots(end: int, capacity: int) -> int:
    """How many of the buffers' slots a pass of unchanging shapes attends to: the smallest power of two above its `end`, at least 256 and
    at most the capacity. So a pass never reads more than twice what the text needs, however large the buffers are."""
    return min(max(FEWEST_ATTENDED, 1 << end.bit_length()), capacity)


def is_lean(model: PreTrainedModel) -> bool:
    """Whether `LeanDecoder` supports every detail of this model."""
    config = model.config
    rotation = (getattr(config, "rope_parameters", None) or {}).get("rope_type", "default")
    windows = set(getattr(config, "layer_types", None) or ["full_attention"])
    # Mistral has no layer types: its window, if there is one, applies to every layer.
    windowed = type(model).__name__ == "MistralForCausalLM" and getattr(config, "sliding_window", None)
    device_map = getattr(model, "hf_device_map", None) or {}
    return (
        type(model).__name__ in KINDS
        and rotation in _ROTATIONS
        and windows == {"full_attention"}
        and not windowed
        and config.hidden_act == "silu"
        and model.dtype
        != torch.float64  # transformers normalises in float32 there, and exact comparisons need the same
        and len({str(device) for device in device_map.values()}) <= 1
        and getattr(model, "hf_quantizer", None) is None
    )


@dataclass(frozen=True, slots=True)
class _Layer:
    """One layer's weights, [outputs, inputs] each. Matrices with the same input are joined."""

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
    """What all layers of one pass over m tokens share.

    Attributes:
        slots: the buffer slots that the m tokens are written to; an index tensor [m] where the shapes must not change, else a slice.
        end: number of buffer slots that are attended to.
        cos, sin: [m, 1, width] of the rotary embedding.
        mask: [queries, keys], or [1, 1] zero; added to the attention scores.
        causal: whether the m tokens are a chain at the start of the text, so that torch's kernel needs no mask.
    """

    slots: slice | Tensor
    end: int
    cos: Tensor
    sin: Tensor
    mask: Tensor
    causal: bool = False


class LeanDecoder:
    """A `specviz.models.networks.choice.Network` over the weights of a transformers model for which `is_lean` holds.

    Args:
        model: in evaluation mode, on its device. It may still be used by itself: this decoder has its own buffers.

    Attributes:
        dtype: of states, keys, values and logits. Weights stay in the model's format.
        split_refusal: empty, since every layer can be run by itself.
    """

    split_refusal = ""

    @torch.inference_mode()
    def __init__(self, model: PreTrainedModel) -> None:
        restore_originals(model)
        config, base = model.config, model.model
        self.depth = len(base.layers)
        self._heads: int = config.num_attention_heads
        self._groups: int = config.num_key_value_heads
        self._width: int = getattr(config, "head_dim", None) or config.hidden_size // self._heads
        self._eps: float = config.rms_norm_eps
        self._scale = self._width**-0.5
        self._embedding = narrow(base.embed_tokens.weight)
        self._stored: torch.dtype = base.embed_tokens.weight.dtype
        self.dtype = arithmetic_of(self._stored, self._embedding.device)
        self._copied: list[torch.nn.Module] = []
        self._layers = [self._layer(layer) for layer in base.layers]
        self._norm: Tensor = base.norm.weight.to(self.dtype)
        self._head = self._pack([model.lm_head])
        self._frequencies: Tensor = base.rotary_emb.inv_freq.float()
        self._rotary_scale: float = base.rotary_emb.attention_scaling
        self._zero: Tensor = self._zeros(1, 1)
        self._cos = self._sin = self._zero
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []
        self._capacity = 0

    @property
    def kind(self) -> str:
        return "own" if self.dtype == self._stored else f"own, computing in {str(self.dtype).removeprefix('torch.')}"

    @property
    def skippable(self) -> range:
        return range(self.depth)

    def begin(self, capacity: int) -> None:
        """Allocate larger buffers if these are too small; their contents are lost."""
        if capacity <= self._capacity:
            return
        shape = (self._groups, capacity, self._width)
        self._keys = [self._zeros(*shape) for _ in self._layers]
        self._values = [self._zeros(*shape) for _ in self._layers]
        angles = torch.outer(torch.arange(capacity, device=self._frequencies.device).float(), self._frequencies)
        cos, sin = angles.cos() * self._rotary_scale, angles.sin() * self._rotary_scale
        # In x cos + rotate_half(x) sin, rotate_half negates one half of x: the table contains that sign.
        self._cos = torch.cat([cos, cos], dim=-1).unsqueeze(1).to(self._zero)
        self._sin = torch.cat([-sin, sin], dim=-1).unsqueeze(1).to(self._zero)
        self._capacity = capacity  # set last: if memory runs out above, the next `begin` allocates again

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._score(self._run(self._embed(tokens), self._geometry(positions), range(self.depth)), rows)

    def read_at(
        self,
        tokens: Tensor,
        length: Tensor,
        rows: int | None = None,
        end: int | None = None,
        ids: Tensor | None = None,
        attends: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """`read` after `length` [] cached tokens, a tensor on the device. The shapes do not depend on `length`: the first `end` slots of
        the buffers (all by default) are attended to through a mask. CUDA graphs need this, because they replay one fixed sequence of
        kernels.

        Args:
            ids: [m] the position of each token in its text, for a tree; a chain needs none.
            attends: [m, end] bool, the slots that each token of a tree attends to.
        """
        geometry = self._fixed_geometry(tokens.shape[0], length, end, ids, attends)
        return self._score(self._run(self._embed(tokens), geometry, range(self.depth)), rows)

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        states = self._run(self._embed(tokens), self._geometry(positions), range(depth))
        return self._score(states, rows)[0], states

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        return self._score(self._run(states, self._geometry(positions), range(depth, self.depth)), rows)

    def exits(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> Iterator[tuple[Tensor, Tensor]]:
        states, geometry = self._embed(tokens), self._geometry(positions)
        for index in range(self.depth):
            states = self._run(states, geometry, range(index, index + 1))
            yield self._score(states, rows)[0], states

    def skipping(self, layers: Sequence[int]) -> "LeanDecoder":
        shallower = copy(self)
        shallower._layers = [layer for index, layer in enumerate(self._layers) if index not in layers]
        shallower.depth, shallower._capacity = len(shallower._layers), 0
        shallower._keys, shallower._values = [], []
        return shallower

    @torch.inference_mode()
    def move(self, begin: int, indices: Sequence[int]) -> None:
        chosen = torch.tensor(indices, device=self._embedding.device)
        for buffer in self.buffers():
            buffer[:, begin : begin + len(indices)] = buffer.index_select(1, chosen)

    def release(self) -> None:
        self._keys, self._values, self._capacity = [], [], 0

    @torch.inference_mode()
    def free_originals(self, model: PreTrainedModel, read: Callable[[], PreTrainedModel]) -> None:
        """Free the weights of the model's own modules that this decoder has copied; call it when the scores have been compared.

        Args:
            model: the one that this decoder was made from.
            read: loads the model again, when one of these modules is called.
        """
        table, head = model.model.embed_tokens, model.lm_head
        copied = list(self._copied)
        if self._embedding.data_ptr() != table.weight.data_ptr():
            copied.append(table)
        elif head.weight is table.weight and head in copied:
            copied.remove(head)
        free_originals(model, copied, read)

    def buffers(self) -> list[Tensor]:
        return [*self._keys, *self._values]

    def _run(self, states: Tensor, geometry: _Geometry, layers: range) -> Tensor:
        """Pass [m, width] states through these layers, without the final normalisation."""
        for index in layers:
            layer = self._layers[index]
            attended = self._attend(index, self._normalise(states, layer.attention_norm), geometry)
            states = states + layer.output(attended)
            gate, up = layer.gate_and_up(self._normalise(states, layer.ffn_norm)).chunk(2, dim=-1)
            states = states + layer.down(functional.silu(gate) * up)
        return states

    def _score(self, states: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """The logits of the last `rows` of these states, and all of the states normalised."""
        last = self._normalise(states, self._norm)
        return self._head(last if rows is None else last[-rows:]), last

    def _embed(self, tokens: Tensor) -> Tensor:
        """[m] ids as [m, width] states."""
        return functional.embedding(tokens, self._embedding).to(self.dtype)

    def _zeros(self, *shape: int) -> Tensor:
        return self._embedding.new_zeros(shape, dtype=self.dtype)

    def _attend(self, index: int, states: Tensor, geometry: _Geometry) -> Tensor:
        """Attention of layer `index`: [m, heads · head width]."""
        layer, heads, groups, count = self._layers[index], self._heads, self._groups, states.shape[0]
        joined = layer.queries_keys_values(states).view(count, heads + 2 * groups, self._width)
        unrotated = joined[:, : heads + groups]
        if layer.query_norm is not None and layer.key_norm is not None:
            queries = self._normalise(joined[:, :heads], layer.query_norm)
            unrotated = torch.cat([queries, self._normalise(joined[:, heads : heads + groups], layer.key_norm)], dim=1)
        rotated = torch.addcmul(unrotated * geometry.cos, unrotated.roll(self._width // 2, -1), geometry.sin)
        self._keys[index][:, geometry.slots] = rotated[:, heads:].transpose(0, 1)
        self._values[index][:, geometry.slots] = joined[:, heads + groups :].transpose(0, 1)
        keys, values = self._keys[index][:, : geometry.end], self._values[index][:, : geometry.end]
        queries = rotated[:, :heads].reshape(count, groups, -1, self._width).permute(1, 2, 0, 3)
        mixed = self._mix(queries, keys, values, geometry)
        return mixed.permute(2, 0, 1, 3).reshape(count, -1)

    def _mix(self, queries: Tensor, keys: Tensor, values: Tensor, geometry: _Geometry) -> Tensor:
        """Attention for queries [groups, heads per group, m, width]. Keys and values are not expanded: in a short pass the queries of all
        heads of a group are stacked along m instead."""
        if queries.shape[2] > _SHORT_PASS:
            each = (-1, queries.shape[1], -1, -1)  # the kernel needs one view per head; expanding copies nothing
            return functional.scaled_dot_product_attention(
                queries,
                keys.unsqueeze(1).expand(each),
                values.unsqueeze(1).expand(each),
                attn_mask=None if geometry.causal else geometry.mask,
                is_causal=geometry.causal,
                scale=self._scale,
            )
        stacked = queries.reshape(self._groups, -1, self._width)
        scores = torch.baddbmm(geometry.mask, stacked, keys.transpose(1, 2), alpha=self._scale)
        weights = scores.softmax(dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32))
        mixed: Tensor = torch.bmm(weights.to(scores.dtype), values).view(queries.shape)
        return mixed

    def _normalise(self, states: Tensor, weight: Tensor) -> Tensor:
        """Root mean square normalisation (Zhang and Sennrich, arXiv 1910.07467), computed in float32 or wider."""
        if states.dtype.itemsize > 2:
            normalised: Tensor = functional.rms_norm(states, weight.shape, weight, self._eps)
            return normalised
        return functional.rms_norm(states.float(), weight.shape, eps=self._eps).to(states.dtype) * weight

    def _geometry(self, positions: Positions) -> _Geometry:
        begin, end = positions.begin, positions.end
        if positions.ids is None:
            cos, sin = self._cos[begin:end], self._sin[begin:end]
        else:
            cos, sin = self._cos[positions.ids], self._sin[positions.ids]
        causal = begin == 0 and positions.attends is None
        return _Geometry(slice(begin, end), end, cos, sin, self._mask(positions), causal)

    def _fixed_geometry(
        self,
        count: int,
        length: Tensor,
        end: int | None = None,
        ids: Tensor | None = None,
        attends: Tensor | None = None,
    ) -> _Geometry:
        """The geometry of `count` tokens after `length` [] cached ones, in shapes that do not depend on `length`; see `read_at`."""
        end = self._capacity if end is None else end
        slots = length + torch.arange(count, device=length.device)
        if attends is None:
            attends = torch.arange(end, device=length.device) <= slots.unsqueeze(1)
        mask = self._zeros(count, end).masked_fill_(~attends, -torch.inf)
        if count <= _SHORT_PASS:
            mask = mask.repeat(self._heads // self._groups, 1)
        where = slots if ids is None else ids
        return _Geometry(slots, end, self._cos[where], self._sin[where], mask)

    def _mask(self, positions: Positions) -> Tensor:
        """[queries, keys], added to the attention scores: minus infinity where a token does not attend to another."""
        count = positions.count
        if count == 1 and positions.attends is None:
            return self._zero
        if positions.attends is not None:
            mask = torch.where(positions.attends, 0.0, -torch.inf).to(self.dtype)
        else:
            mask = self._zeros(count, positions.end)
            mask[:, positions.begin :] = mask.new_full((count, count), -torch.inf).triu(1)
        return mask if count > _SHORT_PASS else mask.repeat(self._heads // self._groups, 1)

    def _layer(self, layer: torch.nn.Module) -> _Layer:
        """This layer's weights; those that are not used in a matrix product are converted to the decoder's format."""
        dtype = self.dtype
        attention, mlp = layer.self_attn, layer.mlp
        projections = [attention.q_proj, attention.k_proj, attention.v_proj]  # type: ignore[union-attr]
        query_norm, key_norm = getattr(attention, "q_norm", None), getattr(attention, "k_norm", None)
        return _Layer(
            attention_norm=layer.input_layernorm.weight.to(dtype),  # type: ignore[union-attr, arg-type]
            queries_keys_values=self._pack(projections),  # type: ignore[arg-type]
            query_norm=None if query_norm is None else query_norm.weight.to(dtype),
            key_norm=None if key_norm is None else key_norm.weight.to(dtype),
            output=self._pack([attention.o_proj]),  # type: ignore[union-attr, list-item]
            ffn_norm=layer.post_attention_layernorm.weight.to(dtype),  # type: ignore[union-attr, arg-type]
            gate_and_up=self._pack([mlp.gate_proj, mlp.up_proj]),  # type: ignore[union-attr, list-item]
            down=self._pack([mlp.down_proj]),  # type: ignore[union-attr, list-item]
        )

    def _pack(self, linears: Sequence[torch.nn.Linear]) -> Matrix:
        """The stacked matrix of these layers, which are noted if it is a copy of their weights."""
        matrix = pack_layers(linears)
        if isinstance(matrix, HalfMatrix):
            self._copied += linears
        return matrix
