"""Claims about the network of block heads: what a slot sees, what it never sees, and what its file may say."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from specviz.models.heads.block import BlockHead, BlockReader
from specviz.models.heads.kinds import network_of
from tests.helpers.block_heads import FLAGS, Parts, one_pass, random_head, spec_of
from tests.helpers.planting import Plant, plant

WIDTH, SLOTS, TOKENS = 8, 3, 12


def head(kind: str) -> BlockHead:
    found = random_head(
        spec_of(kind, width=WIDTH, vocabulary=5, slots=SLOTS, layers=2), Parts(5, WIDTH, torch.float64)
    ).network
    assert isinstance(found, BlockHead)
    return found


def check_own_block(kind: str) -> None:
    """In a causal block a slot's state does not depend on how many slots follow it; in a bidirectional one it does. One pass without a cache reads the same."""
    network, generator = head(kind), torch.Generator().manual_seed(2)
    parts = Parts(5, WIDTH, torch.float64)
    states = torch.randn(7, 2, WIDTH, generator=generator, dtype=torch.float64)
    reader = network.reader(parts)
    with torch.inference_mode():
        reader.begin(TOKENS)
        reader.extend(states)
        every = reader.block(torch.tensor([3]), SLOTS)
        embedded = parts.embed(torch.tensor([3]))
        assert torch.allclose(one_pass(network, states, embedded, torch.tensor([7]))[0], every, atol=1e-9)
        for count in range(1, SLOTS):
            some = reader.block(torch.tensor([3]), count)
            same = (some - every[:count]).abs().amax(dim=-1) < 1e-9
            assert bool(same.all()) if network.options.causal else not bool(same.any())
        assert torch.equal(reader.block(torch.tensor([3]), SLOTS), every), "reading a block does not change the context"
        assert not torch.equal(reader.block(torch.tensor([2]), SLOTS), every)
        assert reader.length == 7


def check_rows(kind: str) -> None:
    """The slots of a causal head are the rows after the anchor's: every one depends on the learned mask, which the anchor's row does not see."""
    network, generator = head(kind), torch.Generator().manual_seed(4)
    states = torch.randn(TOKENS, 2, WIDTH, generator=generator, dtype=torch.float64)
    embedded = torch.randn(1, WIDTH, generator=generator, dtype=torch.float64)
    found = one_pass(network, states, embedded, torch.tensor([5]))[0]
    with torch.no_grad():
        network.mask.add_(1.0)
    other = one_pass(network, states, embedded, torch.tensor([5]))[0]
    assert found.shape == (SLOTS, WIDTH)
    assert bool(((found - other).abs().amax(dim=-1) > 1e-9).all())


@pytest.mark.parametrize("kind", FLAGS)
def test_what_a_slot_sees_of_its_block(kind: str) -> None:
    """In a causal block nothing of later slots; and the anchor's row is skipped."""
    check_own_block(kind)
    if head(kind).options.causal:
        check_rows(kind)


ROWS = [
    Plant("a row sees the next one", lambda: check_own_block("jetspec"), BlockReader, "begin", ".tril()", ".tril(1)"),
    Plant("a causal mask for all", lambda: check_own_block("dflash"), BlockReader, "block", "if network.options.causal else None", "if True else None"),
    Plant("the anchor's row drafts", lambda: check_rows("jetspec"), BlockHead, "outputs", "self.options.skipped :", ": self.options.slots"),
    Plant("one row too many is skipped", lambda: check_rows("jetspec"), BlockHead, "outputs", "self.options.skipped :", "self.options.skipped + 1 :"),
]  # fmt: skip


@pytest.mark.parametrize("bug", ROWS, ids=str)
def test_another_row_is_noticed(bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Off by one in the mask of the block, or in the rows that are skipped."""
    plant(bug, monkeypatch)
    with pytest.raises(AssertionError):
        bug.check()


def test_the_confidence_knows_the_token_before_a_slot() -> None:
    """It depends on the slot's state and on the token before it."""
    network = head("dspark")
    states = torch.randn(SLOTS, WIDTH, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    with torch.inference_mode():
        sure = [network.confidence(states, torch.tensor([1, previous, 1])) for previous in (0, 2)]
        assert sure[0] is not None
        assert sure[1] is not None
        assert (sure[0] != sure[1]).tolist() == [False, True, False]
        assert head("jetspec").confidence(states, torch.tensor([1, 0, 1])) is None
        with pytest.raises(ValueError, match="no Markov bias"):
            head("jetspec").reader(Parts(5, WIDTH)).bias(torch.tensor([1]))


@pytest.mark.parametrize(
    "damaged",
    [
        {"slots": 0},
        {"slots": 10**9},
        {"layers": "two"},
        {"calibration": [1.0]},
        {"calibration": {"greedy": [1.0] * 4, "sampled": [1.0]}},
        {"calibration": {"greedy": [1.0] * 4, "sampled": [0.0] * 4}},
        {"layers": 1.5},
        {"causal": 1},
        {"markov_rank": -1},
        {"colour": "red"},
    ],
    ids=str,
)
def test_impossible_options_are_refused(damaged: dict[str, Any]) -> None:
    """Before any memory is allocated, as the loader's sentence says."""
    good = spec_of("dspark", width=WIDTH, vocabulary=5, slots=2)
    with pytest.raises(ValueError, match="has options that no head of the kind dspark has"):
        network_of(replace(good, options={**good.options, **damaged}))
