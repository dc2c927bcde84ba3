"""A head that drafts a block of tokens in one pass: DFlash (Chen et al., arXiv 2602.06036), JetSpec (arXiv 2606.18394) and DSpark (DeepSeek-AI,
DeepSpec) are one network with different options.

Every layer reads two things. The context is the text so far, as the target saw it: the states of a token at several layers of the target are
joined and projected once, and every layer makes its keys and values of the result. The block is the last token of the text, the anchor, whose
states nobody knows yet, and after it one mask embedding for each further slot. The target's own embedding and head are borrowed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from specviz.models.heads.frozen import Frozen
from specviz.models.heads.layer import HeadLayer, LayerShape, Rotation, attended, normalised_heads
from specviz.models.heads.spec import Spec

CALIBRATED = ("greedy", "sampled")  # the parts of a calibration: at temperature 0 and above
_MOST_DIVISOR = 1e4


@dataclass(frozen=True, slots=True)
class BlockOptions:
    """The differences between the kinds of block heads. Raises ValueError if an option is impossible.

    Attributes:
        slots: how many tokens a block drafts.
        causal: whether a slot sees the slots before it only (JetSpec) or all slots of its block.
        sample_from_anchor: whether the anchor's own row drafts the first token (DSpark), so that a block of n rows drafts n tokens; else each
            token is drafted by the mask at its own position, and n rows draft n - 1.
        markov_rank: rank of the bias that the token before a slot adds to its scores (DSpark); 0 for none.
        confidence: whether the head estimates how likely each slot is to be accepted, given that those before it were (DSpark).
        confidence_with_markov: whether that estimate knows the token before the slot too, where there is a Markov bias.
        calibration: measured after training: by what the log odds of each slot's confidence are divided, a list for "greedy" decoding and
            one for "sampled"; None for no calibration.
    """

    slots: int
    layers: int
    causal: bool
    sample_from_anchor: bool
    markov_rank: int = 0
    confidence: bool = False
    confidence_with_markov: bool = True
    calibration: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        for name, least, most in (("slots", 1, 64), ("layers", 1, 64), ("markov_rank", 0, 4096)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise ValueError(f"{name} is {value!r:.40}")
        for name in ("causal", "sample_from_anchor", "confidence", "confidence_with_markov"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is neither true nor false")  # noqa: TRY004  # like the other damaged options
        if self.calibration is not None:
            if not isinstance(self.calibration, Mapping):
                raise ValueError("calibration is no object")  # as above
            for name in CALIBRATED:
                if not _divisors(self.calibration.get(name), self.slots):
                    raise ValueError(f"calibration has no numbers above 0 for the slots of {name} decoding")

    @property
    def inputs(self) -> int:
        """How many rows the block of a full draft has, the anchor included."""
        return self.slots + self.skipped

    @property
    def skipped(self) -> int:
        """How many rows at the beginning of the block draft nothing."""
        return 0 if self.sample_from_anchor else 1


def _divisors(value: object, slots: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == slots
        and all(type(divisor) in (int, float) and 0 < divisor < _MOST_DIVISOR for divisor in value)
    )


# From queries, keys and values of a block [..., n, heads, head width] (fewer heads of keys and values where these are
# shared) to what its rows read [..., n, heads, head width].
Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


class BlockLayer(HeadLayer):
    """One layer: attention over context and block, and a gated feed-forward network."""

    def __init__(self, shape: LayerShape) -> None:
        super().__init__(shape.width, shape, normalised=True)

    def forward(self, block: Tensor, attend: Attend) -> Tensor:
        """[..., n, width] to the same."""
        return self.after(block, attend(*self.parts(block)))

    @property
    def context_weight(self) -> Tensor:
        """[2 · kv heads · head width, width]: the weights of keys and values, which the context shares with the block."""
        return self.queries_keys_values.weight[self.shape.heads * self.shape.head_width :]


class BlockHead(nn.Module):
    """The weights of a block head. `BlockReader` drafts with them. `options`: of its kind."""

    def __init__(self, spec: Spec) -> None:
        super().__init__()
        shape, self.options = (
            spec.shape,
            BlockOptions(**{name: value for name, value in spec.options.items() if name != "layer"}),
        )
        self.layer = layer = LayerShape.of(spec)
        width, self.vocabulary = layer.width, shape.vocabulary
        self.fuse = nn.Linear(len(spec.taps) * shape.width, width, bias=False)
        self.context_norm = nn.RMSNorm(width, layer.norm_eps)
        self.mask = nn.Parameter(torch.empty(width))
        self.layers = nn.ModuleList(BlockLayer(layer) for _ in range(self.options.layers))
        self.norm = nn.RMSNorm(width, layer.norm_eps)
        rank = self.options.markov_rank
        self.markov_embed: nn.Embedding | None = None
        self.markov_lm_head: nn.Linear | None = None
        if rank:
            self.markov_embed = nn.Embedding(shape.vocabulary, rank)
            self.markov_lm_head = nn.Linear(rank, shape.vocabulary, bias=False)
        self.sure: nn.Linear | None = None
        if self.options.confidence:
            self.sure = nn.Linear(width + (rank if self.options.confidence_with_markov else 0), 1)

    def context(self, states: Tensor) -> Tensor:
        """[..., taps, width] states of the target to the [..., width] that every layer makes its keys and values of."""
        joined: Tensor = self.context_norm(self.fuse(states.to(self.fuse.weight.dtype).flatten(-2)))
        return joined

    def inputs(self, anchors: Tensor, count: int) -> Tensor:
        """[..., width] embeddings of the anchors to the rows of their blocks [..., rows, width], of which `count` draft."""
        masks = self.mask.expand(*anchors.shape[:-1], count + self.options.skipped - 1, -1)
        return torch.cat([anchors.to(masks.dtype).unsqueeze(-2), masks], dim=-2)

    def outputs(self, block: Tensor) -> Tensor:
        """[..., rows, width] after the last layer to the states of the slots [..., slots, width], ready for the target's head."""
        states: Tensor = self.norm(block[..., self.options.skipped :, :])
        return states

    def markov(self, previous: Tensor) -> Tensor | None:
        """[..., V] what the token before a slot [...] adds to the slot's scores; None without a Markov bias."""
        if self.markov_embed is None or self.markov_lm_head is None:
            return None
        bias: Tensor = self.markov_lm_head(self.markov_embed(previous))
        return bias

    def confidence(self, states: Tensor, previous: Tensor) -> Tensor | None:
        """[..., slots] log odds that a slot is accepted where those before it were; None without a confidence head.

        It knows the slot's state and the token before the slot, never the slot's own token.

        Args:
            states: [..., slots, width], those of `outputs`.
            previous: [..., slots] the token before each slot; the anchor for the first.
        """
        if self.sure is None:
            return None
        alone = self.markov_embed is None or not self.options.confidence_with_markov
        inputs = states if alone else torch.cat([states, self.markov_embed(previous)], dim=-1)  # type: ignore[misc]  # not None here
        odds: Tensor = self.sure(inputs)[..., 0]
        return odds

    def rotation(self, capacity: int) -> Rotation:
        """The rotation of queries and keys at positions below `capacity`."""
        return self.layer.rotation(capacity, self.fuse.weight)

    def reader(self, borrowed: Frozen) -> "BlockReader":
        """A reader that drafts with these weights, with a context of its own."""
        return BlockReader(self, borrowed)


class BlockReader:
    """Drafts with a block head: keeps the keys and values of the context, and reads a block after them.

    Only the context stays: what a block writes lies in front of it and is overwritten by the next one. All layers share one length, so no
    layer can disagree with another about where the context ends.

    Args:
        borrowed: the target's own parts.
    """

    def __init__(self, network: BlockHead, borrowed: Frozen) -> None:
        self._network, self._borrowed = network, borrowed
        self.slots, self.vocabulary = network.options.slots, network.vocabulary
        self.device = network.mask.device
        self.length = 0
        self._capacity = -1
        calibration = network.options.calibration or {}
        self._scales = {
            name: torch.tensor(calibration[name], device=self.device) for name in CALIBRATED if name in calibration
        }

    def begin(self, capacity: int) -> None:
        """Begin a new text of at most `capacity` tokens, with an empty context."""
        network, rows = self._network, self._network.options.inputs
        self._borrowed.check_width(network.mask.shape[-1])
        if capacity > self._capacity:
            layer = network.layer
            shape = (len(network.layers), 2, layer.kv_heads, rows + capacity, layer.head_width)
            self._buffer = network.mask.new_zeros(shape)
            self._rotate = network.rotation(capacity + rows)
            context = torch.ones(rows, capacity, dtype=torch.bool, device=self.device)
            own = torch.ones(rows, rows, dtype=torch.bool, device=self.device).tril()
            self._mask = torch.cat([own, context], dim=1)
            self._capacity = capacity
        self._weight = torch.cat([layer.context_weight for layer in network.layers])  # type: ignore[misc]  # every one is a BlockLayer
        self._key_norms: Tensor | None = None
        if network.layer.qk_norm:
            self._key_norms = torch.stack([layer.key_norm.weight for layer in network.layers])  # type: ignore[union-attr,misc]  # as above
        self.length = 0

    def extend(self, states: Tensor) -> None:
        """Append the states [m, taps, width] of the next m tokens of the text."""
        network, rows = self._network, self._network.options.inputs
        end = self.length + states.shape[0]
        keys_values = functional.linear(network.context(states), self._weight)
        keys_values = keys_values.view(
            states.shape[0], len(network.layers), 2, network.layer.kv_heads, network.layer.head_width
        )
        at, keys = slice(self.length, end), keys_values[:, :, 0]
        if self._key_norms is not None:
            keys = normalised_heads(keys, self._key_norms, network.layer.norm_eps)
        keys = self._rotate(keys.flatten(1, 2), at).view_as(keys)
        self._buffer[:, 0, :, rows + self.length : rows + end] = keys.permute(1, 2, 0, 3)
        self._buffer[:, 1, :, rows + self.length : rows + end] = keys_values[:, :, 1].permute(1, 2, 0, 3)
        self.length = end

    def block(self, anchor: Tensor, count: int) -> Tensor:
        """[count, width] the states of the first `count` slots after the text whose last token is `anchor` [1]. At most `slots`."""
        network = self._network
        block = network.inputs(self._borrowed.embed(anchor)[0], count)
        rows, full = block.shape[0], network.options.inputs
        own, visible = slice(full - rows, full), slice(full - rows, full + self.length)
        at = slice(self.length, self.length + rows)
        mask = self._mask[full - rows :, visible] if network.options.causal else None
        for index, layer in enumerate(network.layers):

            def attend(q: Tensor, k: Tensor, v: Tensor, buffer: Tensor = self._buffer[index]) -> Tensor:
                buffer[0, :, own] = self._rotate(k, at).transpose(0, 1)
                buffer[1, :, own] = v.transpose(0, 1)
                return attended(self._rotate(q, at), buffer[0, :, visible], buffer[1, :, visible], mask)

            block = layer(block, attend)
        return network.outputs(block)

    def score(self, states: Tensor) -> Tensor:
        """[..., V] scores of the slots with these states, before any Markov bias."""
        return self._borrowed.full(self._borrowed.score(states))

    @property
    def conditioned(self) -> bool:
        """True if the scores of a slot depend on the token before it."""
        return self._network.markov_lm_head is not None

    def bias(self, previous: Tensor) -> Tensor:
        """[n, V] what the token before a slot [n] adds to its scores. Raises ValueError if the head has no Markov bias."""
        bias = self._network.markov(previous)
        if bias is None:
            raise ValueError("this head has no Markov bias")
        return bias

    def confidence(self, states: Tensor, previous: Tensor, *, greedy: bool) -> Tensor | None:
        """[n] the estimated probability that each of the first n slots is accepted where those before it were, given the states [n, width] and
        the token before each slot [n]; None without a confidence head.

        Args:
            greedy: whether tokens are accepted as at temperature 0, for the calibration.
        """
        odds = self._network.confidence(states, previous)
        if odds is None:
            return None
        scales = self._scales.get(CALIBRATED[0] if greedy else CALIBRATED[1])
        return (odds if scales is None else odds.float() / scales[: len(odds)]).sigmoid()
