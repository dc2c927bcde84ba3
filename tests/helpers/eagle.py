"""Small EAGLE heads, what they borrow, and what they must score, computed without a cache."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from specviz.models import CachedModel
from specviz.models.heads.eagle import Eagle3Head, EagleHead
from specviz.models.heads.folder import BoundHead
from specviz.models.heads.frozen import Frozen
from specviz.models.heads.mtp import MtpHead
from specviz.models.heads.spec import Shape, Spec

CLASSES: dict[str, type[Eagle3Head | MtpHead]] = {"eagle3": Eagle3Head, "mtp": MtpHead}


@dataclass
class Parts:
    """An embedding that is the output layer too; `tokens` are the ids that are scored, None for all."""

    table: Tensor
    tokens: Tensor | None = None
    vocabulary: int = field(init=False)
    device: torch.device = field(init=False)
    dtype: torch.dtype = field(init=False)

    def __post_init__(self) -> None:
        self.vocabulary, self.device, self.dtype = self.table.shape[0], self.table.device, self.table.dtype

    @classmethod
    def random(cls, vocabulary: int, width: int, dtype: torch.dtype = torch.float32) -> "Parts":
        generator = torch.Generator().manual_seed(0)
        return cls(torch.randn(vocabulary, width, generator=generator, dtype=torch.float64).to(dtype))

    def embed(self, ids: Tensor) -> Tensor:
        return self.table[ids]

    def score(self, states: Tensor) -> Tensor:
        return states @ (self.table if self.tokens is None else self.table[self.tokens]).T

    def full(self, logits: Tensor) -> Tensor:
        if self.tokens is None:
            return logits
        lowest = torch.full((*logits.shape[:-1], self.vocabulary), torch.finfo(logits.dtype).min, dtype=logits.dtype)
        return lowest.index_copy(-1, self.tokens, logits)


def spec_of(kind: str, shape: Shape, taps: tuple[int, ...], **options: object) -> Spec:
    return Spec(kind, "tiny", "none", shape, taps, options)


def random_network(spec: Spec, seed: int = 1, dtype: torch.dtype = torch.float64) -> EagleHead:
    """A head with random weights, its norms included; large enough that its distributions are far from uniform."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        head = CLASSES[spec.kind](spec).to(dtype).eval().requires_grad_(False)
        for weight in head.parameters():
            weight.copy_(torch.randn_like(weight) * (0.4 if weight.dim() == 2 else 1.0))
    return head


def bound(
    target: CachedModel, kind: str = "eagle3", seed: int = 1, tokens: Tensor | None = None, **options: object
) -> BoundHead:
    """A head with random weights for this target."""
    depth = target.network.depth
    taps = (depth,) if kind == "mtp" else (*range(depth), depth)
    spec = spec_of(kind, Shape.of(target.model.config, target.vocabulary), taps, **options)
    return BoundHead(spec, random_network(spec, seed, target.network.dtype), Frozen.of(target, tokens))


@torch.no_grad()
def plain_scores(head: EagleHead, borrowed: Frozen | Parts, states: Tensor, tokens: Sequence[int]) -> Tensor:
    """[V] scores of the token after `tokens`, the second token of the text and all after it: with the states [n, taps, width] of the text's first n
    tokens, and guesses instead of the states of all further ones. Every guess is made by a new pass over everything before it."""
    features = head.entering(states)
    embedded = borrowed.embed(torch.tensor(tokens))
    while True:
        guesses = head(embedded[: len(features)], features, lambda q, k, v: _attended(q, k, v, head))
        if len(features) == len(tokens):
            return borrowed.full(borrowed.score(head.ready(guesses[-1:])))[0]
        features = torch.cat([features, guesses[-1:]])


def _attended(q: Tensor, k: Tensor, v: Tensor, head: EagleHead) -> Tensor:
    """Causal attention of [n, heads, head width], from the definitions."""
    count, _, width = q.shape
    q, k = (_turned(part, head.shape.rope_theta) for part in (q, k))
    scores = torch.einsum("ihd,jhd->hij", q, k) / width**0.5
    scores = scores.masked_fill(torch.ones(count, count, dtype=torch.bool).triu(1), -torch.inf)
    return torch.einsum("hij,jhd->ihd", scores.softmax(-1), v)


def _turned(states: Tensor, theta: float) -> Tensor:
    """The rotary embedding as a multiplication of complex numbers: number i and number i + half are one of them."""
    count, _, width = states.shape
    turns = theta ** -(torch.arange(0, width, 2).double() / width) * torch.arange(count)[:, None]
    pairs = torch.complex(*states.double().chunk(2, dim=-1)) * torch.polar(torch.ones_like(turns), turns)[:, None]
    return torch.cat([pairs.real, pairs.imag], dim=-1).to(states.dtype)
