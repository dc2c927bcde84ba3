"""Claims about what block heads learn: a periodic text to the last token, and nothing that an off-by-one would teach them."""

from dataclasses import replace
from functools import cache

import pytest
import torch

from specviz.decoding.drafters.block import BlockChain, BlockTree
from specviz.models.heads.block import BlockHead
from specviz.settings import Settings
from specviz.training.heads import block
from specviz.training.heads.block import CONFIDENCE, DFLASH, DSPARK, JETSPEC, LOSS, Recipe
from specviz.training.heads.objective import Kind
from tests.helpers.block_heads import PERIOD, Bound, Periodic, spec_of, token_at
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of, text_of

KINDS: dict[str, Kind] = {kind.name: kind for kind in (DFLASH, JETSPEC, DSPARK)}
SLOTS, STEPS, RATE = 3, 200, 1e-2


def recipe_of(kind: str) -> Recipe:
    recipe = KINDS[kind].losses
    assert isinstance(recipe, Recipe)
    return recipe


@cache
def target() -> Periodic:
    return Periodic()


def trained(kind: str) -> Bound:
    """A small head, trained on the periodic text for a second."""
    made = target()
    spec = spec_of(kind, width=made.width, vocabulary=made.vocabulary, slots=SLOTS, depth=3)
    rows, recipe = made.rows(24, spec.taps, 0), replace(recipe_of(kind), blocks=8)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = BlockHead(spec)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE)
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - step / STEPS)
        losses = recipe(network, replace(rows, seed=step), made.parts)
        optimiser.zero_grad()
        total = torch.stack([losses[name] for name in (LOSS, CONFIDENCE) if name in losses]).sum()
        total.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return Bound(spec, network.eval(), made.parts)


def kept_and_drafted(head: Bound, shape: type[BlockChain | BlockTree] = BlockChain) -> tuple[int, int]:
    """How many tokens of the text were drafted rightly, and how many were drafted, over texts that begin in every phase."""
    kept = drafted = 0
    for phase in range(PERIOD):
        prompt = (3 + phase, *(token_at(phase, t) for t in range(1, 5)))
        settings = Settings(k=SLOTS, nodes=SLOTS, max_new_tokens=21)
        rounds = rounds_of(target(), shape(head), prompt, settings)
        assert text_of(rounds) == tuple(token_at(phase, t) for t in range(5, 26))
        kept += sum(len(r.accepted) for r in rounds)
        drafted += sum(len(r.drafted) for r in rounds)
    return kept, drafted


def check_learns(kind: str) -> None:
    """Every drafted token is right."""
    kept, drafted = kept_and_drafted(trained(kind))
    assert kept == drafted > 100


@pytest.mark.parametrize("kind", KINDS)
def test_a_periodic_text_is_learnt_to_the_last_token(kind: str) -> None:
    """Where only the target's states say what follows, a head that was trained for a second drafts every token rightly, chain and tree."""
    head = trained(kind)
    for shape in (BlockChain, BlockTree):
        kept, drafted = kept_and_drafted(head, shape)
        assert kept == drafted > 100, shape


CALL = (Recipe, "__call__")
OFF_BY_ONE = [
    Plant("labels one token later", lambda: check_learns("dflash"), block, "labels_of", "unsqueeze(-1) + 1", "unsqueeze(-1) + 2"),
    Plant("the teacher's law one token later", lambda: check_learns("jetspec"), block, "_laws", "labels.at - 1", "labels.at"),
    Plant("the bias of the slot's own token", lambda: check_learns("dspark"), *CALL, "labels.at - 1]", "labels.at]"),
    Plant("the embedding of the token after the anchor", lambda: check_learns("dflash"), *CALL, "gather(1, anchors)", "gather(1, anchors + 1)"),
    Plant("states one token late", lambda: check_learns("jetspec"), BlockHead, "forward", "self.context(states)", "self.context(states.roll(1, 1))"),
    Plant("states one token early", lambda: check_learns("jetspec"), BlockHead, "forward", "self.context(states)", "self.context(states.roll(-1, 1))"),
    Plant("the anchor's own state in the mask", lambda: check_learns("jetspec"), BlockHead, "forward", "< anchors[..., None]", "<= anchors[..., None]"),
    Plant("blocks one position late", lambda: check_learns("dflash"), BlockHead, "forward", "anchors.unsqueeze(-1) +", "anchors.unsqueeze(-1) + 1 +"),
]  # fmt: skip


@pytest.mark.parametrize("bug", OFF_BY_ONE, ids=str)
def test_every_off_by_one_is_noticed(bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A head that was trained with it drafts wrong tokens of the periodic text."""
    plant(bug, monkeypatch)
    with pytest.raises(AssertionError):
        bug.check()
