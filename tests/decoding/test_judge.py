"""Claims about the rules on chains and trees, by hand; that they keep the distribution is proved in test_lossless."""

from dataclasses import fields

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.decoding.judge import tree as tree_module
from specviz.decoding.judge.chain import judge_chain
from specviz.decoding.judge.choice import judge, rule_for
from specviz.decoding.judge.lossy import lenient, typical
from specviz.decoding.judge.tree import EXACT, judge_tree
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import CertainDraws, Drawn, token_at
from specviz.settings import Settings


def test_a_tree_is_rejected() -> None:
    """The chain rule does not judge a draft that branches."""
    tree = Draft(torch.tensor([0, 1]), (-1, -1), torch.full((2, 3), 1 / 3))
    with pytest.raises(ValueError, match="given a tree"):
        judge_chain(tree, torch.full((3, 3), 1 / 3), CertainDraws())


class Numbers:
    """A random source with given numbers for a tree: u of every node, padded as requested, and the closing number."""

    def __init__(self, *numbers: float, closing: float = 0.5, device: str = "cpu") -> None:
        self._numbers, self._closing, self._device = numbers, closing, device

    def uniform(self, count: int) -> Tensor:
        given = [*self._numbers, *[0.0] * count][:count]
        return torch.tensor(given, dtype=torch.float64, device=self._device)

    def token(self, probabilities: Tensor) -> Drawn:
        number = torch.tensor([self._closing], dtype=torch.float64, device=self._device)
        return Drawn(token_at(probabilities, number), number[0])


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
    for criterion in (EXACT, lenient(0.5), typical()):
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


def test_the_shape_decides_between_the_exact_rules() -> None:
    """A chain is judged in one step and a tree node by node; the settings choose the lossy rules, and only those."""
    chained, target = tree((-1, 0), [0, 1])
    assert judge(chained, target, Numbers(0.1, 0.1)).judged_by is None
    branched, target = tree((-1, -1), [0, 1])
    assert judge(branched, target, Numbers(0.1, 0.1)).judged_by is not None
    assert rule_for(Settings(temperature=1.0)) is judge
    rejected_by_the_exact_rule = Numbers(0.7)
    one, target = tree((-1,), [0])
    for rule, accepted in (("exact", False), ("lenient", True), ("typical", True)):
        settings = Settings(temperature=1.0, rule=rule, lenience=0.6)
        judgement = rule_for(settings)(one, target, rejected_by_the_exact_rule)
        assert judgement.accepted.tolist() == [accepted], rule


def test_half_exact_draft_probabilities_are_compared_at_the_targets_width() -> None:
    """q in another number format than p is no error; both are compared in the wider one."""
    draft, target = tree((-1, -1), [0, 1])
    for narrow in (torch.float32, torch.float64):
        mixed = Draft(draft.tokens, draft.parents, draft.probabilities.to(narrow))
        for wide in (torch.float32, torch.float64):
            judgement = judge_tree(mixed, target.to(wide), Numbers(0.6, 0.9))
            assert judgement.accepted.tolist() == [False, True]
            assert judgement.target_prob.dtype == torch.promote_types(narrow, wide)
