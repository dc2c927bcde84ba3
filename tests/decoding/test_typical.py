"""By how much the typical rule misses the target's distribution: figures computed by hand on a few tokens."""

from collections.abc import Sequence
from functools import partial

import pytest
import torch

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.judge import judge_tree, typical
from specviz.decoding.testing import TableModel, distribution
from specviz.settings import Settings
from tests.helpers.rounds import rounds_of, text_of


def table(law: Sequence[float]) -> TableModel:
    """A model with this distribution after every text."""
    return TableModel(len(law), lambda history: torch.tensor(law, dtype=torch.float64).log())


def first_token(p: Sequence[float], q: Sequence[float], *, exact: bool = False) -> list[float]:
    """The exact distribution of the first token when one token is drawn from q and judged."""
    rule, drafter = None if exact else partial(judge_tree, criterion=typical()), ModelDrafter(table(q))
    settings = Settings(k=1, temperature=1.0, max_new_tokens=2)
    found = distribution(lambda draws: text_of(rounds_of(table(p), drafter, (0,), settings, draws, rule=rule))[0])
    return [found.get(token, 0.0) for token in range(len(p))]


TYPICAL = (
    # Both tokens are far above the bar of 0.09, so everything is accepted and the draft writes: half of all texts are wrong.
    ((0.75, 0.25), (0.25, 0.75), (0.25, 0.75)),
    # H = 0.518 and 0.3·exp(-H) = 0.179, so the bar is 0.09. Only token 2 is below it. Where it was drafted (0.3) p decides: 0.2 + 0.3·0.85, and so on.
    ((0.85, 0.1, 0.05), (0.2, 0.5, 0.3), (0.455, 0.53, 0.015)),
    # H = 1.296 and 0.3·exp(-H) = 0.082: here entropy lowers the bar, token 3 is above it too, and everything is accepted.
    ((0.3, 0.3, 0.315, 0.085), (0.1, 0.1, 0.1, 0.7), (0.1, 0.1, 0.1, 0.7)),
)
"""p, q, and the distribution of the first token under the typical rule, by hand."""


def test_what_typical_acceptance_writes() -> None:
    """The distribution of a token is the one computed by hand, which is not p; the exact rule gives p with the same draft."""
    for p, q, wanted in TYPICAL:
        assert first_token(p, q) == pytest.approx(wanted, abs=1e-12)
        assert first_token(p, q, exact=True) == pytest.approx(p, abs=1e-12)
        assert sum(abs(one - other) for one, other in zip(p, wanted, strict=True)) > 0.03
