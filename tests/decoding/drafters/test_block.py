"""Claims about drafting with block heads: a context that is the text, and a stop that never looks at its own token. That chains and trees are
lossless is in `tests/decoding/test_lossless.py`."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import block as drafting
from specviz.decoding.drafters.block import BlockChain, BlockTree, _Block, above, scheduled
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Reading
from specviz.decoding.sampling import CertainDraws, SeededDraws, warp
from specviz.decoding.testing import TableModel
from specviz.errors import PairError, TraceError
from specviz.models import CachedModel
from specviz.models.heads.block import BlockLayer, BlockReader
from specviz.models.heads.folder import BoundHead
from specviz.models.heads.frozen import Frozen
from specviz.settings import Settings
from specviz.trace.files import from_json, to_json
from specviz.trace.records import Round
from tests.helpers.heads import random_head
from tests.helpers.lossless import EXPENSIVE, error_of
from tests.helpers.planting import Plant, caught
from tests.helpers.rounds import Spy, rounds_of, text_of
from tests.helpers.tiny_models import tiny

pytestmark = pytest.mark.slow


class Slots:
    """A `specviz.models.heads.block.BlockReader` with given numbers, and the trained head that has it.

    Args:
        scores: [slots, V] of each slot.
        bias: [V, V] what each token before a slot adds; None for no Markov bias.
        sure: [V] the confidence after each token before a slot; None for no confidence head.
    """

    device = torch.device("cpu")
    taps = (1,)
    nbytes = 0
    spec: Any = None
    frozen: Any = None

    def __init__(self, scores: Tensor, bias: Tensor | None, sure: Tensor | None = None) -> None:
        self._scores, self._bias, self._sure = scores, bias, sure
        self.slots, self.vocabulary = scores.shape
        self.length = 0
        self.conditioned = bias is not None
        self.network: Any = self

    def reader(self, frozen: Any) -> "Slots":
        return self

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


# ---- stops


def farthest(confidence: Sequence[float], costs: Costs) -> int:
    """The planted bug: the best length of all, found by looking beyond slots that lower the throughput."""
    expected = [1 + sum(prod(confidence[:j]) for j in range(1, n + 1)) for n in range(len(confidence) + 1)]
    return max(range(len(expected)), key=lambda n: expected[n] / (costs.c + costs.verify(n)))


def check_stops(policy: str, costs: Costs = EXPENSIVE) -> None:
    """Where the tokens before them make slots more or less sure, the first tokens have the target's distribution."""
    target, generator = TableModel.random(3, 11), torch.Generator().manual_seed(2)
    scores, bias = (torch.randn(n, 3, generator=generator, dtype=torch.float64) for n in (2, 3))
    head = Slots(scores, bias, torch.tensor([0.7, 0.05, 0.95]))
    settings = Settings(k=2, temperature=1.0, top_k=2, max_new_tokens=3, policy=policy, threshold=0.5)
    assert error_of(target, lambda: BlockChain(head, costs), (1, 0), settings) < 1e-10


CHEAP_SECOND = Costs(c=0.1, v=(1.0, 1.9, 2.0))
"""One token is dear to verify, and a second one costs hardly more: who searches ahead sees that."""

BIASED = [
    Plant("confidence in the token itself", lambda: check_stops("confidence"), BlockChain, "_worth", "torch.cat([block.anchor, draft.tokens[:-1]])", "draft.tokens"),
    Plant("a scheduler that sees the token itself", lambda: check_stops("cost"), BlockChain, "_worth", "torch.cat([block.anchor, draft.tokens[:-1]])", "draft.tokens"),
    Plant("q without the Markov bias", lambda: check_stops("fixed"), drafting, "_drawn_chain", "drawn_from.append(q)", "drawn_from.append(warp(block.scores[slot], settings))"),
]  # fmt: skip


test_every_bias_is_noticed = caught(
    BIASED, "No sum over all branches holds where a slot's own token decides whether it is judged.", first=True
)


def test_a_scheduler_that_searches_ahead_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The confidence of slot 2 depends on the token in slot 1, so the best length of all may not decide whether slot 1 is judged."""
    check_stops("cost", CHEAP_SECOND)
    monkeypatch.setattr(drafting, "scheduled", farthest)
    with pytest.raises(AssertionError):
        check_stops("cost", CHEAP_SECOND)


# ---- heads that score some ids only

KEPT = (1, 4)
"""Of six ids those that are scored. Trees of 20 nodes need more."""
FORMATS = [(torch.float16, torch.float16), (torch.bfloat16, torch.bfloat16), (torch.float16, torch.float32)]
"""Of the scores and of the Markov bias."""


def check_unscored(scored: torch.dtype, biased: torch.dtype) -> None:
    """Chains and trees with biases from none to larger ones than any head has, as drafts and as they are recorded."""
    generator = torch.Generator().manual_seed(4)
    frozen = Frozen(
        torch.zeros(6, 2), lambda states: states, dtype=scored, vocabulary=6, own_ids=6, readable=6, tokens=torch.tensor(KEPT)
    )  # fmt: skip
    others = [token for token in range(6) if token not in KEPT]
    target = TableModel(6, lambda history: [1.0 + (token in others) for token in range(6)])
    for size in (0.0, 3000.0):
        scores = frozen.full(torch.randn(3, len(KEPT), generator=generator).to(scored))
        bias = (size * torch.randn(6, 6, generator=generator)).to(biased)
        for settings in (
            Settings(k=3, nodes=20, max_new_tokens=6),
            Settings(k=3, nodes=20, max_new_tokens=6, temperature=1.4, top_k=4, top_p=0.9),
            Settings(k=3, nodes=20, max_new_tokens=6, temperature=1.4, shared_noise=True),
        ):
            for shape in (BlockChain, BlockTree):
                drafter = shape(Slots(scores, bias))
                drafter.begin([1], 99)
                draft = drafter.propose([1], settings, SeededDraws(1), 3)
                assert draft.logits is not None
                assert set(draft.tokens.tolist()) <= set(KEPT)
                assert not draft.probabilities[:, others].any()
                assert bool(draft.logits.isfinite().all())
                assert bool((draft.logits[:, others] == torch.finfo(draft.logits.dtype).min).all())
                for round_ in speculate(target, drafter, (1, 0), settings):
                    assert from_json(Round, to_json(round_), "round") == round_


def test_an_id_that_is_not_scored_is_never_drafted() -> None:
    """Whatever the Markov bias adds, and in every number format, its q is 0, no tree has it, and every recorded score is a number."""
    for formats in FORMATS:
        check_unscored(*formats)


test_a_bias_on_the_lowest_number_is_noticed = caught(
    [Plant(str(formats), partial(check_unscored, *formats), _Block, "rows", "return biased.masked_fill(", "return biased if True else (") for formats in (FORMATS[0], FORMATS[2])],
    "Added in float16 it would give infinite scores, and trees with ids that are not scored.",
    errors=(AssertionError, TraceError),
)  # fmt: skip


# ---- the context


def real(kind: str) -> tuple[CachedModel, BoundHead]:
    """A tiny model, and a head that borrows its embedding and its output layer."""
    target = tiny("LlamaForCausalLM", 1, vocabulary=3, dtype=torch.float64)
    return target, random_head(target, kind, noise=0.7, taps=(1, 2), slots=3)


@torch.no_grad()
def one_pass(network: Any, states: Tensor, embedded: Tensor, count: int) -> Tensor:
    """[count, width] the first slots of the block after a text, from the definitions, without a cache; for heads whose queries all have a key of
    their own, none of them normalised.

    Args:
        states: [n, taps, width], what the target computed for every token before the anchor.
        embedded: [width], the embedding of the anchor.
    """
    block = network.inputs(embedded, count)
    tokens, rows = len(states), len(block)
    context, rotate, at = network.context(states), network.rotation(tokens + rows), torch.arange(tokens + rows)
    near = torch.ones(rows, rows, dtype=torch.bool)
    seen = torch.cat([near.new_ones(rows, tokens), near.tril() if network.options.causal else near], dim=-1)
    for layer in network.layers:
        assert isinstance(layer, BlockLayer)
        keys, values = (
            part.view(tokens, network.layer.kv_heads, network.layer.head_width)
            for part in functional.linear(context, layer.context_weight).chunk(2, -1)
        )

        def attend(q: Tensor, k: Tensor, v: Tensor, keys: Tensor = keys, values: Tensor = values) -> Tensor:
            scores = torch.einsum("ihd,jhd->hij", rotate(q, at[tokens:]), rotate(torch.cat([keys, k]), at))
            weights = (scores * q.shape[-1] ** -0.5).masked_fill(~seen, -torch.inf).softmax(dim=-1)
            return torch.einsum("hij,jhd->ihd", weights, torch.cat([values, v]))

        block = layer(block, attend)
    found: Tensor = network.outputs(block)
    return found


def checked_context(
    kind: str, way: str, prompt: tuple[int, ...] = (2, 0, 1), temperature: float = 1.0
) -> tuple[Round, ...]:
    """The rounds of a run after another one that was left. Every draft has the scores that the network gives in one pass over the text before it;
    those at the end of the text have fewer slots."""
    target, head = real(kind)
    watched = Spy(BlockTree(head) if way == "tree" else BlockChain(head, EXPENSIVE))
    settings = Settings(k=3, nodes=8, temperature=temperature, max_new_tokens=40, seed=1)
    next(speculate(target, watched.inner, (0, 2, 2, 1), settings))
    rounds = rounds_of(target, watched, prompt, settings)
    text = torch.tensor([*prompt, *text_of(rounds)])
    with torch.inference_mode():
        every = target.model(text[None], output_hidden_states=True).hidden_states
        states = torch.stack([every[tap][0] for tap in head.taps], dim=1)
        for (begun, limit), draft in zip(watched.asked, watched.proposed, strict=True):
            if not draft.parents:
                continue
            assert draft.logits is not None
            anchor = text[len(begun) - 1]
            slots = one_pass(head.network, states[: len(begun) - 1], head.frozen.embed(anchor), limit)
            parents = [draft.tokens[p] if p >= 0 else anchor for p in draft.parents]
            wanted = head.frozen.score(slots[[depth - 1 for depth in draft.depths]])
            bias = head.network.markov(torch.stack(parents))  # type: ignore[operator]
            assert (draft.logits - (wanted if bias is None else wanted + bias)).abs().max() < 1e-9
    return rounds


@pytest.mark.parametrize(
    ("kind", "way"), [("dflash", "chain"), ("jetspec", "tree"), ("dspark", "chain"), ("dspark", "tree")]
)
def test_the_context_through_the_cache_is_that_of_one_pass(kind: str, way: str) -> None:
    """After rounds in which none, some and all were accepted, after a prompt of one token and after another text, blocks see exactly the text
    before them, and in a causal block nothing of later slots."""
    rounds = checked_context(kind, way)
    lengths = {len(r.accepted) for r in rounds if max(depths_of(r), default=0) == 3}
    assert lengths >= {0, 1}
    assert max(lengths) > 1
    checked_context(kind, way, (1,))
    checked_context(kind, way, (0, 0, 2, 1, 1, 0), temperature=0.0)


def depths_of(round_: Round) -> list[int]:
    depths: list[int] = []
    for one in round_.drafted:
        depths.append(depths[one.parent] + 1 if one.parent >= 0 else 1)
    return depths


STALE = [
    Plant("the last rows, not the kept ones", lambda: checked_context("jetspec", "chain"), Reading, "kept_states", "states[indices[0] : indices[-1] + 1]", "states[-len(indices) :]"),
    Plant("the first rows, not the path", lambda: checked_context("jetspec", "tree"), Reading, "kept_states", "torch.tensor(indices, device=states.device)", "torch.arange(len(indices))"),
    Plant("context one position late", lambda: checked_context("jetspec", "chain"), BlockReader, "extend", "at, keys = slice(self.length, end)", "at, keys = slice(self.length + 1, end + 1)"),
    Plant("blocks one position late", lambda: checked_context("dspark", "chain"), BlockReader, "block", "at = slice(self.length, self.length + rows)", "at = slice(self.length + 1, self.length + rows + 1)"),
    Plant("no causal mask in the block", lambda: checked_context("jetspec", "chain"), BlockReader, "block", "if network.options.causal else None", "if False else None"),
    Plant("a causal mask for all", lambda: checked_context("dflash", "chain"), BlockReader, "block", "if network.options.causal else None", "if True else None"),
    Plant("a row sees the next one", lambda: checked_context("jetspec", "chain"), BlockReader, "begin", ".tril()", ".tril(1)"),
    Plant("the text before stays", lambda: checked_context("dspark", "chain"), BlockReader, "begin", "self.length = 0", "pass"),
    Plant("the block one slot off", lambda: checked_context("dspark", "chain"), BlockReader, "block", "slice(full - rows, full + self.length)", "slice(full - rows, full + self.length - 1)"),
]  # fmt: skip


test_every_wrong_context_is_noticed = caught(
    STALE,
    "Rows, positions and masks that are off by one change the scores of some draft.",
    errors=(AssertionError, PairError),
)


# ---- trees


def grown(scores: Tensor, bias: Tensor | None, settings: Settings) -> dict[tuple[int, ...], int]:
    """The paths of a tree that follows token 1."""
    drafter = BlockTree(Slots(scores, bias))
    drafter.begin([1], 99)
    draft = drafter.propose([1], settings, CertainDraws(), settings.k)
    paths: list[tuple[int, ...]] = []
    for token, parent in zip(draft.tokens.tolist(), draft.parents, strict=True):
        paths.append((*(paths[parent] if parent >= 0 else ()), token))
    return {path: index for index, path in enumerate(paths)}


@pytest.mark.parametrize("conditioned", [False, True], ids=["marginals", "conditioned"])
def test_the_tree_has_the_best_paths_of_all(conditioned: bool) -> None:
    """Of all paths through the block the tree has exactly those of the highest products, each node after its parent."""
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        scores = 2 * torch.randn(3, 5, generator=generator, dtype=torch.float64)
        bias = 2 * torch.randn(5, 5, generator=generator, dtype=torch.float64) if conditioned else torch.zeros(5, 5)
        for settings in (
            Settings(k=3, nodes=1),
            Settings(k=3, nodes=7),
            Settings(k=3, nodes=12, temperature=0.8, top_k=3),
            Settings(k=3, nodes=20, temperature=1.0, top_p=0.9),
        ):
            drawn = settings if settings.temperature else Settings(temperature=1.0)
            after = [warp(scores + bias[token], drawn).tolist() for token in range(5)]  # [token before][slot][token]
            every: dict[tuple[int, ...], float] = {}
            for path in (path for depth in (1, 2, 3) for path in product(range(5), repeat=depth)):
                steps = zip((1, *path), range(3), path)  # noqa: B905  # a path may be shorter than the block
                every[path] = prod(after[before][slot][token] for before, slot, token in steps)
            best = sorted((path for path in every if every[path] > 0), key=lambda path: -every[path])[: settings.nodes]
            assert set(grown(scores, bias if conditioned else None, settings)) == set(best)


# ---- stopping


def test_the_scheduler_stops_at_the_first_drop() -> None:
    """By hand, with c = 0.5: 1/1.5, then 1.9/1.7, then 2.71/1.9, then 2.79/2.4 is a drop; what comes after it is not asked."""
    costs = Costs(c=0.5, v=(1.0, 1.2, 1.4, 1.9, 2.0))
    assert scheduled([0.9, 0.9, 0.1, 1.0], costs) == 2
    assert scheduled([0.9, 0.9, 0.1], costs) == 2
    assert scheduled([0.1], costs) == 0
    assert scheduled([0.5, 1.0, 1.0, 1.0], Costs(c=0.1)) == 4, "where longer passes cost no more every slot pays"
    assert scheduled([], costs) == 0


def test_a_threshold_keeps_the_slots_before_the_first_unsure_one() -> None:
    """The slot of low confidence is not judged, and neither is any after it; scores that are not numbers are never sure."""
    assert above([0.9, 0.5, 0.4, 0.9], 0.5) == 2
    assert above([0.1, 0.9], 0.5) == 0
    assert above([0.9, float("nan")], 0.0) == 1
    assert above([0.9, 0.8], 0.0) == 2
