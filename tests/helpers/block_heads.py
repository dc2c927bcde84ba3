"""Block heads for tests: parts that they borrow, random weights, and a target whose periodic text can only be foreseen from its states."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from specviz.decoding.protocols import Scores
from specviz.decoding.testing import TableModel
from specviz.models.heads.block import BlockHead, BlockLayer
from specviz.models.heads.spec import Shape, Spec

FLAGS: dict[str, dict[str, Any]] = {
    "dflash": {"causal": False, "sample_from_anchor": False},
    "jetspec": {"causal": True, "sample_from_anchor": False},
    "dspark": {"causal": False, "sample_from_anchor": True, "markov_rank": 4, "confidence": True},
}
"""The options of each kind."""


class Parts:
    """An embedding and an output layer with orthogonal rows, in place of a target's."""

    def __init__(self, vocabulary: int, width: int, dtype: torch.dtype = torch.float32) -> None:
        self.tokens: Tensor | None = None
        generator = torch.Generator().manual_seed(3)
        drawn = torch.randn(2, max(width, vocabulary), width, generator=generator, dtype=torch.float64)
        self.table: Tensor = torch.linalg.qr(drawn[0])[0][:vocabulary].to(dtype)
        self.head: Tensor = torch.linalg.qr(drawn[1])[0][:vocabulary].to(dtype)
        self.vocabulary, self.dtype, self.device = vocabulary, dtype, torch.device("cpu")

    def embed(self, ids: Tensor) -> Tensor:
        return self.table[ids]

    def score(self, states: Tensor) -> Tensor:
        return states @ self.head.T

    def full(self, logits: Tensor) -> Tensor:
        return logits

    def only(self, tokens: Tensor) -> "Parts":
        """The same, where only these ids are scored."""
        some = copy(self)
        some.tokens, some.head = tokens, self.head[tokens]
        return some


@dataclass
class Bound:
    """A `specviz.decoding.drafters.kit.TrainedHead`."""

    spec: Spec
    network: Any
    frozen: Any
    nbytes: int = 0

    @property
    def taps(self) -> tuple[int, ...]:
        return self.spec.taps


def spec_of(
    kind: str, *, width: int, vocabulary: int, slots: int, depth: int = 2, head_width: int = 8, **options: Any
) -> Spec:
    """The description of a small head."""
    shape = Shape(width, vocabulary, depth, head_width, 10_000.0, 1e-6, 2 * width)
    return Spec(kind, "tiny", "none", shape, (1, 2), {"slots": slots, "layers": 1, **FLAGS[kind], **options})


def random_head(spec: Spec, frozen: Any, *, seed: int = 0, dtype: torch.dtype = torch.float64) -> Bound:
    """A head whose weights are random and large, so that every one of them matters."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = BlockHead(spec)
        for weight in network.parameters():
            torch.nn.init.normal_(weight, std=0.7)
    return Bound(spec, network.to(dtype).eval(), frozen)


@torch.no_grad()
def one_pass(network: BlockHead, states: Tensor, embedded: Tensor, anchors: Tensor) -> Tensor:
    """The slots of blocks after several tokens of a text, from the definitions, without a cache. A block sees the text before its anchor and itself.

    For heads whose queries all have a key of their own, none of them normalised.

    Args:
        states: [n, taps, width], what the target computed for every token.
        embedded: [blocks, width], the embeddings of the anchors.
        anchors: [blocks], their positions in the text.

    Returns:
        [blocks, slots, width], ready for the target's output layer.
    """
    options, tokens, split = network.options, states.shape[0], (-1, network.layer.head_width)
    context, rotate = network.context(states), network.rotation(len(states) + network.options.inputs)
    positions = anchors[:, None] + torch.arange(options.inputs)
    before = (torch.arange(tokens) < anchors[:, None])[:, None].expand(-1, options.inputs, -1)
    own = torch.ones(options.inputs, options.inputs, dtype=torch.bool)
    own = own.tril() if options.causal else own
    hidden = ~torch.cat([before, own.expand(len(anchors), -1, -1)], dim=-1)
    block = network.inputs(embedded, options.slots)
    for layer in network.layers:
        assert isinstance(layer, BlockLayer)
        keys, values = (
            part.view(tokens, *split) for part in functional.linear(context, layer.context_weight).chunk(2, -1)
        )
        keys = rotate(keys, torch.arange(tokens))

        def attend(q: Tensor, k: Tensor, v: Tensor, keys: Tensor = keys, values: Tensor = values) -> Tensor:
            q, k = rotate(q, positions), rotate(k, positions)
            far, near = torch.einsum("bihd,jhd->bhij", q, keys), torch.einsum("bihd,bjhd->bhij", q, k)
            scores = torch.cat([far, near], dim=-1) * network.layer.head_width**-0.5
            weights = scores.masked_fill(hidden[:, None], -torch.inf).softmax(dim=-1)
            far, near = weights.split([tokens, options.inputs], dim=-1)
            return torch.einsum("bhij,jhd->bihd", far, values) + torch.einsum("bhij,bjhd->bihd", near, v)

        block = layer(block, attend)
    return network.outputs(block)


class Stated(TableModel):
    """A table whose states are numbers that depend on the ids so far, [m, taps, width]."""

    def __init__(self, *args: Any, width: int = 8, **options: Any) -> None:
        super().__init__(*args, **options)
        self.width = width

    def state(self, history: Sequence[int], tap: int) -> Tensor:
        """[width] the state of the last of these ids at a tap."""
        seed = hash((tap, *history)) % 2**31
        return torch.randn(self.width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        found = super().forward(tokens, parents, rows)
        fresh = [read.history for read in self._pending[-len(tokens) :]]
        states = (
            [torch.stack([self.state(history, tap) for tap in self._taps]) for history in fresh] if self._taps else []
        )
        return Scores(found.logits, torch.stack(states) if states else None)


class Slots:
    """A `specviz.decoding.drafters.block.SlotHead` with given numbers.

    Args:
        scores: [slots, V] of each slot.
        bias: [V, V] what each token before a slot adds; None for no Markov bias.
        sure: [V] the confidence after each token before a slot; None for no confidence head.
    """

    device = torch.device("cpu")

    def __init__(self, scores: Tensor, bias: Tensor | None, sure: Tensor | None = None) -> None:
        self._scores, self._bias, self._sure = scores, bias, sure
        self.slots, self.vocabulary = scores.shape
        self.length = 0
        self.conditioned = bias is not None

    def begin(self, capacity: int) -> None:
        self.length = 0

    def extend(self, states: Tensor) -> None:
        self.length += len(states)

    def block(self, anchor: Tensor, count: int) -> Tensor:
        return torch.arange(count)

    def score(self, states: Tensor) -> Tensor:
        return self._scores[states]

    def bias(self, previous: Tensor) -> Tensor:
        assert self._bias is not None
        return self._bias[previous]

    def confidence(self, states: Tensor, previous: Tensor, *, greedy: bool) -> Tensor | None:
        return None if self._sure is None else self._sure[previous]


class Given:
    """A trained head whose network gives these slots."""

    taps = (1,)
    nbytes = 0
    spec: Any = None

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self.network: Any = self
        self.frozen: Any = None

    def reader(self, frozen: Any) -> Slots:
        return self._slots
