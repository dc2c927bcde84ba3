"""Claims about what block heads learn: a periodic text to the last token, and nothing that an off-by-one would teach them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters.block import BlockChain, BlockTree
from specviz.models.heads.block import BlockHead, BlockLayer, BlockOptions
from specviz.settings import Settings
from specviz.training.heads import block
from specviz.training.heads.block import CONFIDENCE, KINDS, LOSS, Recipe, labels_of, random_anchors
from specviz.training.heads.calibration import Sightings, joined
from specviz.training.heads.objective import TargetRows
from tests.helpers.block_heads import PERIOD, Bound, Parts, Periodic, random_head, spec_of, token_at
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of, text_of

SLOTS, RATE = 3, 1e-2
FITTED = {"dflash": 0.1, "jetspec": 0.1, "dspark": 0.03}
STEPS = {"dflash": 140, "jetspec": 140, "dspark": 200}
"""How many steps each kind needs, with some to spare."""


def recipe_of(kind: str) -> Recipe:
    recipe = KINDS[kind].losses
    assert isinstance(recipe, Recipe)
    return recipe


@cache
def target() -> Periodic:
    return Periodic()


@cache
def trained(kind: str) -> Bound:
    """A small head, trained on the periodic text for a second."""
    made = target()
    spec = spec_of(kind, width=made.width, vocabulary=made.vocabulary, slots=SLOTS, depth=3)
    rows, recipe = made.rows(24, spec.taps, 0), replace(recipe_of(kind), spacing=3)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = BlockHead(spec)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE)
    for step in range(STEPS[kind]):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - step / STEPS[kind])
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


@torch.no_grad()
def check_fits(kind: str) -> None:
    """The loss of a head that drafts every token rightly is next to nothing: whatever a head learns from is where drafting has it."""
    made = target()
    head = trained(kind)
    found = replace(recipe_of(kind), spacing=3)(head.network, made.rows(24, head.spec.taps, 999), made.parts)
    assert float(found[LOSS]) < FITTED[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_a_periodic_text_is_learnt_to_the_last_token(kind: str) -> None:
    """Where only the target's states say what follows, a head that was trained for a second drafts every token rightly, chain and tree."""
    for shape in (BlockChain, BlockTree):
        kept, drafted = kept_and_drafted(trained(kind), shape)
        assert kept == drafted > 100, shape
    check_fits(kind)


def by_definition(network: BlockHead, states: Tensor, embedded: Tensor, anchor: int) -> Tensor:
    """[slots, width] of one block, row by row, with what each row sees written out.

    Args:
        states: [n, taps, width] of the text.
        embedded: [width] the anchor's.
        anchor: its position in the text.
    """
    first = 0 if network.options.sample_from_anchor else 1
    block = torch.stack([embedded, *[network.mask] * (SLOTS + first - 1)])
    context, rotate, split = network.context(states[:anchor]), network.rotation(64), (3, network.layer.heads, -1)
    for layer in network.layers:
        assert isinstance(layer, BlockLayer)
        text = layer.queries_keys_values(context).unflatten(-1, split)
        assert layer.attention_norm is not None
        own = layer.queries_keys_values(layer.attention_norm(block)).unflatten(-1, split)
        queries, keys, values = torch.cat([text, own]).unbind(1)
        queries, keys = (rotate(each, slice(0, anchor + len(block))) for each in (queries, keys))
        read = []
        for row in range(anchor, anchor + len(block)):
            end = row + 1 if network.options.causal else anchor + len(block)
            weights = (keys[:end] * queries[row]).sum(-1) * network.layer.head_width**-0.5
            read.append((weights.softmax(0).unsqueeze(-1) * values[:end]).sum(0).flatten())
        block = block + layer.out(torch.stack(read))
        gate, up = layer.gate_up(layer.ffn_norm(block)).chunk(2, -1)
        block = block + layer.down(torch.nn.functional.silu(gate) * up)
    found: Tensor = network.norm(block)[first:]
    return found


@torch.no_grad()
def check_rows(kind: str) -> None:
    """The slots of every block, in training and while drafting, are those of the definition."""
    made, generator = target(), torch.Generator().manual_seed(6)
    spec = spec_of(kind, width=made.width, vocabulary=made.vocabulary, slots=SLOTS, depth=3, layers=2)
    network = random_head(spec, made.parts).network
    states = torch.randn(9, 2, made.width, generator=generator, dtype=torch.float64)
    ids, anchors = torch.tensor([4, 1, 0]), torch.tensor([1, 4, 8])
    parts = Parts(made.vocabulary, made.width, torch.float64)
    learnt = network(states[None], parts.embed(ids)[None], anchors[None])[0]
    reader = network.reader(parts)
    reader.begin(9)
    for token, anchor, slots in zip(ids, anchors.tolist(), learnt, strict=True):
        reader.extend(states[reader.length : anchor])
        wanted = by_definition(network, states, parts.embed(token), anchor)
        torch.testing.assert_close(slots, wanted, rtol=1e-9, atol=1e-9)
        torch.testing.assert_close(reader.block(token[None], SLOTS), wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_slot_reads_what_its_kind_says(kind: str) -> None:
    """A block has the anchor's row and a mask for every further slot; each row sees the context, and in a causal head no row after itself; the
    anchor's row drafts only in a head that says so."""
    check_rows(kind)


CALL = (Recipe, "__call__")
OFF_BY_ONE = [
    Plant("labels one token later", lambda: check_fits("dflash"), block, "labels_of", "unsqueeze(-1) + 1", "unsqueeze(-1) + 2"),
    Plant("the teacher's law one token later", lambda: check_fits("jetspec"), block, "_laws", "found.at - 1", "found.at"),
    Plant("the bias of the slot's own token", lambda: check_fits("dspark"), *CALL, "found.at - 1]", "found.at]"),
    Plant("the embedding of the token after the anchor", lambda: check_fits("dflash"), *CALL, "gather(1, anchors)", "gather(1, anchors + 1)"),
    Plant("states one token late", lambda: check_fits("jetspec"), BlockHead, "forward", "self.context(states)", "self.context(states.roll(1, 1))"),
    Plant("states one token early", lambda: check_fits("jetspec"), BlockHead, "forward", "self.context(states)", "self.context(states.roll(-1, 1))"),
    Plant("the anchor's own state in the mask", lambda: check_fits("jetspec"), BlockHead, "forward", "< anchors[..., None]", "<= anchors[..., None]"),
    Plant("blocks one position late", lambda: check_fits("dflash"), BlockHead, "forward", "anchors.unsqueeze(-1) +", "anchors.unsqueeze(-1) + 1 +"),
    Plant("a row sees the one after it", lambda: check_rows("jetspec"), BlockHead, "own_mask", "every.tril()", "every.tril(1)"),
    Plant("a row does not see itself", lambda: check_rows("jetspec"), BlockHead, "own_mask", "every.tril()", "every.tril(-1)"),
    Plant("a causal head sees its block", lambda: check_rows("jetspec"), BlockHead, "own_mask", "if self.options.causal", "if False"),
    Plant("a block is always causal", lambda: check_rows("dflash"), BlockHead, "own_mask", "if self.options.causal", "if True"),
    Plant("the anchor's row drafts", lambda: check_rows("dflash"), BlockOptions, "skipped", "else 1", "else 0"),
    Plant("the first mask drafts nothing", lambda: check_rows("jetspec"), BlockOptions, "skipped", "else 1", "else 2"),
    Plant("the anchor's row drafts nothing", lambda: check_rows("dspark"), BlockOptions, "skipped", "0 if", "1 if"),
]  # fmt: skip


@pytest.mark.parametrize("bug", OFF_BY_ONE, ids=str)
def test_every_off_by_one_is_noticed(bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A head that drafts rightly has a large loss with it, so a head that is trained with it does not draft rightly; where training and drafting
    share the mistake, so that the head could learn to live with it, its slots are not those of the definition."""
    for kind in KINDS:
        trained(kind)
    plant(bug, monkeypatch)
    with pytest.raises(AssertionError):
        bug.check()


@torch.no_grad()
def losses_of(kind: str, rows: TargetRows, tokens: Tensor | None = None) -> dict[str, float]:
    """The losses of a head with random weights."""
    made = target()
    spec = spec_of(kind, width=made.width, vocabulary=made.vocabulary, slots=SLOTS, depth=3)
    head = random_head(spec, made.parts, dtype=torch.float32)
    parts = made.parts if tokens is None else made.parts.only(tokens)
    found = replace(recipe_of(kind), spacing=5)(head.network, rows, parts)
    return {name: float(value) for name, value in found.items()}


def check_labels() -> None:
    """What the target did not write is never a label, nor is anything after it in the same block."""
    rows = target().rows(24, (1, 2), 0)
    written = rows.written.clone()
    written[:, :6] = written[:, 14:16] = written[:, 21:] = False
    rows = replace(rows, written=written)
    teaches = torch.cat([written[:, 1:], torch.zeros(len(written), 1, dtype=torch.bool)], dim=1)
    other = replace(
        rows,
        ids=torch.where(torch.arange(24) < 21, rows.ids, 0),
        final=torch.where(teaches.unsqueeze(-1), rows.final, -rows.final),
    )
    for kind in KINDS:
        assert losses_of(kind, other) == losses_of(kind, rows), kind
        assert losses_of(kind, replace(rows, final=-rows.final)) != losses_of(kind, rows), kind


MASK = Plant(
    "the mask of labels one token late", check_labels, block, "labels_of", "written[row, at]", "written[row, at - 1]"
)


def test_only_what_the_target_wrote_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prompts, padding and what follows a gap change no loss; a mask that is off by one would let them."""
    check_labels()
    plant(MASK, monkeypatch)
    with pytest.raises(AssertionError):
        check_labels()


def test_labels_end_where_the_target_did_not_write() -> None:
    """By hand: anchors 2 and 4 of a row in which token 4 and everything from 7 on was not written by the target, three slots each."""
    written = torch.tensor([[False, True, True, True, False, True, True, False]])
    rows = replace(target().rows(8, (1, 2), 0), ids=torch.arange(8)[None], written=written)
    found = labels_of(rows, torch.tensor([[2, 4]]), 3)
    assert found.some.tolist() == [[[True, False, False], [True, True, False]]]
    assert (found.at.tolist(), found.slot.tolist()) == ([3, 5, 6], [0, 0, 1])


def test_anchors_are_drawn_where_a_label_follows() -> None:
    """Every anchor of a row with enough of them is followed by a token of the target; the draw is the batch's own and has no token twice."""
    written = torch.rand(5, 60, generator=torch.Generator().manual_seed(1)) < 0.5
    drawn = [random_anchors(written, 8, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2)]
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])
    assert bool(written.gather(1, drawn[2] + 1).all())
    assert all(len(set(row)) == 8 for row in drawn[2].tolist())


def test_a_head_that_may_write_some_ids_learns_on_these() -> None:
    """With all ids listed the losses are the same as without a list; labels outside a shorter list are missed, and never learnt."""
    rows = target().rows(24, (1, 2), 0)
    for kind in KINDS:
        every = losses_of(kind, rows)
        assert losses_of(kind, rows, torch.arange(target().vocabulary)) == pytest.approx(every, abs=1e-5)
        some = losses_of(kind, rows, torch.tensor([0, 2, 5]))
        assert some[LOSS] != every[LOSS]
        assert max(some.values()) < 1e4


# ---- what the confidence is calibrated by


def sightings_of(head: Bound, rows: TargetRows) -> list[Sightings]:
    """What the calibration counts, "greedy" then "sampled", fitted texts and held ones together."""
    seen: list[Sightings] = []

    def watched(parts: Sequence[Sightings]) -> Sightings:
        seen.append(joined(parts))
        return seen[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block, "temperatures", lambda every: [1.0] * SLOTS)
        patch.setattr(block, "joined", watched)
        block.calibration(head.network, [rows], target().parts)
    return seen


@torch.no_grad()
def test_the_calibration_counts_what_the_head_would_meet() -> None:
    """Block by block and slot by slot, from the definitions: the odds, and the probability that all slots so far are accepted. A slot is met after
    the text's own tokens; at temperature 0 only while these are the target's likeliest."""
    made = target()
    spec = spec_of("dspark", width=made.width, vocabulary=made.vocabulary, slots=SLOTS, depth=3)
    head, rows = random_head(spec, made.parts, dtype=torch.float32), made.rows(24, spec.taps, 3)
    written = rows.written.clone()
    written[:, 14:16] = False
    # Every third token is not the target's likeliest one: the greedy text ends there.
    odd = torch.arange(24) % 3 == 2
    final = torch.where(odd.unsqueeze(-1), rows.final + 15 * made.parts.head[rows.ids], rows.final)
    rows = replace(rows, written=written, final=final)
    greedy, sampled = sightings_of(head, rows)
    anchors = random_anchors(rows.written, greedy.odds.shape[0] // len(rows.ids), rows.generator)
    network, parts, judged = head.network, made.parts, 0
    for number, (row, anchor) in enumerate((r, int(a)) for r in range(len(rows.ids)) for a in anchors[r]):
        text, both, same, on = rows.ids[row], 1.0, 1.0, True
        states = network(rows.states[row : row + 1], parts.embed(text[anchor])[None, None], torch.tensor([[anchor]]))[
            0, 0
        ]
        for slot in range(SLOTS):
            label, before = anchor + 1 + slot, text[anchor + slot : anchor + slot + 1]
            if label >= 24 or not rows.written[row, label]:
                assert not sampled.judged[number, slot:].any()
                assert not greedy.judged[number, slot:].any()
                break
            p = parts.score(rows.final[row, label - 1]).softmax(-1)
            q = (parts.score(states[slot]) + network.markov(before)[0]).softmax(-1)
            both *= float(torch.minimum(p, q).sum())
            same *= float(p.argmax() == q.argmax())
            assert sampled.judged[number, slot]
            assert bool(greedy.judged[number, slot]) == on
            assert float(sampled.survived[number, slot]) == pytest.approx(both, abs=1e-5)
            assert float(greedy.survived[number, slot]) == same
            odds = network.confidence(states[slot : slot + 1], before)
            assert odds is not None
            assert float(sampled.odds[number, slot]) == pytest.approx(float(odds), abs=1e-4)
            on = on and int(p.argmax()) == int(text[label])
            judged += 1
    assert judged > 40
    assert 0 < int(greedy.judged.sum()) < judged
