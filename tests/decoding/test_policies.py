"""Claims about the policies: where each one stops, and what its decision depends on."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.chain import draw_chain
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.policies import Confidence, CostAware, Policy, policy_for
from specviz.decoding.sampling import CertainDraws
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from tests.helpers.rounds import rounds_of


def logits_of(*probabilities: float) -> Tensor:
    return torch.tensor([math.log(p) for p in probabilities], dtype=torch.float64)


SURE, LOW_CONFIDENCE = logits_of(0.9, 0.1), logits_of(0.55, 0.45)


def drafted(policy: Policy, rows: Sequence[Tensor], limit: int) -> tuple[int, int | None]:
    """How many tokens are drafted from these rows at temperature 0, and how many of them have been read."""
    scores = iter(rows)
    chain = draw_chain(
        lambda tokens: next(scores), torch.tensor([0]), Settings(), CertainDraws(), policy, limit, offset=0
    )
    return (0, None) if chain is None else (len(chain.draft.parents), chain.read)


def test_fixed_drafts_to_the_limit() -> None:
    """As many as allowed; the last one is not read, since nothing is drawn after it."""
    assert drafted(Policy(), [LOW_CONFIDENCE] * 4, 4) == (4, 3)
    assert drafted(Policy(), [], 0) == (0, None)


def test_confidence_stops_after_the_low_confidence_token() -> None:
    """The low-confidence token is still part of the draft, and nothing after it is read."""
    assert drafted(Confidence(0.6), [SURE, SURE, LOW_CONFIDENCE], 5) == (3, 2)
    assert drafted(Confidence(0.6), [LOW_CONFIDENCE], 5) == (1, 0)
    assert drafted(Confidence(0.5), [LOW_CONFIDENCE] * 5, 5) == (5, 4)


def test_cost_stops_before_a_pass_that_does_not_pay() -> None:
    """With v flat and c = .3, by hand: (.9^n)·(1 + .3n) exceeds .3·Σ.9^j up to n = 5, and with .55 up to n = 1."""
    reach = [0.9**n for n in range(8)]
    worth = [reach[n] * (1 + 0.3 * n) > 0.3 * sum(reach[: n + 1]) for n in range(8)]
    assert worth == [True] * 6 + [False] * 2
    assert drafted(CostAware(Costs(c=0.3)), [SURE] * 6, 9) == (6, 5)
    assert drafted(CostAware(Costs(c=0.3)), [LOW_CONFIDENCE] * 2, 9) == (2, 1)
    assert drafted(CostAware(Costs(c=1.2)), [], 9) == (0, None)


def test_cost_stops_after_a_pass_whose_token_does_not_pay() -> None:
    """Where verifying one more token is expensive, a finished pass may still show that its token is not worth verifying."""
    dear = Costs(c=0.01, v=(1.0, 1.7))
    assert drafted(CostAware(dear), [LOW_CONFIDENCE], 3) == (0, 0)
    steep = Costs(c=0.01, v=(1.0, 1.0, 1.4))
    assert drafted(CostAware(steep), [SURE, LOW_CONFIDENCE], 3) == (1, 1)


def test_an_empty_draft_is_a_plain_round() -> None:
    """Where no token is worth it the rounds are plain ones, with or without a draft pass, and nothing is read twice."""
    target = TableModel.random(4, 1)
    for costs, reads in ((Costs(2.0), False), (Costs(0.01, (1.0, 1.9)), True)):
        draft = TableModel(4, lambda history: [0.1, 0.0, 0.0, 0.0])
        settings = Settings(k=3, temperature=1.0, policy="cost", max_new_tokens=8)
        rounds = rounds_of(target, ModelDrafter(draft, costs), (0, 1), settings)
        assert [len(r.drafted) for r in rounds] == [0] * 8
        assert [len(ids) for ids in draft.passes] == [1] * (8 if reads else 1)


def test_a_fixed_draft_never_looks_at_the_scores() -> None:
    """It touches no tensor, so it never waits for the device."""
    one = policy_for(Settings())
    nothing = torch.empty(0, device="meta")
    assert one.begin(3) == 3
    assert one.admits(nothing)
    assert one.continues(nothing, nothing)
