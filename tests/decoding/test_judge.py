"""Claims about the rules on chains and trees, by hand, and what block verification accepts of a chain; that they keep the distribution is
proved in `test_lossless.py`."""

from dataclasses import fields

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.decoding import sampling
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.judge import block
from specviz.decoding.judge import tree as tree_module
from specviz.decoding.judge.block import judge_block
from specviz.decoding.judge.chain import judge_chain
from specviz.decoding.judge.choice import judge, rule_for
from specviz.decoding.judge.tree import EXACT, judge_tree, lenient
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import CertainDraws, Drawn
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from specviz.trace.records import Verdict
from tests.helpers.lossless import error_of
from tests.helpers.planting import Plant, caught
from tests.helpers.rounds import rounds_of, text_of


class Numbers:
    """A random source with given numbers for a tree: u of every node, padded as requested, and the closing number."""

    def __init__(self, *numbers: float, closing: float = 0.5, device: str = "cpu") -> None:
        self._numbers, self._closing, self._device = numbers, closing, device

    def uniform(self, count: int) -> Tensor:
        given = [*self._numbers, *[0.0] * count][:count]
        return torch.tensor(given, dtype=torch.float64, device=self._device)

    def token(self, probabilities: Tensor) -> Drawn:
        number = torch.tensor([self._closing], dtype=torch.float64, device=self._device)
        return Drawn(sampling.token_at(probabilities, number), number[0])


SIBLING_Q = torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64)
ROOT_P = [0.25, 0.5, 0.25]


def tree(parents: tuple[int, ...], tokens: list[int], device: str = "cpu") -> tuple[Draft, Tensor]:
    """A tree of tokens that were all drawn from one q, and the target's rows: ROOT_P first, then (node + 1)/10 for token 0."""
    rows = [ROOT_P, *([(i + 1) / 10, 0.5, 0.5 - (i + 1) / 10] for i in range(len(tokens)))]
    q = SIBLING_Q.to(device).expand(len(tokens), 3)
    draft = Draft(torch.tensor(tokens, dtype=torch.long, device=device), parents, q)
    return draft, torch.tensor(rows, dtype=torch.float64, device=device)


def test_rejected_siblings_leave_the_residual_to_the_next() -> None:
    """By hand: 0 is rejected (p/q = 1/2), which leaves (0, 1, 0); then 2 has p = 0, and 1 has p = 1: p/q = 4."""
    draft, target = tree((-1, -1, -1), [0, 2, 1])
    judgement = judge_tree(draft, target, Numbers(0.6, 0.0, 0.9))
    assert judgement.rejected.tolist() == [True, True, False]
    assert judgement.accepted.tolist() == [False, False, True]
    assert judgement.target_prob.tolist() == [0.25, 0.0, 1.0]
    assert judgement.draft_prob.tolist() == [0.5, 0.25, 0.25]
    assert judgement.judged_by is not None
    assert judgement.judged_by.tolist() == [ROOT_P, [0, 1, 0], [0, 1, 0]]
    assert int(judgement.closing_row) == 3
    assert judgement.closing_from.tolist() == target[3].tolist()


def test_the_walk_goes_down_where_it_was_accepted() -> None:
    """The children of an accepted node are judged by its own row; other branches and later siblings are not judged at all."""
    draft, target = tree((-1, -1, 0, 1, 1), [0, 1, 0, 0, 1])
    judgement = judge_tree(draft, target, Numbers(0.7, 0.1, 0.0, 0.5, 0.0))
    assert judgement.accepted.tolist() == [False, True, False, False, True]
    assert judgement.rejected.tolist() == [True, False, False, True, False]
    assert judgement.target_prob.tolist() == pytest.approx([0.25, 1.0, 0.1, 0.2, 0.25 / 0.3])
    assert int(judgement.closing_row) == 5
    assert judge_tree(draft, target, Numbers(0.4, 0.0, 0.1)).accepted.tolist() == [True, False, True, False, False]


@tries(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 4))
def test_a_chain_is_a_tree(seed: int, count: int) -> None:
    """On a chain the walk gives the same decisions and numbers as the vectorised chain rule."""
    generator = torch.Generator().manual_seed(seed)
    rows = torch.rand(2 * count + 1, 4, generator=generator, dtype=torch.float64)
    rows = rows / rows.sum(dim=-1, keepdim=True)
    tokens = torch.randint(4, (count,), generator=generator)
    draft = Draft(tokens, tuple(range(-1, count - 1)), rows[:count])
    numbers = torch.rand(count, generator=generator).tolist()
    walked, at_once = (judge(draft, rows[count:], Numbers(*numbers)) for judge in (judge_tree, judge_chain))
    for name in ("accepted", "rejected", "draft_prob", "draws", "closing_row"):
        assert torch.equal(getattr(walked, name), getattr(at_once, name)), name
    assert torch.allclose(walked.target_prob, at_once.target_prob)
    assert torch.allclose(walked.closing_from, at_once.closing_from, atol=1e-12)


def test_a_tree_is_judged_without_a_look_at_the_device() -> None:
    """The complete walk runs on tensors without data, where reading a value would fail."""

    class Nothing:
        def uniform(self, count: int) -> Tensor:
            return torch.empty(count, dtype=torch.float64, device="meta")

        def token(self, probabilities: Tensor) -> Drawn:
            return Drawn(probabilities.argmax(dim=-1), self.uniform(1)[0])

    draft, target = tree((-1, -1, 0, 1, 1, 3), [0, 1, 0, 0, 1, 2], "meta")
    for criterion in (EXACT, lenient(0.5)):
        judgement = judge_tree(draft, target, Nothing(), criterion)
        assert judgement.accepted.shape == judgement.target_prob.shape == (6,)
        assert judgement.closing.shape == judgement.closing_row.shape == ()


def test_steps_that_are_left_out_on_the_cpu_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk that looks at its results and one that cannot give the same judgement, number for number."""
    for seed in range(40):
        generator = torch.Generator().manual_seed(seed)
        count = 1 + seed % 7
        parents = tuple(int(torch.randint(-1, node, (), generator=generator)) for node in range(count))
        rows = torch.rand(2 * count + 1, 4, generator=generator, dtype=torch.float64) ** 3
        rows = rows / rows.sum(dim=-1, keepdim=True)
        draft = Draft(torch.randint(4, (count,), generator=generator), parents, rows[:count])
        numbers = torch.rand(count, generator=generator).tolist()
        looking = judge_tree(draft, rows[count:], Numbers(*numbers))
        with monkeypatch.context() as patch:
            patch.setattr(tree_module, "_LOOKS", ())
            blind = judge_tree(draft, rows[count:], Numbers(*numbers))
        for field in fields(looking):
            one, other = getattr(looking, field.name), getattr(blind, field.name)
            assert one is other is None or torch.equal(one, other), field.name


def test_the_settings_choose_the_lossy_rule_and_only_that() -> None:
    """A chain is judged in one step and a tree node by node."""
    for parents, by_node in (((-1, 0), False), ((-1, -1), True)):
        draft, target = tree(parents, [0, 1])
        assert (judge(draft, target, Numbers(0.1, 0.1)).judged_by is not None) is by_node
    assert rule_for(Settings(temperature=1.0)) is judge
    draft, target = tree((-1,), [0])
    for rule, accepted in (("exact", False), ("lenient", True)):
        settings = Settings(temperature=1.0, rule=rule, lenience=0.6)
        assert rule_for(settings)(draft, target, Numbers(0.7)).accepted.tolist() == [accepted], rule


# ---- block verification


def _near_and_far(first: tuple[float, ...], then: tuple[float, ...]) -> TableModel:
    """A model with one distribution after the prompt of two tokens, and another one after that."""
    return TableModel(3, lambda history: torch.tensor(first if len(history) == 2 else then, dtype=torch.float64).log())


def check_block_distribution() -> None:
    """Where a likely first guess is not certain and the second is far off, the text has the target's own distribution."""
    target, draft = _near_and_far((0.45, 0.45, 0.1), (0.6, 0.35, 0.05)), _near_and_far((0.5, 0.4, 0.1), (0.3, 0.3, 0.4))
    settings = Settings(k=2, temperature=1.0, top_k=2, max_new_tokens=3, rule="block")
    assert error_of(target, lambda: ModelDrafter(draft), (2, 0), settings) < 1e-12


PLANTED = [
    Plant("what is left is drawn as if judged token by token", check_block_distribution, block, "judge_block", "weights.index_select(0, at)[0] * target.index_select(0, at)[0]", "target.index_select(0, at)[0]"),
    Plant("a liked token makes up for another without limit", check_block_distribution, block, "_weights", "(capped[-1] * ratio).clamp_max(1.0)", "capped[-1] * ratio"),
]  # fmt: skip
test_planted_bugs_are_seen = pytest.mark.slow(
    caught(PLANTED, "Each of them changes the distribution of the text.", first=True)
)


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
    branched = Draft(torch.tensor([0, 1]), (-1, -1), torch.full((2, 5), 0.2))
    for rule in (judge_chain, judge_block):
        with pytest.raises(ValueError, match="given a tree"):
            rule(branched, torch.full((3, 5), 0.2), CertainDraws())


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
