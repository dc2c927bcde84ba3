"""The proof that speculation keeps the target's distribution: every branch of the shipped loop, summed exactly."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.decoding.drafters.lookahead import LookaheadDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.recycling import RecyclingDrafter
from specviz.decoding.drafters.suffix import SuffixDrafter
from specviz.decoding.judge import judge_chain, residual
from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws, SeededDraws
from specviz.decoding.testing import ScriptedDrafter, TableModel, branches, distribution
from specviz.settings import Settings
from tests.helpers.oracles import chi_square, largest_error, oracle_texts
from tests.helpers.rounds import rounds_of, speculated, text_of, timeless
from tests.helpers.tiny_models import fresh_logits, tiny


def random_distribution(size: int, seed: int, zeros: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    weights = torch.rand(size, generator=generator, dtype=torch.float64) ** 3 + 1e-3
    weights[torch.randperm(size, generator=generator)[: min(zeros, size - 1)]] = 0
    return weights / weights.sum()


def first_token(p: Tensor, q: Tensor) -> Callable[[Draws], int]:
    """Draft one token from q and let the shipped rule judge it against p: the first token of the text."""
    after = torch.full_like(p, 1 / p.shape[0])

    def run(draws: Draws) -> int:
        draft = Draft(draws.token(q).token.reshape(1), (-1,), q.unsqueeze(0))
        judgement = judge_chain(draft, torch.stack([p, after]), draws)
        return int(draft.tokens[0] if judgement.accepted[0] else judgement.closing)

    return run


@tries(max_examples=150, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 3), st.integers(0, 3))
def test_one_step_identity(size: int, seed: int, p_zeros: int, q_zeros: int) -> None:
    """Σ q·min(1, p/q) + P(reject)·residual is p, by the formula and through the shipped rule."""
    p, q = random_distribution(size, seed, p_zeros), random_distribution(size, seed + 1, q_zeros)
    kept = torch.minimum(p, q)
    closing = residual(torch.stack([p, p]), q.unsqueeze(0), torch.tensor(0))
    assert (kept + (1 - kept.sum()) * closing - p).abs().max() < 1e-12
    found = distribution(first_token(p, q))
    assert max(abs(found.get(token, 0.0) - float(p[token])) for token in range(size)) < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_one_step_identity_of_equals(seed: int) -> None:
    """With p = q every draft is accepted and the result has the distribution p."""
    p = random_distribution(4, seed, 1)
    outcomes = list(branches(first_token(p, p)))
    assert len(outcomes) == 3 * 4, "three possible drafts, each accepted, each followed by one of four bonus tokens"
    found = distribution(first_token(p, p))
    assert max(abs(found.get(token, 0.0) - float(p[token])) for token in range(4)) < 1e-12


@pytest.mark.parametrize("end_ids", [(), (1,)], ids=["endless", "ending"])
@pytest.mark.parametrize(
    ("temperature", "top_k", "top_p"), [(0.7, 0, 1.0), (1.0, 2, 1.0), (1.5, 0, 0.7), (1.0, 3, 0.8)]
)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_every_branch_of_table_models(
    k: int, temperature: float, top_k: int, top_p: float, end_ids: tuple[int, ...]
) -> None:
    """Over all possible random draws, three tokens from tables have exactly the target's joint distribution."""
    target, draft = TableModel.random(3, 11, end_ids=end_ids), TableModel.random(3, 12)
    settings = Settings(k=k, temperature=temperature, top_k=top_k, top_p=top_p, max_new_tokens=3)
    found = speculated(target, lambda: ModelDrafter(draft), (2, 0), settings)
    wanted = oracle_texts(lambda h: target.scores(h).tolist(), (2, 0), settings, target.end_ids)
    assert abs(sum(found.values()) - 1) < 1e-12
    assert largest_error(found, wanted) < 1e-12


@pytest.mark.parametrize(
    ("vocabulary", "memory", "tokens", "k", "prompt"),
    [
        (4, 1, 3, 2, (0, 1, 2)),
        (2, 3, 4, 3, (1,)),
        pytest.param(2, 3, 5, 2, (0, 0), marks=pytest.mark.rare),
    ],
)
def test_every_branch_of_larger_tables(
    vocabulary: int, memory: int, tokens: int, k: int, prompt: tuple[int, ...]
) -> None:
    """Longer texts, more ids, longer drafts, prompts of one token and of several: the same exactness."""
    target = TableModel.random(vocabulary, 21, memory=memory, end_ids=(vocabulary - 1,))
    draft = TableModel.random(vocabulary, 22, memory=memory)
    settings = Settings(k=k, temperature=1.0, max_new_tokens=tokens)
    found = speculated(target, lambda: ModelDrafter(draft), prompt, settings)
    wanted = oracle_texts(lambda h: target.scores(h).tolist(), prompt, settings, target.end_ids)
    assert largest_error(found, wanted) < 1e-12


@pytest.mark.parametrize(
    ("k", "vocabulary", "warp", "end_ids"),
    [
        (1, 4, {"temperature": 1.5, "top_p": 0.7}, ()),
        (2, 4, {"temperature": 0.7}, (0, 2)),
        (2, 3, {"temperature": 0.7}, ()),
        pytest.param(3, 4, {"temperature": 1.0, "top_k": 2}, (), marks=pytest.mark.rare),
        pytest.param(3, 4, {"temperature": 1.0, "top_k": 3, "top_p": 0.8}, (0, 2), marks=pytest.mark.rare),
    ],
)
def test_every_branch_of_real_models(k: int, vocabulary: int, warp: dict[str, float], end_ids: tuple[int, ...]) -> None:
    """Two real Llamas with caches, over all possible random draws, write as plain passes without a cache do."""
    shape: Any = {"vocabulary": vocabulary, "layers": 1, "width": 8, "dtype": torch.float64}
    target, draft = tiny("LlamaForCausalLM", 1, end_ids=end_ids, **shape), tiny("LlamaForCausalLM", 2, **shape)
    settings = Settings(k=k, max_new_tokens=3, **warp)  # type: ignore[arg-type]
    found = speculated(target, lambda: ModelDrafter(draft), (1, 2), settings)
    plain = cache(lambda ids: fresh_logits(target, ids)[-1].tolist())
    assert largest_error(found, oracle_texts(plain, (1, 2), settings, target.end_ids)) < 1e-10


@pytest.mark.parametrize("kind", ["GPT2LMHeadModel", "MistralForCausalLM"])
def test_every_branch_of_other_families(kind: str) -> None:
    """The same holds for learned positions, and for a window that the text crosses."""
    target = tiny(kind, 1, vocabulary=3, layers=1, width=8, dtype=torch.float64)
    draft = tiny(kind, 2, vocabulary=3, layers=1, width=8, dtype=torch.float64)
    settings, prompt = Settings(k=2, temperature=1.0, top_k=2, max_new_tokens=3), (0, 1, 2, 1, 0, 0, 2)
    found = speculated(target, lambda: ModelDrafter(draft), prompt, settings)
    plain = cache(lambda ids: fresh_logits(target, ids)[-1].tolist())
    assert largest_error(found, oracle_texts(plain, prompt, settings)) < 1e-10


@pytest.mark.parametrize("make", [RecyclingDrafter, SuffixDrafter, LookaheadDrafter])
def test_every_branch_of_drafters_without_a_model(make: Callable[..., Drafter]) -> None:
    """A real Llama whose own scores, of rejected branches too, become the next draft; and a draft copied from prompt and text."""
    target = tiny("LlamaForCausalLM", 1, vocabulary=3, layers=1, width=8, dtype=torch.float64, end_ids=(2,))
    plain = cache(lambda ids: fresh_logits(target, ids)[-1].tolist())
    for warp in ({"temperature": 0.7}, {"temperature": 1.0, "top_k": 2}, {"temperature": 1.5, "top_p": 0.8}):
        nodes = 12 if make is LookaheadDrafter else 4
        settings = Settings(k=2, nodes=nodes, max_new_tokens=4, drafter=make.name, **warp)  # type: ignore[attr-defined,arg-type]
        for prompt in ((1,), (0, 1, 0, 1)):
            found = speculated(target, lambda: make(3, dtype=torch.float64), prompt, settings)
            assert largest_error(found, oracle_texts(plain, prompt, settings, target.end_ids)) < 1e-10


@pytest.mark.parametrize("end_ids", [(), (3,)], ids=["read back", "ending"])
def test_every_branch_with_a_draft_that_lacks_an_id(end_ids: tuple[int, ...]) -> None:
    """Where the draft's head is shorter than the vocabulary its q is 0, and the target is not truncated to fit it."""
    target = tiny("LlamaForCausalLM", 1, vocabulary=4, layers=1, width=8, dtype=torch.float64, end_ids=end_ids)
    draft = tiny("LlamaForCausalLM", 2, vocabulary=4, head=3, layers=1, width=8, dtype=torch.float64)
    settings = Settings(k=2, temperature=1.0, max_new_tokens=3)
    found = speculated(target, lambda: ModelDrafter(draft), (1,), settings)
    plain = cache(lambda ids: fresh_logits(target, ids)[-1].tolist())
    wanted = oracle_texts(plain, (1,), settings, target.end_ids)
    assert any(3 in text for text in wanted)
    assert largest_error(found, wanted) < 1e-10


@pytest.mark.parametrize("drafter", ["none", "certain", "same weights"])
def test_every_branch_of_other_drafters(drafter: str) -> None:
    """Plain decoding, a certain draft (q = 1) and a draft that is the target itself: all exact."""
    target = TableModel.random(3, 31, end_ids=(2,))
    make: dict[str, Callable[[], Drafter]] = {
        "none": lambda: NoDrafter(3, dtype=torch.float64),
        "certain": lambda: ScriptedDrafter(3, lambda committed: [len(committed) % 3, 0, 1]),
        "same weights": lambda: ModelDrafter(TableModel.random(3, 31)),
    }
    settings = Settings(k=3, temperature=1.5, top_p=0.9, max_new_tokens=3)
    found = speculated(target, make[drafter], (1,), settings)
    wanted = oracle_texts(lambda h: target.scores(h).tolist(), (1,), settings, target.end_ids)
    assert largest_error(found, wanted) < 1e-12


def test_temperature_zero_leaves_nothing_random() -> None:
    """At temperature 0 the same loop has one branch, whatever the random source, and it is the greedy text."""
    target, draft = TableModel.random(4, 41), TableModel.random(4, 42)
    settings = Settings(k=3, temperature=0.0, max_new_tokens=6)
    outcomes = list(branches(lambda draws: text_of(rounds_of(target, ModelDrafter(draft), (0,), settings, draws))))
    wanted = oracle_texts(lambda h: target.scores(h).tolist(), (0,), settings)
    assert [(branch.weight, branch.result) for branch in outcomes] == [(1.0, *wanted)]
    assert text_of(rounds_of(target, ModelDrafter(draft), (0,), settings)) == outcomes[0].result


@pytest.mark.parametrize("source", ["a seed for every run", "one stream"])
def test_sampled_texts_follow_the_target(source: str) -> None:
    """Texts drawn with real random numbers pass a chi-square test against the target's joint distribution."""
    target, draft = TableModel.random(3, 51, memory=1, spread=1.0), TableModel.random(3, 52, memory=1, spread=1.0)
    stream, counts = SeededDraws(7), Counter[tuple[int, ...]]()
    for seed in range(1500):
        settings = Settings(k=2, temperature=1.0, max_new_tokens=3, seed=seed)
        draws = stream if source == "one stream" else None
        counts[text_of(rounds_of(target, ModelDrafter(draft), (0,), settings, draws))] += 1
    ours, freedom = chi_square(counts, oracle_texts(lambda h: target.scores(h).tolist(), (0,), settings))
    assert freedom >= 15
    assert ours < freedom + 4 * (2 * freedom) ** 0.5
    theirs, _ = chi_square(counts, oracle_texts(lambda h: draft.scores(h).tolist(), (0,), settings))
    assert theirs > 10 * freedom, "the test can tell the target from the draft"


def test_seeds_decide_the_text() -> None:
    """Different seeds give different texts at temperature 1; the same seed repeats every record, times aside."""
    target, draft = TableModel.random(8, 61), TableModel.random(8, 62)

    def run(seed: int) -> tuple[object, ...]:
        settings = Settings(k=3, temperature=1.0, max_new_tokens=24, seed=seed)
        return timeless(rounds_of(target, ModelDrafter(draft), (0,), settings))

    assert run(5) == run(5)
    assert len({run(seed) for seed in range(10)}) == 10


def test_recorded_numbers_replay_the_branch() -> None:
    """In every branch the recorded u lies below p/q exactly where the token was accepted."""
    target, draft = TableModel.random(3, 71), TableModel.random(3, 72)
    settings = Settings(k=2, temperature=1.0, max_new_tokens=3)
    judged = 0
    for branch in branches(lambda draws: rounds_of(target, ModelDrafter(draft), (0,), settings, draws)):
        for round_ in branch.result:
            for drafted in round_.drafted[: round_.judged]:
                assert drafted.draw is not None
                q, p = drafted.qp
                below = drafted.draw < p / q
                assert below is (drafted.verdict == "accepted")
                judged += 1
    assert judged > 100
