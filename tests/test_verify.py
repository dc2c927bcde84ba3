"""Claims about the chain rule and its residual; that they keep the distribution is proved in test_exactness."""

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from torch import Tensor

from specviz.protocols import Draft
from specviz.sampling import CertainDraws, Drawn, SeededDraws, token_at
from specviz.verify import Judgement, judge_chain, residual


class Given:
    """Chance that is dictated: the numbers to judge with, and the one to close with."""

    def __init__(self, numbers: list[float], closing: float = 0.5) -> None:
        self._numbers, self._closing = torch.tensor(numbers, dtype=torch.float64), closing

    def uniform(self, count: int) -> Tensor:
        assert count == len(self._numbers), "one number for every drafted token"
        return self._numbers

    def token(self, probabilities: Tensor) -> Drawn:
        number = torch.tensor([self._closing], dtype=torch.float64)
        return Drawn(token_at(probabilities, number), number[0])


def chain(tokens: list[int], rows: list[list[float]], dtype: torch.dtype = torch.float64) -> Draft:
    probabilities = torch.tensor(rows, dtype=dtype).reshape(len(tokens), -1)
    return Draft(torch.tensor(tokens, dtype=torch.long), tuple(range(-1, len(tokens) - 1)), probabilities)


Q_ROW = [0.5, 0.25, 0.25]
TARGET = torch.tensor([[0.25, 0.5, 0.25], [0.5, 0.0, 0.5], [0.25, 0.25, 0.5]], dtype=torch.float64)


def judged(numbers: list[float], closing: float = 0.5) -> Judgement:
    """Two drafted tokens 0, 0 with p/q = 1/2 and 1."""
    return judge_chain(chain([0, 0], [Q_ROW, Q_ROW]), TARGET, Given(numbers, closing))


def test_accept_below_the_ratio_only() -> None:
    """A token is accepted when u < p/q, strictly."""
    assert judged([0.49, 0.9]).accepted.tolist() == [True, True]
    assert judged([0.5, 0.9]).accepted.tolist() == [False, False]
    assert judged([0.5, 0.9]).rejected.tolist() == [True, False]


def test_nothing_behind_a_rejection_is_judged() -> None:
    """After the first no the others are neither accepted nor rejected, however good they are."""
    judgement = judge_chain(chain([0, 0], [Q_ROW, Q_ROW]), TARGET, Given([0.7, 0.0]))
    assert judgement.accepted.tolist() == [False, False]
    assert judgement.rejected.tolist() == [True, False]


def test_a_rejection_closes_from_its_own_residual() -> None:
    """The token in place of a rejected one comes from norm(max(0, p - q)) at its place, not from p."""
    judgement = judged([0.7, 0.0])
    assert judgement.closing_from.tolist() == [0, 1, 0]
    assert int(judgement.closing) == 1
    assert int(judgement.closing_row) == 0


def test_a_whole_draft_closes_from_the_row_behind_it() -> None:
    """The bonus token comes from p behind the last drafted token, untouched by q."""
    judgement = judged([0.1, 0.1], closing=0.99)
    assert torch.equal(judgement.closing_from, TARGET[2])
    assert int(judgement.closing) == 2
    assert int(judgement.closing_row) == 2
    assert float(judgement.closing_draw or 0) == 0.99


def test_recorded_probabilities_are_those_of_the_tokens() -> None:
    """q and p of each drafted token, and the numbers drawn, are what the rule used."""
    judgement = judged([0.2, 0.3])
    assert judgement.draft_prob.tolist() == [0.5, 0.5]
    assert judgement.target_prob.tolist() == [0.25, 0.5]
    assert judgement.draws is not None
    assert judgement.draws.tolist() == [0.2, 0.3]


def test_an_empty_draft_is_plain_decoding() -> None:
    """With nothing drafted the closing token comes from p."""
    empty = Draft(torch.zeros(0, dtype=torch.long), (), torch.zeros(0, 3))
    judgement = judge_chain(empty, TARGET[:1], Given([], closing=0.3))
    assert torch.equal(judgement.closing_from, TARGET[0])
    assert int(judgement.closing) == 1
    assert judgement.accepted.tolist() == judgement.rejected.tolist() == []


def test_one_hot_rows_need_no_chance() -> None:
    """At temperature 0 a token is accepted exactly when it is the target's best, and the correction is that best."""
    hot = torch.eye(3, dtype=torch.float64)
    draft = chain([1, 2, 0], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    judgement = judge_chain(draft, hot[[1, 0, 0, 2]], CertainDraws())
    assert judgement.accepted.tolist() == [True, False, False]
    assert judgement.rejected.tolist() == [False, True, False]
    assert int(judgement.closing) == 0
    assert judgement.draws is None
    assert judgement.closing_draw is None


def test_a_tree_is_refused() -> None:
    """The chain rule does not judge a draft that branches."""
    tree = Draft(torch.tensor([0, 1]), (-1, -1), torch.full((2, 3), 1 / 3))
    with pytest.raises(ValueError, match="branches"):
        judge_chain(tree, TARGET, CertainDraws())


@tries(max_examples=100, deadline=None)
@given(st.integers(0, 6), st.integers(2, 5), st.integers(0, 10**6), st.sampled_from([torch.float32, torch.float64]))
def test_shape_of_every_judgement(count: int, size: int, seed: int, dtype: torch.dtype) -> None:
    """Accepted is a prefix, at most the next one is rejected, and the closing token is possible for p."""
    generator = torch.Generator().manual_seed(seed)
    target = torch.rand(count + 1, size, generator=generator, dtype=torch.float64).pow(4).softmax(dim=-1)
    rows = torch.rand(count, size, generator=generator, dtype=dtype).pow(4).softmax(dim=-1)
    tokens = torch.randint(size, (count,), generator=generator)
    judgement = judge_chain(Draft(tokens, tuple(range(-1, count - 1)), rows), target, SeededDraws(seed))
    length = int(judgement.accepted.sum())
    assert judgement.accepted.tolist() == [place < length for place in range(count)]
    assert judgement.rejected.tolist() == [place == length for place in range(count)]
    assert int(judgement.closing_row) == length
    assert abs(float(judgement.closing_from.sum()) - 1) < 1e-6
    assert target[length, judgement.closing] > 0
    if length < count:
        assert target[length, judgement.closing] > rows[length, judgement.closing]


def test_residual_where_p_and_q_agree_within_rounding() -> None:
    """A residual that is zero everywhere falls back to p; one of pure rounding is still a distribution."""
    p = torch.tensor([[0.3, 0.7], [0.5, 0.5]])
    assert torch.equal(residual(p, p[:1], torch.tensor(0)), p[0])
    nearly = residual(p, torch.nextafter(p[:1], torch.zeros(1)), torch.tensor(0))
    assert torch.isfinite(nearly).all()
    assert float(nearly.sum()) == pytest.approx(1)


def test_residual_of_disjoint_distributions_is_the_target() -> None:
    """Where q gives nothing to what p wants, nothing is taken from p."""
    p, q = torch.tensor([[0.0, 0.4, 0.6], [1.0, 0.0, 0.0]]), torch.tensor([[1.0, 0.0, 0.0]])
    assert torch.equal(residual(p, q, torch.tensor(0)), p[0])
