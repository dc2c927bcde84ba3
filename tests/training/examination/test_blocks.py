"""Claims about the figures of block heads: prices by hand, and what a watched chain notes."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from specviz.decoding.costs import Costs
from specviz.settings import Settings
from specviz.trace.measured import Point
from specviz.training.examination.blocks import WatchedChain, guest_costs, priced
from tests.helpers.block_heads import Given, Slots, Stated
from tests.helpers.rounds import rounds_of, text_of


def point(guests: int, tokens: int, seconds: float) -> Point:
    return Point(guests, tokens, seconds, seconds, seconds, 1, 1)


def test_the_price_of_guests_is_that_of_a_hand_count() -> None:
    """v is a pass over n + 1 tokens of each text by one over a single token of each, on the line between measured lengths; the draft pass grows
    with the texts as a pass of the target over the rows of a block does; what was not measured has no price."""
    alone = [point(1, 1, 1.0), point(1, 3, 2.0), point(1, 5, 2.0)]
    shared = [point(8, 1, 2.0), point(8, 3, 6.0), point(8, 5, 14.0)]
    costs = guest_costs(alone + shared, 8, Costs(c=0.5), 3, 4)
    assert costs is not None
    assert costs.v == (1.0, 2.0, 3.0, 5.0, 7.0)
    assert costs.c == pytest.approx(0.5 * 1.0 * (6.0 / 2.0) / 2.0)
    assert guest_costs(alone + shared[:2], 8, Costs(), 3, 4) is None
    assert guest_costs(alone, 8, Costs(), 3, 4) is None
    rounds = [SimpleNamespace(drafted=[0] * n) for n in (4, 2, 0)]
    trace: Any = SimpleNamespace(token_ids=[0] * 9, rounds=rounds)
    assert priced([trace], costs) == pytest.approx(9 / (3 * costs.c + 7.0 + 3.0 + 1.0))


def test_a_watched_chain_is_compared_after_its_own_tokens() -> None:
    """Every slot counts, those after a rejection too, and the target's scores are those after the chain's own tokens."""
    rows = 1.2 * torch.randn(4, 4, 4, generator=torch.Generator().manual_seed(11), dtype=torch.float64)
    target = Stated(4, lambda history: rows[(0, *history)[-2:]], end_ids=())
    chain: Any = WatchedChain(Given(Slots(torch.randn(3, 4, generator=torch.Generator().manual_seed(2)), None)))  # type: ignore[arg-type]  # given numbers
    text, expected = [1, 0], []
    for round_ in rounds_of(target, chain, (1, 0), Settings(k=3, temperature=0.0, max_new_tokens=12)):
        tokens = [each.token for each in round_.drafted]
        laws = [target.scores((*text, *tokens[:slot])) for slot in range(len(tokens))]
        expected += [[float(law.max() - law[token]) for law, token in zip(laws, tokens, strict=True)]] if tokens else []
        text += text_of([round_])
    assert len(expected) > 2
    assert any(gap > 0 for gaps in expected for gap in gaps)
    assert [gap for gaps in chain.gaps for gap in gaps] == pytest.approx(
        [gap for gaps in expected for gap in gaps], abs=1e-5
    )
