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

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.lookahead import LookaheadDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.recycling import RecyclingDrafter
from specviz.decoding.drafters.suffix import SuffixDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Drafter, Reading, Scores
from specviz.decoding.sampling import Draws, gumbel
from specviz.decoding.testing import TableModel, distribution
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Verdict
from tests.helpers.oracles import largest_error, oracle_texts
from tests.helpers.rounds import rounds_of, speculated, text_of, timeless

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


# ---- shared noise


def test_with_shared_noise_plain_text_is_what_the_noise_chooses() -> None:
    """For sixty seeds, from the definition."""
    target = TableModel.random(4, 7, memory=1)
    for seed in range(60):
        history = [1, 0]
        for position in range(6):
            noise = gumbel(seed, position, 4, torch.device("cpu"))
            history.append(int((target.scores(history) + noise).argmax()))
        settings = Settings(max_new_tokens=6, temperature=1.0, shared_noise=True, seed=seed)
        assert [1, 0, *text_of(rounds_of(target, NoDrafter(4), (1, 0), settings))] == history


@pytest.mark.parametrize("way", WAYS)
def test_with_shared_noise_long_texts_are_the_plain_ones(way: str) -> None:
    """Over many rounds, and with every warp, the text and the end are those of plain decoding with the same seed, whoever drafts: neither always
    rightly nor always wrongly."""
    target, draft = TableModel.random(5, 9, end_ids=(4,)), TableModel.random(5, 10)
    texts, kept, drafted = set(), 0, 0
    for seed in range(24):
        warp_: dict[str, Any] = {"temperature": 1.3, "top_p": (1.0, 0.9)[seed % 2], "shared_noise": True}
        settings = Settings(k=3, max_new_tokens=30, seed=seed, **warp_, **WAYS[way])
        plain = text_of(rounds_of(target, NoDrafter(5), (0,), settings))
        rounds = rounds_of(target, drafter_of(settings, draft), (0,), settings)
        assert text_of(rounds) == plain
        assert all(d.draw is None and d.draft_prob in (0, 1) for r in rounds for d in r.drafted)
        texts.add(plain)
        kept += sum(len(r.accepted) for r in rounds)
        drafted += sum(len(r.drafted) for r in rounds)
    assert len(texts) > 12
    assert 0 < kept < drafted


# ---- the lossy ones


def first_token(settings: Settings) -> list[float]:
    """The exact distribution of the first token with target P and draft Q."""

    def run(draws: Draws) -> int:
        return text_of(rounds_of(constant(P), drafter_of(settings, constant(Q)), (0,), settings, draws))[0]

    found = distribution(run)
    return [found.get(token, 0.0) for token in range(4)]


ONE = Settings(k=1, temperature=1.0, max_new_tokens=2)


def test_lenience_misses_by_what_its_formula_says() -> None:
    """With l = 1/2 token x comes as min(q, p/l), and rejected ones (3 in 10) as (p - q)+: by hand (.34, .26, .30, .10). What the typical rule
    writes, by hand: `tests/audit/test_lossy_exhibits.py`."""
    assert first_token(ONE) == pytest.approx(P, abs=1e-12)
    assert first_token(replace(ONE, rule="lenient", lenience=0.5)) == pytest.approx([0.34, 0.26, 0.30, 0.10], abs=1e-12)
    assert first_token(replace(ONE, rule="lenient", lenience=1.0)) == pytest.approx(P, abs=1e-12)


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
    """With every drafter, a lossy rule visibly misses the target's distribution in the exact sums; with l = 1 the node-by-node rule is exact."""
    settings = Settings(k=2, max_new_tokens=3, temperature=1.0, rule=rule, lenience=0.3, **WAYS[way])
    models = TableModel.random(2, 11), TableModel.random(2, 12)
    assert error_of(*models, (0, 1, 0), settings) > 0.005
    if rule == "lenient":
        assert error_of(*models, (0, 1, 0), replace(settings, lenience=1.0)) < 1e-10


# ---- one run after another

PROMPT = "Start at 13 and add 2 each time: 13, 15, 17,"


def test_a_run_does_not_depend_on_the_runs_before_it(embedded: Pair) -> None:
    """With the drafter changed in mid-visit, and with a run that was left unfinished, the same settings give the same rounds and text."""
    greedy = Settings(k=4, max_new_tokens=12)
    plain = Run(embedded, PROMPT, greedy, plain=True).finish()
    first: dict[tuple[str, float], object] = {}
    for drafter in ("recycling", "suffix", "ngram", "recycling", "suffix"):
        for temperature in (0.0, 0.9):
            settings = replace(greedy, drafter=drafter, temperature=temperature, seed=3)
            trace = Run(embedded, PROMPT, settings).finish()
            assert temperature or trace.token_ids == plain.token_ids, drafter
            assert any(r.accepted for r in trace.rounds), drafter
            rounds = timeless(trace.rounds)
            assert first.setdefault((drafter, temperature), rounds) == rounds, drafter
        left = Run(embedded, "One, two, three, one, two,", replace(greedy, drafter=drafter))
        next(left)
        next(left)


@pytest.mark.parametrize("name", MODEL_FREE)
def test_a_new_text_begins_as_with_a_new_drafter(name: str) -> None:
    """With one drafter for several texts, the last of which was left with a pass unread, nothing of one is drafted in the next."""
    target, used = TableModel.random(9, 5, memory=1), MODEL_FREE[name](9)
    settings = Settings(drafter=name, temperature=0.8, max_new_tokens=40)
    for prompt in ((1,), (2, 3, 2, 3), (1,)):
        alone = rounds_of(target, MODEL_FREE[name](9), prompt, settings)
        assert timeless(rounds_of(target, used, prompt, settings)) == timeless(alone)
        assert any(each.accepted for each in alone)
        used.saw(Reading(torch.tensor([1]), Scores(torch.eye(9)[8:]), (0,)))
