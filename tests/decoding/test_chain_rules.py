"""Block verification, and sample and match: exact like the token rule, by every branch; and what each accepts of a chain."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.judge import Judgement, Rule, judge_block, judge_chain, judge_match, leftover
from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import CertainDraws, Draws
from specviz.decoding.testing import TableModel, branches
from specviz.settings import Settings
from specviz.trace.records import Verdict
from tests.helpers.oracles import largest_error, oracle_texts
from tests.helpers.rounds import rounds_of, speculated, text_of
from tests.helpers.tiny_models import fresh_logits, tiny

RULES: dict[str, Rule] = {"block": judge_block, "match": judge_match}
COSTS = Costs(c=0.3, v=(1.0, 1.2, 1.5, 1.9))


def _error(rule: str, drafter: Callable[[TableModel], Drafter], settings: Settings, ends: tuple[int, ...]) -> float:
    """The largest difference between the distribution of the shipped loop's texts and the target's own."""
    target, draft = TableModel.random(3, 11, end_ids=ends), TableModel.random(3, 12, spread=0.5)
    found = speculated(target, lambda: drafter(draft), (2, 0), settings)
    wanted = oracle_texts(lambda h: target.scores(h).tolist(), (2, 0), replace(settings, rule="exact"), target.end_ids)
    return largest_error(found, wanted)


@pytest.mark.parametrize(
    ("rule", "k", "ends", "warp"),
    [
        *((rule, 1, (1,), {"temperature": 1.5, "top_p": 0.7}) for rule in RULES),
        *((rule, 3, (1,), {"temperature": 1.0, "top_k": 2}) for rule in RULES),
        ("block", 2, (), {"temperature": 0.7}),
        ("match", 2, (), {"temperature": 0.7, "top_k": 2}),
        pytest.param("match", 2, (), {"temperature": 0.7}, marks=pytest.mark.rare),
        *(pytest.param(rule, 3, (), {"temperature": 0.7}, marks=pytest.mark.rare) for rule in RULES),
    ],
)
def test_every_branch_of_table_models(rule: str, k: int, ends: tuple[int, ...], warp: dict[str, Any]) -> None:
    """Over all possible random draws, texts of three tokens have exactly the target's joint distribution."""
    assert _error(rule, ModelDrafter, Settings(k=k, max_new_tokens=3, rule=rule, **warp), ends) < 1e-12


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("policy", ["confidence", "history", "cost"])
def test_every_branch_where_drafts_differ_in_length(rule: str, policy: str) -> None:
    """What a draft stops at may depend on the tokens that it has so far. Sample and match draws for every guess: there two tokens each are enough,
    but for one policy."""
    top_k = 2 if rule == "match" and policy != "cost" else 0
    settings = Settings(k=2, temperature=1.0, top_k=top_k, max_new_tokens=3, rule=rule, policy=policy, threshold=0.5)
    assert _error(rule, lambda draft: ModelDrafter(draft, COSTS), settings, (1,)) < 1e-12


@pytest.mark.parametrize("rule", RULES)
def test_every_branch_of_guesses_without_probabilities(rule: str) -> None:
    """q is 1 at the copied token."""
    settings = Settings(k=2, temperature=1.0, max_new_tokens=3, rule=rule, drafter="ngram")
    assert _error(rule, lambda draft: NgramDrafter(3, dtype=torch.float64), settings, ()) < 1e-12


@pytest.mark.parametrize("rule", RULES)
def test_every_branch_of_real_models(rule: str) -> None:
    """Two real Llamas with caches, whose caches a rule of another order must leave right."""
    shape: Any = {"vocabulary": 3, "layers": 1, "width": 8, "dtype": torch.float64}
    target, draft = tiny("LlamaForCausalLM", 1, **shape), tiny("LlamaForCausalLM", 2, **shape)
    settings = Settings(k=2, temperature=0.7, top_k=2 if rule == "match" else 0, max_new_tokens=3, rule=rule)
    found = speculated(target, lambda: ModelDrafter(draft), (1, 2), settings)
    wanted = oracle_texts(
        lambda ids: fresh_logits(target, ids)[-1].tolist(), (1, 2), replace(settings, rule="exact"), frozenset()
    )
    assert largest_error(found, wanted) < 1e-10


def _with_the_token_rules_residual(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """The bug: what is left after a block is drawn as if it had been judged token by token."""
    right = judge_block(draft, target, draws)
    row = int(right.closing_row)
    if row == len(draft.tokens):
        return right
    wrong = leftover(target[row], draft.probabilities[row])
    return replace(right, closing=draws.token(wrong).token, closing_from=wrong)


def _without_the_cap(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """The bug: a token that the target likes more than the draft makes up for another one without limit."""
    rows = torch.arange(len(draft.tokens))
    ratios = target[rows, draft.tokens] / draft.probabilities[rows, draft.tokens]
    right = judge_block(draft, target, draws)
    passed = draws.uniform(len(rows)) < ratios.cumprod(0).clamp(max=1.0)  # type: ignore[operator]  # they are drawn here
    row = (passed * (rows + 1)).max() if len(rows) else torch.tensor(0)
    q = torch.cat([draft.probabilities, torch.zeros_like(target[:1])])[row]
    left = leftover(target[row], q)
    return replace(right, accepted=rows < row, rejected=rows == row, closing=draws.token(left).token, closing_row=row)


def _near_and_far(first: tuple[float, ...], then: tuple[float, ...]) -> TableModel:
    """A model with one distribution after the prompt of two tokens, and another one after that."""
    return TableModel(3, lambda history: torch.tensor(first if len(history) == 2 else then, dtype=torch.float64).log())


def test_planted_bugs_are_seen() -> None:
    """Each of them changes the distribution of the text, where a likely first guess is not certain and the second is far off."""
    target, draft = _near_and_far((0.45, 0.45, 0.1), (0.6, 0.35, 0.05)), _near_and_far((0.5, 0.4, 0.1), (0.3, 0.3, 0.4))
    settings = Settings(k=2, temperature=1.0, max_new_tokens=3)
    wanted = oracle_texts(lambda h: target.scores(h).tolist(), (2, 0), settings, frozenset())
    right = speculated(target, lambda: ModelDrafter(draft), (2, 0), replace(settings, rule="block"))
    assert largest_error(right, wanted) < 1e-12
    for bug in (_with_the_token_rules_residual, _without_the_cap):
        wrong = speculated(target, lambda: ModelDrafter(draft), (2, 0), settings, rule=bug)
        assert largest_error(wrong, wanted) > 1e-3, bug


def _expected(rule: Rule, p: Tensor, q: Tensor) -> float:
    """The expected number of accepted tokens of a chain of two that is drawn from q; p and q do not depend on what came before."""

    def run(draws: Draws) -> int:
        tokens = torch.stack([draws.token(row).token for row in q])
        return int(rule(Draft(tokens, (-1, 0), q), p, draws).accepted.sum())

    return sum(branch.weight * branch.result for branch in branches(run))


@tries(max_examples=25)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_a_block_accepts_no_less(size: int, seed: int) -> None:
    """Its expected accepted length is never below the token rule's, and that of sample and match is sum p q, never above."""
    generator = torch.Generator().manual_seed(seed)
    p, q = (torch.rand(3, size, generator=generator, dtype=torch.float64) ** 3 + 1e-6 for _ in range(2))
    p, q = p / p.sum(-1, keepdim=True), (q / q.sum(-1, keepdim=True))[:2]
    token, block, match = (_expected(rule, p, q) for rule in (judge_chain, judge_block, judge_match))
    assert block >= token - 1e-12
    assert match <= token + 1e-12
    first, second = (p[:2] * q).sum(-1).tolist()
    assert match == pytest.approx(first + first * second)


def test_a_later_token_makes_up_for_an_earlier_one() -> None:
    """What the token rule rejects in half of all cases is accepted as part of a block, and the whole chain's bound is the product."""
    p = torch.tensor([[0.3, 0.7], [0.9, 0.1], [0.5, 0.5]], dtype=torch.float64)
    q = torch.tensor([[0.6, 0.4], [0.45, 0.55]], dtype=torch.float64)
    draft = Draft(torch.tensor([0, 0]), (-1, 0), q)
    assert judge_block(draft, p, CertainDraws()).bounds is not None
    bounds = judge_block(draft, p, CertainDraws()).bounds.tolist()  # type: ignore[union-attr]
    assert bounds[1] == pytest.approx(1.0)
    assert bounds[0] < 0.5


@pytest.mark.parametrize("rule", RULES)
def test_at_temperature_zero_all_rules_are_one(rule: str) -> None:
    """The same rounds, token by token, and a tree is refused."""
    target, draft = TableModel.random(5, 3), TableModel.random(5, 4, spread=2.0)
    rounds = [
        rounds_of(target, ModelDrafter(draft), (1, 2), Settings(k=3, max_new_tokens=40, rule=each))
        for each in ("exact", rule)
    ]
    assert text_of(rounds[0]) == text_of(rounds[1])
    assert [one.accepted for one in rounds[0]] == [one.accepted for one in rounds[1]]
    tree = Draft(torch.tensor([0, 1]), (-1, -1), torch.full((2, 5), 0.2))
    with pytest.raises(ValueError, match="was given a tree"):
        RULES[rule](tree, torch.full((3, 5), 0.2), CertainDraws())


def test_a_block_records_what_was_compared() -> None:
    """Every guess has its number and its bound, those after the last accepted one too; the kept prefix is the longest that passes."""
    target, draft = TableModel.random(4, 5), TableModel.random(4, 6)
    settings = Settings(k=4, temperature=1.0, max_new_tokens=60, rule="block", seed=2)
    later = 0
    for each in rounds_of(target, ModelDrafter(draft), (1, 2), settings):
        passed = [one.draw < one.bound for one in each.drafted if one.draw is not None and one.bound is not None]
        assert len(passed) == len(each.drafted)
        assert len(each.accepted) == max((index + 1 for index, yes in enumerate(passed) if yes), default=0)
        later += sum(not yes for yes in passed[: len(each.accepted)])
        assert all(one.verdict is not Verdict.REJECTED for one in each.drafted[: len(each.accepted)])
    assert later, "no token was kept for the sake of a later one"
