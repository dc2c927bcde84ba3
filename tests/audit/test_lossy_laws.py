"""What the lossy exhibits write instead of the target's distribution, by hand on two or three tokens."""

from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.audit.zoo.exhibits import BROKEN
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Drawn, token_at


@dataclass
class Ruled:
    """Parts of a decoder of which only the rule matters."""

    rule: Any = None


def rule_of(exhibit: str) -> Any:
    parts: Any = Ruled()
    return BROKEN[exhibit](parts).rule


class Listed:
    """Uniform numbers from a list."""

    def __init__(self, numbers: tuple[float, ...]) -> None:
        self._numbers = list(numbers)

    def uniform(self, count: int) -> Tensor:
        taken, self._numbers = self._numbers[:count], self._numbers[count:]
        return torch.tensor(taken, dtype=torch.float64)

    def token(self, probabilities: Tensor) -> Drawn:
        number = self.uniform(1)
        return Drawn(token_at(probabilities, number), number[0])


def test_two_draws_for_a_shared_token() -> None:
    """Token 0 has p = 1/2 and two paths begin with it: one of two draws matches with 3/4, and after a miss it is drawn from p. 7/8 in all."""
    rule, half = rule_of("drawn-for-every-path"), torch.full((4, 2), 0.5, dtype=torch.float64)
    draft = Draft(torch.tensor([0, 0, 1]), (-1, 0, 0), half[:3], half[:3].log())
    first = []
    for numbers in product((0.25, 0.75), repeat=5):
        judged = rule(draft, half, Listed(numbers))
        first.append(0 if bool(judged.accepted[0]) else int(judged.closing))
    assert first.count(0) / len(first) == 7 / 8


def test_what_is_plausible_is_accepted() -> None:
    """The bar is min(0.09, 0.3·exp(-0.82)) = 0.09: tokens 0 and 1 are kept whatever q was, token 2 never, and then p draws."""
    rule = rule_of("typical")
    p, q = torch.tensor([[0.6, 0.35, 0.05], [0.25, 0.25, 0.5]], dtype=torch.float64)
    law = torch.zeros(3, dtype=torch.float64)
    for token in range(3):
        draft = Draft(torch.tensor([token]), (-1,), q[None], q.log()[None])
        judged = rule(draft, p.expand(2, -1), Listed((0.99, 0.5)))
        kept = bool(judged.accepted[0])
        law += q[token] * (torch.eye(3, dtype=torch.float64)[token] if kept else judged.closing_from)
    assert law.tolist() == pytest.approx([0.25 + 0.5 * 0.6, 0.25 + 0.5 * 0.35, 0.5 * 0.05])
    assert float((law - p).abs().sum()) / 2 == pytest.approx(0.075)
