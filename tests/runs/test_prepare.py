"""The proof for the whole family: every drafter, policy and rule, every branch of the shipped loop, summed exactly.

The exact ones must have the target's distribution, the lossy ones must deviate by as much as their formulas predict, and with
shared noise the text is that of plain decoding.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.lookahead import LookaheadDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.recycling import RecyclingDrafter
from specviz.decoding.drafters.suffix import SuffixDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.judge import Judgement, judge_tree
from specviz.decoding.judge.tree import EXACT, Criterion
from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws, gumbel
from specviz.decoding.testing import TableModel, distribution
from specviz.settings import Settings
from specviz.trace.records import Verdict
from tests.helpers.oracles import largest_error, oracle_texts
from tests.helpers.rounds import rounds_of, speculated, text_of

P, Q = (0.5, 0.3, 0.15, 0.05), (0.1, 0.2, 0.3, 0.4)

EXPENSIVE = Costs(c=0.3, v=(1.0, 1.2, 1.5, 1.9))
"""Costs at which the cost-aware policy stops at different positions."""

WAYS: dict[str, dict[str, Any]] = {
    "model, fixed": {},
    "model, confidence": {"policy": "confidence", "threshold": 0.5},
    "model, history": {"policy": "history"},
    "model, cost": {"policy": "cost"},
    "ngram": {"drafter": "ngram"},
    "suffix": {"drafter": "suffix"},
    "recycling": {"drafter": "recycling", "nodes": 5},
    "lookahead": {"drafter": "lookahead", "nodes": 12},
    "tree, sampled": {"drafter": "tree", "children": "sampled", "nodes": 3},
    "tree, distinct": {"drafter": "tree", "children": "distinct", "nodes": 3},
    "tree, top": {"drafter": "tree", "children": "top", "nodes": 5},
}
"""Every way of drafting that there is on tables."""
MODEL_FREE: dict[str, Callable[..., Drafter]] = {
    "ngram": NgramDrafter,
    "suffix": SuffixDrafter,
    "recycling": RecyclingDrafter,
    "lookahead": LookaheadDrafter,
}
"""The drafters that have no model."""


def drafter_of(settings: Settings, draft: TableModel, costs: Costs = EXPENSIVE) -> Drafter:
    if settings.drafter in MODEL_FREE:
        return MODEL_FREE[settings.drafter](draft.vocabulary, dtype=torch.float64)
    return TreeDrafter(draft) if settings.drafter == "tree" else ModelDrafter(draft, costs)


def error_of(target: TableModel, draft: TableModel, prompt: tuple[int, ...], settings: Settings) -> float:
    """The largest difference between what the shipped loop writes and what the target alone writes."""
    found = speculated(target, lambda: drafter_of(settings, draft), prompt, settings)
    assert abs(sum(found.values()) - 1) < 1e-10
    plain = replace(settings, rule="exact")
    return largest_error(found, oracle_texts(lambda h: target.scores(h).tolist(), prompt, plain, target.end_ids))


def constant(probabilities: Sequence[float]) -> TableModel:
    """A model that always has this one distribution at temperature 1."""
    return TableModel(len(probabilities), lambda history: [math.log(p) for p in probabilities])


# ---- the exact ones


@pytest.mark.parametrize(
    ("vocabulary", "k", "tokens", "prompt", "warp_"),
    [
        (3, 2, 3, (0, 1, 0), {"temperature": 1.0}),
        (3, 2, 3, (1,), {"temperature": 0.7, "top_k": 2}),
        (3, 1, 3, (2, 2), {"temperature": 1.5, "top_k": 2, "top_p": 0.8}),
        (2, 2, 4, (0, 1, 1, 0, 1), {"temperature": 1.0}),
    ],
)
@pytest.mark.parametrize("way", WAYS)
def test_every_branch(
    way: str, vocabulary: int, k: int, tokens: int, prompt: tuple[int, ...], warp_: dict[str, Any]
) -> None:
    """Over all possible random draws, with every drafter and policy, the texts have the target's joint distribution."""
    target = TableModel.random(vocabulary, 11, end_ids=(1,) if vocabulary > 2 else ())
    settings = Settings(k=k, max_new_tokens=tokens, **warp_, **WAYS[way])
    assert error_of(target, TableModel.random(vocabulary, 12), prompt, settings) < 1e-10


@pytest.mark.parametrize(
    ("nodes", "children"),
    [
        *[(1, "top"), (2, "top"), (4, "top"), (2, "sampled"), (3, "sampled"), (2, "distinct"), (4, "distinct")],
        pytest.param(4, "sampled", marks=pytest.mark.rare),
    ],
)
def test_every_branch_of_siblings(nodes: int, children: str) -> None:
    """One level of siblings, up to as many as there are tokens: rejected ones change p for those after them."""
    settings = Settings(k=1, nodes=nodes, temperature=1.0, children=children, drafter="tree", max_new_tokens=2)
    assert error_of(constant(P), constant(Q), (0,), settings) < 1e-10
    assert error_of(constant(Q), constant(P), (0,), settings) < 1e-10


@pytest.mark.parametrize("top_k", [1, 2])
def test_more_distinct_children_than_the_draft_has_tokens(top_k: int) -> None:
    """Once every token of the draft has been drawn, drawing starts again, and the distribution is still the target's."""
    settings = Settings(
        k=1, nodes=4, temperature=1.0, top_k=top_k, children="distinct", drafter="tree", max_new_tokens=2
    )
    assert error_of(constant(P), constant(Q), (0,), settings) < 1e-10


@pytest.mark.parametrize("prompt", [(0,), (0, 1)])
@pytest.mark.parametrize("way", WAYS)
def test_at_temperature_zero_it_is_the_greedy_text(way: str, prompt: tuple[int, ...]) -> None:
    """Without randomness every way of drafting writes what the target alone writes, whatever is accepted, to the end of the text."""
    met = {"nothing": 0, "something": 0, "all": 0, "an end": 0}
    for seed in range(12):
        target = TableModel.random(5, seed, memory=2, spread=2.0, end_ids=(3,))
        draft = TableModel.random(5, seed if seed % 2 else seed + 1, memory=2, spread=2.0)
        for k in (1, 4):
            larger = {"nodes": 9} if "nodes" in WAYS[way] else {}
            settings = Settings(k=k, max_new_tokens=24, **{**WAYS[way], **larger})
            rounds = rounds_of(target, drafter_of(settings, draft), prompt, settings)
            assert text_of(rounds) == text_of(rounds_of(target, NoDrafter(5), prompt, settings))
            accepted = [len(each.accepted) for each in rounds if each.drafted]
            met["nothing"] += 0 in accepted
            met["something"] += any(accepted)
            met["all"] += k in accepted
            met["an end"] += text_of(rounds)[-1] == 3
    assert min(met.values()) > 0, met


WAY = st.sampled_from(list(WAYS))


@tries(max_examples=60, deadline=None)
@given(
    way=WAY, seeds=st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), k=st.integers(1, 3), nodes=st.integers(1, 4),
    tokens=st.integers(1, 3), memory=st.integers(0, 2), temperature=st.sampled_from([0.5, 1.0, 2.0]), top_k=st.integers(0, 2),
    top_p=st.sampled_from([0.6, 0.9, 1.0]), threshold=st.floats(0, 1), end_ids=st.sampled_from([(), (1,)]),
    prompt=st.lists(st.integers(0, 1), min_size=1, max_size=4),
)  # fmt: skip
def test_whatever_the_models_and_the_settings(
    way: str, seeds: tuple[int, int], k: int, nodes: int, tokens: int, memory: int, temperature: float, top_k: int,
    top_p: float, threshold: float, end_ids: tuple[int, ...], prompt: list[int],
) -> None:  # fmt: skip
    """Random models, trees, lengths, warps and endings: the distribution is the target's."""
    target = TableModel.random(2, seeds[0], memory=memory, end_ids=end_ids)
    draft = TableModel.random(2, seeds[1], memory=memory)
    choices = {**WAYS[way], "nodes": nodes, "threshold": threshold}
    settings = Settings(k=k, max_new_tokens=tokens, temperature=temperature, top_k=top_k, top_p=top_p, **choices)
    assert error_of(target, draft, tuple(prompt), settings) < 1e-10


# ---- the caches


@pytest.mark.parametrize("noise", [False, True], ids=["drawn", "shared noise"])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("way", [way for way in WAYS if way not in MODEL_FREE])
def test_the_drafts_cache_is_a_prefix_of_the_text(way: str, temperature: float, noise: bool) -> None:
    """When a round begins the draft has cached only text, including all text that it had read before."""
    target, draft = TableModel.random(4, 5, memory=3), TableModel.random(4, 6, memory=3, spread=1.0)
    settings = Settings(k=4, temperature=temperature, max_new_tokens=60, shared_noise=noise, **WAYS[way])
    drafter, text, known = Watched(drafter_of(settings, draft, Costs()), draft), [2, 0, 1], 2
    rounds = rounds_of(target, drafter, tuple(text), settings)
    for round_, cached in zip(rounds, drafter.cached, strict=True):
        assert cached == tuple(text[: len(cached)])
        assert len(cached) >= known, "what was text when the last round began has been read"
        known = len(text) if round_.drafted else len(cached)
        text += round_.tokens
    assert any(len(cached) > length for cached, length in zip(drafter.cached[1:], drafter.lengths, strict=False)), (
        "drafts are reused"
    )


class Watched(Drafter):
    """A drafter that records its model's cache after the rollback of every round."""

    name = "watched"

    def __init__(self, drafter: Drafter, model: TableModel) -> None:
        self._drafter, self._model = drafter, model
        self.cached: list[tuple[int, ...]] = []
        self.lengths: list[int] = []

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._drafter.begin(prompt, capacity)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = self._drafter.propose(committed, settings, draws, limit)
        self.cached.append(self._model.kept)
        self.lengths.append(len(committed))
        return draft


# ---- shared noise


NOISY_WAYS = [
    "model, fixed",
    "model, confidence",
    "model, cost",
    "ngram",
    "suffix",
    "recycling",
    "lookahead",
    "tree, sampled",
    "tree, top",
]


def test_with_shared_noise_the_text_does_not_depend_on_the_drafter() -> None:
    """For 1,600 seeds, each with one of nine drafters, the text is the one that the noise chooses from the target alone."""
    target, draft = TableModel.random(4, 7, memory=1), TableModel.random(4, 8, memory=1)
    kept = drafted = 0
    for seed in range(1600):
        way = NOISY_WAYS[seed % len(NOISY_WAYS)]
        settings = Settings(k=2, max_new_tokens=3, temperature=1.0, shared_noise=True, seed=seed, **WAYS[way])
        wanted, history = [], [1, 0]
        for position in range(3):
            noise = gumbel(seed, position, 4, torch.device("cpu"))
            wanted.append(int((target.scores(history) + noise).argmax()))
            history.append(wanted[-1])
        rounds = rounds_of(target, drafter_of(settings, draft), (1, 0), settings)
        assert list(text_of(rounds)) == wanted
        kept += sum(len(r.accepted) for r in rounds)
        drafted += sum(len(r.drafted) for r in rounds)
    assert 0.2 < kept / drafted < 0.8, "the drafters were neither always right nor always wrong"


@pytest.mark.parametrize("way", WAYS)
def test_with_shared_noise_long_texts_are_the_plain_ones(way: str) -> None:
    """Over many rounds, and with every warp, the text and the end are those of plain decoding with the same seed."""
    target, draft = TableModel.random(5, 9, end_ids=(4,)), TableModel.random(5, 10)
    texts = set()
    for seed in range(12):
        settings = Settings(
            k=3, max_new_tokens=30, temperature=1.3, top_p=0.9, shared_noise=True, seed=seed, **WAYS[way]
        )
        plain = text_of(rounds_of(target, NoDrafter(5), (0,), settings))
        rounds = rounds_of(target, drafter_of(settings, draft), (0,), settings)
        assert text_of(rounds) == plain
        assert all(d.draw is None and d.draft_prob in (0, 1) for r in rounds for d in r.drafted)
        texts.add(plain)
    assert len(texts) > 6


# ---- the lossy ones


def first_token(settings: Settings, rule: Any = None) -> list[float]:
    """The exact distribution of the first token with target P and draft Q."""

    def run(draws: Draws) -> int:
        drafter = drafter_of(settings, constant(Q))
        return text_of(rounds_of(constant(P), drafter, (0,), settings, draws, rule=rule))[0]

    found = distribution(run)
    return [found.get(token, 0.0) for token in range(4)]


ONE = Settings(k=1, temperature=1.0, max_new_tokens=2)


def test_lenience_misses_by_what_its_formula_says() -> None:
    """With l = 1/2 token x comes as min(q, p/l), and rejected ones (3 in 10) as (p - q)+: by hand (.34, .26, .30, .10)."""
    assert first_token(ONE) == pytest.approx(P, abs=1e-12)
    assert first_token(replace(ONE, rule="lenient", lenience=0.5)) == pytest.approx([0.34, 0.26, 0.30, 0.10], abs=1e-12)
    assert first_token(replace(ONE, rule="lenient", lenience=1.0)) == pytest.approx(P, abs=1e-12)


def test_typical_acceptance_deviates_as_its_formula_predicts() -> None:
    """H(p) = 1.142, so the bound is min(.09, .0957): tokens 0 to 2 pass, 3 is drawn again from p: (.30, .32, .36, .02)."""
    assert first_token(replace(ONE, rule="typical")) == pytest.approx([0.30, 0.32, 0.36, 0.02], abs=1e-12)


def redrawn(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """The "nucleus" check of Medusa's and REST's code: every guess is compared with a fresh draw from p, and so is the closing token."""
    return judge_tree(draft, target, draws, Criterion(EXACT.bound, after_rejection=lambda p, q: p))


def test_a_fresh_draw_for_every_guess_is_lossy() -> None:
    """Guesses 0 and 1: token 0 comes as .5 + .35 * .5, token 1 as .5 * .3 + .35 * .3, and so on: (.675, .255, .0525, .0175), not p."""
    settings = replace(ONE, drafter="recycling", nodes=2)

    def first(rule: Any) -> list[float]:
        def run(draws: Draws) -> int:
            rounds = rounds_of(constant(P), RecyclingDrafter(4), (0, 0), settings, draws, rule=rule)
            assert [d.token for d in rounds[0].drafted] == [0, 1]
            return text_of(rounds)[0]

        found = distribution(run)
        return [found.get(token, 0.0) for token in range(4)]

    assert first(redrawn) == pytest.approx([0.675, 0.255, 0.0525, 0.0175], abs=1e-12)
    assert first(judge_tree) == pytest.approx(P, abs=1e-12)


def test_typical_acceptance_is_looser_where_the_target_has_high_entropy() -> None:
    """With sixteen equal tokens the bound is .3/16, below every p, so all are accepted; no number is drawn for it."""
    flat = TableModel(16, lambda history: [0.0] * 16)
    settings = Settings(k=3, temperature=1.0, max_new_tokens=16, rule="typical")
    rounds = rounds_of(flat, ModelDrafter(TableModel.random(16, 1)), (0,), settings)
    drafted = [d for r in rounds for d in r.drafted]
    assert {d.verdict for d in drafted} == {Verdict.ACCEPTED}
    assert all(d.draw is None for d in drafted)
    assert all(r.closing is not None and r.closing.draw is not None for r in rounds)


@pytest.mark.parametrize("rule", ["typical", "lenient"])
@pytest.mark.parametrize("way", WAYS)
def test_lossy_rules_are_lossy_with_every_drafter(way: str, rule: str) -> None:
    """With every drafter, a lossy rule visibly misses the target's distribution in the exact sums."""
    settings = Settings(k=2, max_new_tokens=3, temperature=1.0, rule=rule, lenience=0.3, **WAYS[way])
    assert error_of(TableModel.random(2, 11), TableModel.random(2, 12), (0, 1, 0), settings) > 0.005


@pytest.mark.parametrize("way", WAYS)
def test_full_lenience_is_the_exact_rule(way: str) -> None:
    """With l = 1 the node-by-node rule is exact for chains as for trees."""
    settings = Settings(k=2, max_new_tokens=3, temperature=1.0, rule="lenient", lenience=1.0, **WAYS[way])
    assert error_of(TableModel.random(2, 11), TableModel.random(2, 12), (0, 1, 0), settings) < 1e-10


# ---- planted bugs whose effect is known in figures


def stale(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """The planted bug: siblings without replacement, scored with the q that the first of them was drawn from."""
    q = torch.tensor(Q, dtype=torch.float64).expand_as(draft.probabilities)
    return judge_tree(replace(draft, probabilities=q), target, draws)


def test_stale_q_without_replacement() -> None:
    """Without replacement but with a stale q the first token comes as about (.441, .358, .150, .050), not as p."""
    settings = replace(ONE, drafter="tree", children="distinct", nodes=2)
    assert first_token(settings, stale) == pytest.approx([0.441, 0.358, 0.150, 0.050], abs=2e-3)
    assert first_token(settings) == pytest.approx(P, abs=1e-12)


def softmax_scored(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """The planted bug: a child that was selected, not drawn, scored with the softmax q."""
    return stale(draft, target, draws)


def test_a_certain_child_scored_with_softmax() -> None:
    """The argmax child scored with the softmax q gives (.70, .175, 0, .125); scored as certain it gives p."""
    settings = replace(ONE, drafter="tree", children="top", nodes=1)
    assert first_token(settings, softmax_scored) == pytest.approx([0.70, 0.175, 0.0, 0.125], abs=1e-12)
    assert first_token(settings) == pytest.approx(P, abs=1e-12)


class DroppingDrafter(ModelDrafter):
    """The planted bug: a drawn token is dropped for what it turned out to be."""

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = super().propose(committed, settings, draws, limit)
        return draft if not limit or int(draft.tokens[0]) == 0 else Draft(draft.tokens[:0], (), draft.probabilities[:0])


def two(drafter: Callable[[], Drafter], settings: Settings) -> list[float]:
    """The first token with p = (.7, .3) and q = (.5, .5)."""
    target = constant((0.7, 0.3))
    found = distribution(lambda draws: text_of(rounds_of(target, drafter(), (0,), settings, draws))[0])
    return [found.get(token, 0.0) for token in range(2)]


def test_a_policy_must_not_depend_on_the_token_it_admits() -> None:
    """Dropping token 1 once it is drawn gives (.85, .15); stopping after it, or before anything is drawn, gives p."""
    settings = replace(ONE, k=2, max_new_tokens=3)
    flat = (0.5, 0.5)
    assert two(lambda: DroppingDrafter(constant(flat)), settings) == pytest.approx([0.85, 0.15], abs=1e-12)
    for choices in ({"policy": "confidence", "threshold": 0.6}, {"policy": "cost"}, {"policy": "history"}):
        chosen = replace(settings, **choices)
        assert two(lambda: ModelDrafter(constant(flat), EXPENSIVE), chosen) == pytest.approx([0.7, 0.3], abs=1e-12)
