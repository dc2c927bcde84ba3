"""Llama-type decoders without transformers' wrappers: the same weights and arithmetic in about a third of the steps.

Architecture: Touvron et al., arXiv 2302.13971, section 2.2 (pre-normalisation, SwiGLU, rotary embeddings of Su et al., arXiv 2104.09864),
with grouped-query attention (Ainslie et al., arXiv 2305.13245). How the families differ from it is described in `families`. The decoder is
faster than transformers' own modules because queries, keys and values are one product and gate and up projection another, the rotation
tables are computed once, keys and values are never expanded for their groups, and a mask is built only where one is needed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel

from specviz.models.networks.families import (
    FAMILIES,
    attention_kinds,
    embedding_factor,
    frequencies_of,
    logits_factor,
)
from specviz.models.networks.kept_head import KeptHead, rows_of
from specviz.models.networks.layouts import pack_layers
from specviz.models.networks.network import Network, at_taps
from specviz.models.networks.originals import free_originals, restore_originals
from specviz.models.networks.packing import Matrix, arithmetic_of, narrow
from specviz.models.networks.parts import Norm, Rotary, capped, norm_of, within
from specviz.models.networks.positions import Geometry, Positions, View

_SHORT_PASS = 64  # longer passes use torch's fused attention kernel, which never stores all attention weights at once

Step = Callable[[Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class _Layer:
    """One layer's weights, [outputs, inputs] each. Matrices with the same input are joined.

    A step that the family lacks returns what it is given. `kind` is the index of the layer's kind of attention.
    """

    kind: int
    before_attention: Step
    queries_keys_values: Matrix
    query_norm: Step
    key_norm: Step
    output: Matrix
    after_attention: Step
    before_ffn: Step
    gate_and_up: Matrix
    activation: Step
    down: Matrix
    after_ffn: Step


class LeanDecoder(Network):
    """A network over the weights of a transformers model for which `is_lean` holds.

    Args:
        model: in evaluation mode, on its device. It may still be used by itself: this decoder has its own buffers.
        pack: the matrix of several linear layers with the same input, stacked.

    Attributes:
        dtype: of states, keys, values and logits. Weights stay in the model's format.
        split_refusal: empty, since every layer can be run by itself.
    """

    split_refusal = ""

    @torch.inference_mode()
    def __init__(self, model: PreTrainedModel, pack: Callable[[Sequence[nn.Linear]], Matrix] = pack_layers) -> None:
        restore_originals(model)
        self._pack_layers = pack
        config, base = model.config, model.model
        attention: Any = base.layers[0].self_attn
        self._family = FAMILIES[type(model).__name__]
        self._heads: int = config.num_attention_heads
        self._groups: int = config.num_key_value_heads
        self._width: int = attention.head_dim
        self._scale = float(attention.scaling)
        self._cap: float | None = getattr(attention, "attn_logit_softcapping", None)
        self._residual = float(getattr(config, "residual_multiplier", 1.0))
        self._embedding = narrow(base.embed_tokens.weight)
        self._embedding_factor = embedding_factor(model)
        self._stored: torch.dtype = base.embed_tokens.weight.dtype
        self.dtype = arithmetic_of(self._stored, self._embedding.device)
        self._copied: list[nn.Module] = []
        layer_kinds = attention_kinds(model)
        kinds = list(dict.fromkeys(layer_kinds))
        self._layers = [
            self._layer(layer, kinds.index(kind)) for layer, kind in zip(base.layers, layer_kinds, strict=True)
        ]
        self._norm = self._normalises(base.norm)
        self._head = self._pack([rows_of(model.lm_head)])
        self._trimmed = model.lm_head if isinstance(model.lm_head, KeptHead) else None
        self._logits_factor = logits_factor(config)
        self._logits_cap: float | None = getattr(config, "final_logit_softcapping", None)
        self._kinds = [(kind.window, *frequencies_of(base.rotary_emb, kind)) for kind in kinds]
        rotated = max(
            (2 * frequencies.shape[0] for _, frequencies, _ in self._kinds if frequencies is not None), default=0
        )
        self._rotary = Rotary(self._width, rotated, self._family.interleaved, self._embedding.device)
        self._zero: Tensor = self._zeros(1, 1)
        self._tables: list[tuple[Tensor, Tensor]] = []
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []
        self._capacity = 0

    @property
    def depth(self) -> int:
        return len(self._layers)

    @property
    def kind(self) -> str:
        return "own" if self.dtype == self._stored else f"own, computing in {str(self.dtype).removeprefix('torch.')}"

    def begin(self, capacity: int) -> None:
        """Allocate larger buffers if these are too small; their contents are lost."""
        if capacity <= self._capacity:
            return
        shape = (self._groups, capacity, self._width)
        self._keys = [self._zeros(*shape) for _ in self._layers]
        self._values = [self._zeros(*shape) for _ in self._layers]
        self._tables = [
            self._rotary.tables(frequencies, scale, capacity, self._zero) for _, frequencies, scale in self._kinds
        ]
        self._capacity = capacity  # set last: if memory runs out above, the next `begin` allocates again

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._through(tokens, self._geometry(positions), rows)

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
        return self._through(tokens, self._fixed_geometry(tokens.shape[0], length, end, ids, attends), rows)

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        states = self._run(self._embed(tokens), self._geometry(positions), range(depth))
        return self._score(states, rows)[0], states

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        return self._score(self._run(states, self._geometry(positions), range(depth, self.depth)), rows)

    @torch.inference_mode()
    def keep(self, begin: int, slots: Sequence[int]) -> None:
        if list(slots) == [*range(begin, begin + len(slots))]:
            return
        indices = torch.tensor(slots, device=self._embedding.device)
        for buffer in self.buffers():
            buffer[:, begin : begin + len(slots)] = buffer.index_select(1, indices)

    def release(self) -> None:
        self._keys, self._values, self._capacity = [], [], 0

    @torch.inference_mode()
    def free_originals(self, model: PreTrainedModel, reload: Callable[[], PreTrainedModel]) -> None:
        """Free the weights of the model's own modules that this decoder has copied; call it when the scores have been compared.

        Args:
            model: the one that this decoder was made from.
            reload: loads the model again, when one of these modules is called.
        """
        table, head = model.model.embed_tokens, rows_of(model.lm_head)
        copied = list(self._copied)
        if self._embedding.data_ptr() != table.weight.data_ptr():
            copied.append(table)
        elif head.weight is table.weight and head in copied:
            copied.remove(head)
        free_originals(model, copied, reload)

    @contextmanager
    def narrowed(self, window: int) -> Iterator[None]:
        """Within it, every attention window is this many tokens wide: a short text then crosses it."""
        kinds = self._kinds
        self._kinds = [(width and window, frequencies, scale) for width, frequencies, scale in kinds]
        try:
            yield
        finally:
            self._kinds = kinds

    def buffers(self) -> list[Tensor]:
        return [*self._keys, *self._values]

    def _through(self, tokens: Tensor, geometry: Geometry, rows: int | None) -> tuple[Tensor, Tensor]:
        """The result of `read`: the logits of the last `rows` tokens, and the states of all of them at the taps."""
        states, entering, begin = self._embed(tokens), {}, 0
        for tap in sorted({tap for tap in self.taps if tap < self.depth}):
            states = entering[tap] = self._run(states, geometry, range(begin, tap))
            begin = tap
        logits, entering[self.depth] = self._score(self._run(states, geometry, range(begin, self.depth)), rows)
        return logits, at_taps(entering, self.taps, logits)

    def _run(self, states: Tensor, geometry: Geometry, layers: range) -> Tensor:
        """Pass [m, width] states through these layers, without the final normalisation."""
        for index in layers:
            layer = self._layers[index]
            inputs = layer.before_attention(states)
            attended = layer.after_attention(layer.output(self._attend(index, inputs, geometry)))
            states = torch.add(states, attended, alpha=self._residual)
            gate, up = layer.gate_and_up(inputs if self._family.parallel else layer.before_ffn(states)).chunk(2, dim=-1)
            fed = layer.after_ffn(layer.down(layer.activation(gate) * up))
            states = torch.add(states, fed, alpha=self._residual)
        return states

    def _score(self, states: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """The logits of the last `rows` of these states, and all of the states normalised."""
        last = self._norm(states)
        return self.head(last if rows is None else last[-rows:]), last

    def head(self, states: Tensor) -> Tensor:
        """[m, head rows] logits of [m, width] states after the final normalisation."""
        logits = self._head(states)
        if self._logits_factor != 1:
            logits = logits * self._logits_factor
        if self._logits_cap is not None:
            logits = capped(logits, self._logits_cap)
        return logits if self._trimmed is None else self._trimmed.full(logits)

    @property
    def embedding(self) -> Tensor:
        """[head rows, width] the embedding as it is stored, in a narrower format where that loses nothing."""
        return self._embedding

    def _embed(self, tokens: Tensor) -> Tensor:
        """[m] ids as [m, width] states."""
        states = functional.embedding(tokens, self._embedding).to(self.dtype)
        return states if self._embedding_factor == 1 else states * self._embedding_factor

    def _zeros(self, *shape: int) -> Tensor:
        return self._embedding.new_zeros(shape, dtype=self.dtype)

    def _attend(self, index: int, states: Tensor, geometry: Geometry) -> Tensor:
        """Attention of layer `index`: [m, heads · head width]."""
        heads, groups, count = self._heads, self._groups, states.shape[0]
        view = geometry.views[self._layers[index].kind]
        rotated, fresh = self._projected(index, states, view)
        self._keys[index][:, geometry.slots] = rotated[:, heads:].transpose(0, 1)
        self._values[index][:, geometry.slots] = fresh.transpose(0, 1)
        keys, values = self._keys[index][:, : geometry.end], self._values[index][:, : geometry.end]
        queries = rotated[:, :heads].reshape(count, groups, -1, self._width).permute(1, 2, 0, 3)
        mixed = self._mix(queries, keys, values, view)
        return mixed.permute(2, 0, 1, 3).reshape(count, -1)

    def _projected(self, index: int, states: Tensor, view: View) -> tuple[Tensor, Tensor]:
        """Queries and keys, rotated, [m, heads + groups, head width], and values [m, groups, head width] of [m, width] states."""
        layer, heads, groups = self._layers[index], self._heads, self._groups
        joined = layer.queries_keys_values(states).view(states.shape[0], heads + 2 * groups, self._width)
        unrotated = joined[:, : heads + groups]
        if layer.query_norm is not _unchanged:
            parts = [layer.query_norm(joined[:, :heads]), layer.key_norm(joined[:, heads : heads + groups])]
            unrotated = torch.cat(parts, dim=1)
        rotated = torch.addcmul(unrotated * view.cos, self._rotary.swapped(unrotated), view.sin)
        return rotated, joined[:, heads + groups :]

    def _mix(self, queries: Tensor, keys: Tensor, values: Tensor, view: View) -> Tensor:
        """Attention for queries [groups, heads per group, m, width]. Keys and values are not expanded: in a short pass the queries of all
        heads of a group are stacked along m instead."""
        if queries.shape[2] > _SHORT_PASS and self._cap is None:
            shape = (-1, queries.shape[1], -1, -1)  # the kernel needs one view per head; expanding copies nothing
            return functional.scaled_dot_product_attention(
                queries,
                keys.unsqueeze(1).expand(shape),
                values.unsqueeze(1).expand(shape),
                attn_mask=None if view.causal else view.mask,
                is_causal=view.causal,
                scale=self._scale,
            )
        stacked = queries.flatten(1, 2)
        if self._cap is None:
            scores = torch.baddbmm(view.mask, stacked, keys.transpose(1, 2), alpha=self._scale)
        else:
            scores = capped(torch.bmm(stacked, keys.transpose(1, 2)) * self._scale, self._cap) + view.mask
        weights = scores.softmax(dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32))
        mixed: Tensor = torch.bmm(weights.to(scores.dtype), values).view(queries.shape)
        return mixed

    def _geometry(self, positions: Positions) -> Geometry:
        begin, end, ids = positions.begin, positions.end, positions.ids
        where = slice(begin, end) if ids is None else ids
        views = []
        for (window, _, _), (cos, sin) in zip(self._kinds, self._tables, strict=True):
            everything = positions.attends is None and (window is None or end <= window)
            mask = self._zero if everything and positions.count == 1 else self._mask(self._attends(positions), window)
            views.append(View(cos[where], sin[where], mask, causal=everything and begin == 0))
        return Geometry(slice(begin, end), end, views)

    def _fixed_geometry(
        self,
        count: int,
        length: Tensor,
        end: int | None = None,
        ids: Tensor | None = None,
        attends: Tensor | None = None,
    ) -> Geometry:
        """The geometry of `count` tokens after `length` [] cached ones, in shapes that do not depend on `length`; see `read_at`."""
        end = self._capacity if end is None else end
        slots = length + torch.arange(count, device=length.device)
        if attends is None:
            attends = torch.arange(end, device=length.device) <= slots.unsqueeze(1)
        where = slots if ids is None else ids
        views = [
            View(cos[where], sin[where], self._mask(attends, window))
            for (window, _, _), (cos, sin) in zip(self._kinds, self._tables, strict=True)
        ]
        return Geometry(slots, end, views)

    def _attends(self, positions: Positions) -> Tensor:
        """[m, keys] bool, which cached and new tokens each token attends to without a window."""
        if positions.attends is not None:
            return positions.attends
        slots = torch.arange(positions.end, device=self._zero.device)
        return slots <= slots[positions.begin :].unsqueeze(1)

    def _mask(self, attends: Tensor, window: int | None) -> Tensor:
        """[queries, keys], added to the attention scores: minus infinity where a token does not attend to another."""
        count = attends.shape[0]
        mask = self._zeros(*attends.shape).masked_fill_(~within(attends, window), -torch.inf)
        short = count <= _SHORT_PASS or self._cap is not None
        return mask.repeat(self._heads // self._groups, 1) if short else mask

    def _layer(self, layer: Any, kind: int) -> _Layer:
        family, attention, mlp = self._family, layer.self_attn, layer.mlp
        query_norm, key_norm = (getattr(attention, name, None) for name in ("q_norm", "k_norm"))
        steps = {
            point: self._normalises(getattr(layer, name)) if name else _unchanged
            for point in ("before_attention", "after_attention", "before_ffn", "after_ffn")
            for name in [getattr(family, point)]
        }
        return _Layer(
            kind=kind,
            queries_keys_values=self._pack([getattr(attention, name) for name in family.queries_keys_values]),
            query_norm=_unchanged if query_norm is None else self._normalises(query_norm, self._width),
            key_norm=_unchanged if key_norm is None else self._normalises(key_norm, self._width),
            output=self._pack([attention.o_proj]),
            gate_and_up=self._pack([getattr(mlp, name) for name in family.gate_and_up]),
            activation=getattr(mlp, "act_fn", None) or mlp.activation_fn,
            down=self._pack([mlp.down_proj]),
            **steps,
        )

    def _normalises(self, module: Any, width: int | None = None) -> Norm:
        """This norm over the states, or over heads of this width."""
        family = self._family
        return norm_of(
            module,
            torch.float32 if family.wide_norms else self.dtype,
            width=width or module.weight.shape[0],
            offset=family.norm_offset,
            centred=family.centred,
        )

    def _pack(self, linears: Sequence[nn.Linear]) -> Matrix:
        """The stacked matrix of these layers, which are noted if it is a copy of their weights."""
        matrix = self._pack_layers(linears)
        if type(matrix) is not Matrix:
            self._copied += linears
        return matrix


def _unchanged(states: Tensor) -> Tensor:
    return states
