"""The proof for the whole family: every drafter, policy and exact rule, every branch of the shipped loop, summed exactly.

On tables and on real architectures the texts have the target's own distribution, and where nothing is random they are the plain ones.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.judge.chain import judge_chain, residual
from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws
from specviz.decoding.testing import ScriptedDrafter, TableModel, branches, distribution
from specviz.models.networks.lean import LeanDecoder
from specviz.settings import Settings
from tests.helpers.lossless import EXPENSIVE, TinyModels, error_of
from tests.helpers.rounds import rounds_of, text_of
from tests.helpers.tiny_models import tiny

P, Q = (0.5, 0.3, 0.15, 0.05), (0.1, 0.2, 0.3, 0.4)
WAYS: dict[str, dict[str, Any]] = {
    "model, fixed": {},
    "model, confidence": {"policy": "confidence", "threshold": 0.5},
    "model, cost": {"policy": "cost"},
    "ngram": {"drafter": "ngram"},
    "suffix": {"drafter": "suffix"},
    "suffix-model": {"drafter": "suffix-model"},
    "tree, sampled": {"drafter": "tree", "children": "sampled", "nodes": 3},
    "tree, distinct": {"drafter": "tree", "children": "distinct", "nodes": 3},
    "tree, top": {"drafter": "tree", "children": "top", "nodes": 5},
}
"""Every way of drafting that there is on tables."""
RULED = {f"{way}, block": {**set_, "rule": "block"} for way, set_ in WAYS.items() if set_.get("drafter") != "tree"}
"""The other exact rule, which judges chains."""
DRAWN: list[tuple[int, int, int, tuple[int, ...], dict[str, Any]]] = [
    (3, 2, 3, (0, 1, 0), {"temperature": 1.0}),
    (3, 2, 3, (1,), {"temperature": 0.7, "top_k": 2}),
    (3, 1, 3, (2, 2), {"temperature": 1.5, "top_k": 2, "top_p": 0.8}),
    (2, 3, 4, (0, 1, 1, 0, 1), {"temperature": 1.0}),
]
"""Vocabulary, k, tokens, prompt and warp. Texts of three tokens have a second round after every rejection."""
REAL: dict[str, dict[str, Any]] = {
    **{name: {"drafter": name} for name in registry.names() if name != "quantized"},
    "model, block": {"rule": "block"},
    "tree, distinct": {"drafter": "tree", "children": "distinct"},
    "eagle, confidence": {"drafter": "eagle", "policy": "confidence", "threshold": 0.5},
    "eagle, cost": {"drafter": "eagle", "policy": "cost"},
    "dflash, confidence": {"drafter": "dflash", "policy": "confidence", "threshold": 0.5},
    "dspark, confidence": {"drafter": "dspark", "policy": "confidence", "threshold": 0.5},
    "dspark, cost": {"drafter": "dspark", "policy": "cost"},
}
"""Every drafter on a real model, but the copy in 8 bits."""


def lacking() -> TinyModels:
    """The draft's head is shorter than the vocabulary: its q of the last id is 0, and the target is not cut to fit it."""
    found = TinyModels.tiny("LlamaForCausalLM")
    found.draft = tiny("LlamaForCausalLM", 2, vocabulary=3, head=2, layers=1, width=8, dtype=torch.float64)
    return found


MODELS: dict[str, tuple[Callable[[], TinyModels], tuple[int, ...], dict[str, Any], float]] = {
    "Llama": (lambda: TinyModels.tiny("LlamaForCausalLM", (1,), (0, 2)), (0, 1, 0), {"temperature": 1.0, "top_k": 2}, 1e-10),
    "GPT-2": (lambda: TinyModels.tiny("GPT2LMHeadModel"), (2, 1), {"temperature": 1.5, "top_p": 0.7}, 1e-10),
    "our own decoder": (lambda: TinyModels.tiny("Qwen3ForCausalLM", (1,), dtype=torch.float32), (2, 1), {"temperature": 1.0, "top_k": 2}, 1e-5),
    "a window": (lambda: TinyModels.tiny("MistralForCausalLM"), (0, 1, 2, 1, 0, 0, 2), {"temperature": 0.7, "top_k": 2}, 1e-10),
    "a draft that lacks an id": (lacking, (1,), {"temperature": 1.0, "max_new_tokens": 2}, 1e-10),
}  # fmt: skip
"""How each is made (its heads score some ids or all), the prompt, the warp, and the error that rounding may make."""
ONE_OF_EACH = ("model", "tree, distinct", "early-exit", "medusa", "eagle-tree", "dspark-tree")
ROWS = [
    *(("Llama", way) for way in REAL if way != "early-exit"),  # only our own decoder exits early
    *(("GPT-2", way) for way in ONE_OF_EACH if way != "early-exit"),
    *(("our own decoder", way) for way in ONE_OF_EACH),
    *((model, way) for model in ("a window", "a draft that lacks an id") for way in ("model", "tree, distinct")),
]


@cache
def made(model: str) -> TinyModels:
    return MODELS[model][0]()


def drafter_on_tables(settings: Settings, draft: TableModel, costs: Costs = EXPENSIVE) -> Drafter:
    return TinyModels(draft, draft).drafter(settings, costs)


def error_on_tables(target: TableModel, draft: TableModel, prompt: tuple[int, ...], settings: Settings) -> float:
    return error_of(target, lambda: drafter_on_tables(settings, draft), prompt, settings)


def constant(probabilities: Sequence[float]) -> TableModel:
    """A model that always has this one distribution at temperature 1."""
    return TableModel(len(probabilities), lambda history: [math.log(p) for p in probabilities])


# ---- drawn texts


@pytest.mark.slow
@pytest.mark.parametrize("way", [*WAYS, *RULED])
def test_every_branch(way: str) -> None:
    """Over all possible random draws, with every drafter, policy and exact rule, the texts have the target's joint distribution. Deeper trees of
    sampled children: on real models, and in `test_known_bugs.py`."""
    chosen = {
        "model, fixed": DRAWN,
        "model, confidence": DRAWN[1:],
        "model, cost": DRAWN[1:],
        "tree, sampled": DRAWN[2:3],
    }
    for vocabulary, k, tokens, prompt, warped in chosen.get(way, DRAWN[1:3]):
        target = TableModel.random(vocabulary, 11, end_ids=(1,) if vocabulary > 2 else ())
        settings = Settings(k=k, max_new_tokens=tokens, **{**warped, **(WAYS | RULED)[way]})
        assert error_on_tables(target, TableModel.random(vocabulary, 12), prompt, settings) < 1e-10, settings


@pytest.mark.slow
@pytest.mark.parametrize(("model", "way"), ROWS)
def test_every_branch_of_real_models(model: str, way: str) -> None:
    """The same on real architectures with their caches: what they write is what plain passes without a cache write."""
    _, prompt, warped, allowed = MODELS[model]
    parts = made(model)
    assert isinstance(parts.target.network, LeanDecoder) == (model == "our own decoder")
    settings = registry.fitted(Settings(**{"k": 2, "nodes": 3, "max_new_tokens": 3, **warped, **REAL[way]}))
    assert error_of(parts.target, lambda: parts.drafter(settings), prompt, settings) < allowed


@pytest.mark.slow
def test_policies_end_drafts_of_real_models() -> None:
    """In the rows above where a policy ends drafts, some are longer than others."""
    for way in (way for way in REAL if "policy" in REAL[way]):
        settings, lengths = Settings(k=2, max_new_tokens=30, temperature=1.0, **REAL[way]), set()
        for parts in (made("Llama"), made("GPT-2")):
            rounds = rounds_of(parts.target, parts.drafter(settings), (0, 2), settings)
            lengths |= {len(round_.drafted) for round_ in rounds[:-3]}
        assert len(lengths) > 1, way


def test_every_branch_of_other_drafters() -> None:
    """Plain decoding, and a certain draft (q = 1)."""
    target, settings = (
        TableModel.random(3, 31, end_ids=(2,)),
        Settings(k=3, temperature=1.5, top_p=0.9, max_new_tokens=3),
    )
    scripted = ScriptedDrafter(3, lambda committed: [len(committed) % 3, 0, 1])
    for drafter in (NoDrafter(3, dtype=torch.float64), scripted):
        assert error_of(target, lambda: drafter, (1,), settings) < 1e-12  # noqa: B023


@pytest.mark.slow
@tries(max_examples=25, deadline=None)
@given(
    st.sampled_from(list(WAYS)),
    st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 2)),
    st.sampled_from([(), (1,)]),
    st.lists(st.integers(0, 1), min_size=1, max_size=4),
    st.fixed_dictionaries({
        "k": st.integers(1, 3), "nodes": st.integers(1, 4), "max_new_tokens": st.integers(1, 3), "threshold": st.floats(0, 1),
        "temperature": st.sampled_from([0.5, 1.0, 2.0]), "top_k": st.integers(0, 2), "top_p": st.sampled_from([0.6, 0.9, 1.0]),
    }),
)  # fmt: skip
def test_whatever_the_models_and_the_settings(
    way: str, made_by: tuple[int, int, int], end_ids: tuple[int, ...], prompt: list[int], choices: dict[str, Any]
) -> None:
    """Random models, trees, lengths, warps and endings: the distribution is the target's."""
    seed, other, memory = made_by
    target, draft = (
        TableModel.random(2, seed, memory=memory, end_ids=end_ids),
        TableModel.random(2, other, memory=memory),
    )
    assert error_on_tables(target, draft, tuple(prompt), Settings(**{**WAYS[way], **choices})) < 1e-10


def random_distribution(size: int, seed: int, zeros: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    weights = torch.rand(size, generator=generator, dtype=torch.float64) ** 3 + 1e-3
    weights[torch.randperm(size, generator=generator)[: min(zeros, size - 1)]] = 0
    return weights / weights.sum()


@tries(max_examples=40, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 3), st.integers(0, 3))
def test_one_step_identity(size: int, seed: int, p_zeros: int, q_zeros: int) -> None:
    """Σ q·min(1, p/q) + P(reject)·residual is p, by the formula and through the shipped rule."""
    p, q = random_distribution(size, seed, p_zeros), random_distribution(size, seed + 1, q_zeros)
    kept, after = torch.minimum(p, q), torch.full_like(p, 1 / size)
    closing = residual(torch.stack([p, p]), q.unsqueeze(0), torch.tensor(0))
    assert (kept + (1 - kept.sum()) * closing - p).abs().max() < 1e-12

    def first_token(draws: Draws) -> int:
        draft = Draft(draws.token(q).token.reshape(1), (-1,), q.unsqueeze(0))
        judgement = judge_chain(draft, torch.stack([p, after]), draws)
        return int(draft.tokens[0] if judgement.accepted[0] else judgement.closing)

    found = distribution(first_token)
    assert max(abs(found.get(token, 0.0) - float(p[token])) for token in range(size)) < 1e-12


def test_recorded_numbers_replay_the_branch() -> None:
    """In every branch the recorded u lies below p/q exactly where the token was accepted."""
    target, draft = TableModel.random(2, 71), TableModel.random(2, 72)
    settings, judged = Settings(k=2, temperature=1.0, max_new_tokens=3), 0
    for branch in branches(lambda draws: rounds_of(target, drafter_on_tables(settings, draft), (0,), settings, draws)):
        for round_ in branch.result:
            for drafted in round_.drafted[: round_.judged]:
                q, p = drafted.qp
                assert drafted.draw is not None
                assert (drafted.draw < p / q) is (drafted.verdict == "accepted")
                judged += 1
    assert judged > 40


# ---- where nothing is random


@pytest.mark.slow
@pytest.mark.parametrize("noise", [False, True], ids=["temperature zero", "shared noise"])
@pytest.mark.parametrize("way", WAYS)
def test_the_text_is_the_plain_one(way: str, noise: bool) -> None:
    """Every way of drafting writes what the target alone writes, whatever is accepted, to the end of the text."""
    met = {"nothing": 0, "something": 0, "all": 0, "an end": 0}
    warped: dict[str, Any] = {"temperature": 1.3, "top_p": 0.9, "shared_noise": True} if noise else {}
    texts = set()
    for seed in range(8):
        target = TableModel.random(5, seed, memory=2, spread=2.0, end_ids=(3,))
        draft = TableModel.random(5, seed if seed % 2 else seed + 1, memory=2, spread=2.0)
        larger = {"nodes": 9} if "nodes" in WAYS[way] else {}
        settings = Settings(k=1 + seed % 4, max_new_tokens=24, seed=seed, **{**WAYS[way], **larger, **warped})
        for prompt in ((0,), (0, 1)):
            rounds = rounds_of(target, drafter_on_tables(settings, draft), prompt, settings)
            text = text_of(rounds)
            assert text == text_of(rounds_of(target, NoDrafter(5), prompt, settings))
            assert all(d.draw is None and d.draft_prob in (0, 1) for r in rounds for d in r.drafted)
            texts.add(text)
            accepted = [len(each.accepted) for each in rounds if each.drafted]
            met["nothing"] += 0 in accepted
            met["something"] += any(accepted)
            met["all"] += settings.k in accepted
            met["an end"] += text[-1] == 3
    assert min(met.values()) > 0, met
    assert len(texts) > 6


# ---- the lossy rules


def first_token(**chosen: Any) -> list[float]:
    """The exact distribution of the first token with target P and draft Q."""
    settings = Settings(k=1, temperature=1.0, max_new_tokens=2, **chosen)
    target, draft = constant(P), constant(Q)
    found = distribution(
        lambda draws: text_of(rounds_of(target, drafter_on_tables(settings, draft), (0,), settings, draws))[0]
    )
    return [found.get(token, 0.0) for token in range(len(P))]


def test_lenience_misses_by_what_its_formula_says() -> None:
    """With l = 1/2 token x comes as min(q, p/l), and rejected ones (3 in 10) as (p - q)+: by hand (.34, .26, .30, .10)."""
    assert first_token() == pytest.approx(P, abs=1e-12)
    assert first_token(rule="lenient", lenience=0.5) == pytest.approx([0.34, 0.26, 0.30, 0.10], abs=1e-12)
    assert first_token(rule="lenient", lenience=1.0) == pytest.approx(P, abs=1e-12)


@pytest.mark.slow
def test_the_lossy_rule_is_lossy_in_chains_copies_and_trees() -> None:
    """It visibly misses the target's distribution in the exact sums; with l = 1 it is exact."""
    models = TableModel.random(2, 11), TableModel.random(2, 12)
    for way in ("model, fixed", "suffix", "tree, distinct"):
        settings = Settings(k=2, max_new_tokens=3, temperature=1.0, rule="lenient", lenience=0.3, **WAYS[way])
        assert error_on_tables(*models, (0, 1, 0), settings) > 0.005
        assert error_on_tables(*models, (0, 1, 0), replace(settings, lenience=1.0)) < 1e-10
