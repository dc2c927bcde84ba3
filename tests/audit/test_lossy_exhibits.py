"""By how much the lossy exhibits miss the target's distribution: figures computed by hand on a few tokens, and the exhibits' own."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import pytest
import torch
from torch import Tensor

from specviz.audit.subject import DecoderParts
from specviz.audit.zoo import rules, trees
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.judge import judge
from specviz.decoding.judge.judgement import Rule
from specviz.decoding.protocols import Draft
from specviz.decoding.testing import BranchingDraws, ScriptedDrafter, TableModel, distribution
from specviz.settings import Settings
from tests.helpers.rounds import rounds_of, text_of

# ---- typical acceptance


def table(law: Sequence[float]) -> TableModel:
    """A model with this distribution after every text."""
    return TableModel(len(law), lambda history: torch.tensor(law, dtype=torch.float64).log())


def first_token(p: Sequence[float], q: Sequence[float], *, exact: bool = False) -> list[float]:
    """The exact distribution of the first token when one token is drawn from q and judged."""
    parts = DecoderParts(table(p), ModelDrafter(table(q)))
    parts = parts if exact else rules.typical_acceptance(parts)
    settings = Settings(k=1, temperature=1.0, max_new_tokens=2)
    found = distribution(
        lambda draws: text_of(rounds_of(parts.target, parts.drafter, (0,), settings, draws, rule=parts.rule))[0]
    )
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


# ---- the target draws again for every path

TREE = Draft(torch.tensor([0, 1, 2]), (-1, 0, 0), torch.eye(3, dtype=torch.float64))
"""Two paths, 0-1 and 0-2, which share their first token."""
ROOT, AFTER_0, AFTER_01, AFTER_02 = ROWS = ((2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 1, 1))
"""p in quarters: after the text, and after each node."""


class Quarters(BranchingDraws):
    """Uniform numbers that are the middle of a quarter, each quarter a branch: exact where all probabilities are whole quarters."""

    def uniform(self, count: int) -> Tensor:
        quarters = torch.full((4,), 0.25, dtype=torch.float64)
        return torch.tensor([(int(self.token(quarters).token) + 0.5) / 4 for _ in range(count)], dtype=torch.float64)


def written(rule: Rule) -> dict[tuple[int, ...], Fraction]:
    """The exact probability of everything that a round with this tree can write."""
    target, sums = torch.tensor(ROWS, dtype=torch.float64) / 4, defaultdict[tuple[int, ...], Fraction](Fraction)
    path: list[int] | None = []
    while path is not None:
        draws = Quarters(path)
        judged = rule(TREE, target, draws)
        sums[*TREE.tokens[judged.accepted].tolist(), int(judged.closing)] += Fraction(draws.weight)
        path = draws.next_path()
    return dict(sums)


def by_hand() -> dict[tuple[int, ...], Fraction]:
    """What the exhibit writes. Each path draws its own first token, so 0 matches with 1 - (1/2)² = 3/4 where p(0) is 1/2.

    The first path matches in full with 1/2·1/2. If it does not, the second one does with 1/2·1/4. In the rest of the 3/4 only the 0 that
    they share is accepted, and otherwise nothing is. Then one more token is drawn from p as it was.
    """
    both, second = Fraction(1, 4), Fraction(3, 4) * Fraction(1, 8)
    only_0 = Fraction(3, 4) - both - second
    ends = (((0, 1), both, AFTER_01), ((0, 2), second, AFTER_02), ((0,), only_0, AFTER_0), ((), Fraction(1, 4), ROOT))
    found: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for accepted, share, row in ends:
        for token, quarters in enumerate(row):
            found[*accepted, token] += share * Fraction(quarters, 4)
    return dict(found)


def first_of(texts: dict[tuple[int, ...], Fraction]) -> list[Fraction]:
    return [sum((share for text, share in texts.items() if text[0] == token), Fraction()) for token in range(3)]


def redrawing() -> Rule:
    rule = trees.drawn_for_every_path(DecoderParts(TableModel.random(3, 1), ScriptedDrafter(3, []))).rule
    assert rule is not None
    return rule


def test_what_is_written_where_every_path_draws() -> None:
    """The shared token 0 is written with 3/4 + 1/4·1/2 = 7/8, and p gives it 1/2; the exact rule writes p with the same tree."""
    assert written(redrawing()) == by_hand()
    assert first_of(by_hand()) == [Fraction(7, 8), Fraction(1, 16), Fraction(1, 16)]
    assert first_of(written(judge)) == [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
