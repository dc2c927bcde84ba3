"""Block verification: what it accepts of a chain. That it is exact is in `test_lossless.py`."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.judge.block import judge_block
from specviz.decoding.judge.chain import judge_chain
from specviz.decoding.judge.judgement import Judgement, Rule, leftover
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import CertainDraws, Draws
from specviz.decoding.testing import TableModel, branches
from specviz.settings import Settings
from specviz.trace.records import Verdict
from tests.helpers.lossless import error_of
from tests.helpers.rounds import rounds_of, text_of

pytestmark = pytest.mark.slow


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
    settings = Settings(k=2, temperature=1.0, top_k=2, max_new_tokens=3)
    for rule in (judge_block, _with_the_token_rules_residual, _without_the_cap):
        found = error_of(target, lambda: ModelDrafter(draft), (2, 0), settings, rule=rule)
        assert found < 1e-12 if rule is judge_block else found > 1e-3, rule


def _expected(rule: Rule, p: Tensor, q: Tensor) -> float:
    """The expected number of accepted tokens of a chain of two that is drawn from q; p and q do not depend on what came before."""

    def run(draws: Draws) -> int:
        tokens = torch.stack([draws.token(row).token for row in q])
        return int(rule(Draft(tokens, (-1, 0), q), p, draws).accepted.sum())

    return sum(branch.weight * branch.result for branch in branches(run))


@tries(max_examples=10)
@given(st.integers(2, 3), st.integers(0, 10**6))
def test_a_block_accepts_no_less(size: int, seed: int) -> None:
    """Its expected accepted length is never below the token rule's."""
    generator = torch.Generator().manual_seed(seed)
    p, q = (torch.rand(3, size, generator=generator, dtype=torch.float64) ** 3 + 1e-6 for _ in range(2))
    p, q = p / p.sum(-1, keepdim=True), (q / q.sum(-1, keepdim=True))[:2]
    assert _expected(judge_block, p, q) >= _expected(judge_chain, p, q) - 1e-12


def test_a_later_token_makes_up_for_an_earlier_one() -> None:
    """What the token rule rejects in half of all cases is accepted as part of a block, and the whole chain's bound is the product."""
    p = torch.tensor([[0.3, 0.7], [0.9, 0.1], [0.5, 0.5]], dtype=torch.float64)
    q = torch.tensor([[0.6, 0.4], [0.45, 0.55]], dtype=torch.float64)
    draft = Draft(torch.tensor([0, 0]), (-1, 0), q)
    assert judge_block(draft, p, CertainDraws()).bounds is not None
    bounds = judge_block(draft, p, CertainDraws()).bounds.tolist()  # type: ignore[union-attr]
    assert bounds[1] == pytest.approx(1.0)
    assert bounds[0] < 0.5


def test_at_temperature_zero_both_rules_are_one() -> None:
    """The same rounds, token by token, and a tree is refused."""
    target, draft = TableModel.random(5, 3), TableModel.random(5, 4, spread=2.0)
    rounds = [
        rounds_of(target, ModelDrafter(draft), (1, 2), Settings(k=3, max_new_tokens=40, rule=each))
        for each in ("exact", "block")
    ]
    assert text_of(rounds[0]) == text_of(rounds[1])
    assert [one.accepted for one in rounds[0]] == [one.accepted for one in rounds[1]]
    tree = Draft(torch.tensor([0, 1]), (-1, -1), torch.full((2, 5), 0.2))
    with pytest.raises(ValueError, match="was given a tree"):
        judge_block(tree, torch.full((3, 5), 0.2), CertainDraws())


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
