"""EAGLE's training: a head must learn a periodic text to the last token, and no index may be off by one, in training or in drafting."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters.eagle import EagleDrafter, PairsOfText
from specviz.decoding.drafters.eagle_tree import EagleTreeDrafter
from specviz.decoding.protocols import Scores
from specviz.decoding.testing import TableModel
from specviz.models.heads.eagle import Eagle1Head, Eagle3Head, EagleHead, EagleReader
from specviz.models.heads.spec import Shape, Spec
from specviz.settings import Settings
from specviz.training.heads import eagle
from specviz.training.heads.objective import TargetRows, agreement
from tests.helpers.eagle import Parts, plain_scores, random_network, spec_of
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of

VOCABULARY, PERIOD, WIDTH, STEPS = 8, 3, 32, 3
SHAPE = Shape(width=WIDTH, vocabulary=VOCABULARY, depth=1, head_width=16, rope_theta=10_000.0, norm_eps=1e-6, ffn=64)
PARTS = Parts.random(VOCABULARY, WIDTH)
SPEC = spec_of("eagle3", SHAPE, (0,), steps=STEPS)
SPEC1 = spec_of("eagle1", SHAPE, (1,))
FITTED, FITTED1 = 0.05, 0.02
SCALE = 3.0
"""A final state is this many times the embedding of the token that the target would write next."""


def periodic_rows(seed: int, rows: int = 32, count: int = 12) -> TargetRows:
    """Texts of period three, each with other tokens: only the positions show what follows.

    A state shows its own token and nothing else. Every second token was written by the target; before the others, what it computed is wrong.
    """
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(VOCABULARY, (rows, PERIOD), generator=generator).repeat(1, count)[:, : count + 1]
    written = (torch.arange(count + 1) + torch.randint(2, (rows, 1), generator=generator)) % 2 == 0
    written[:, : PERIOD + 1] = False
    likeliest = torch.where(written, ids, (ids + 1) % VOCABULARY)[:, 1:]
    ids, written = ids[:, :-1].contiguous(), written[:, :-1]
    states = PARTS.embed(ids).unsqueeze(2)
    return TargetRows(ids, states, SCALE * PARTS.embed(likeliest), torch.ones_like(written), written, seed)


class PeriodicTarget(TableModel):
    """A target that repeats the token three before; its states show a token's embedding."""

    def __init__(self) -> None:
        super().__init__(VOCABULARY, lambda ids: [4.0 * (token == ids[-PERIOD:][0]) for token in range(VOCABULARY)])

    def forward(self, tokens: Tensor, parents: object = None, rows: int | None = None) -> Scores:
        scores = super().forward(tokens, parents, rows)  # type: ignore[arg-type]
        return Scores(scores.logits, PARTS.embed(tokens).unsqueeze(1))


class FinalStates(PeriodicTarget):
    """The same target; its states are those that its output layer reads."""

    def forward(self, tokens: Tensor, parents: object = None, rows: int | None = None) -> Scores:
        logits = super().forward(tokens, parents).logits
        return Scores(logits[-rows if rows else None :], SCALE * PARTS.embed(logits.argmax(-1)).unsqueeze(1))


class Bound:
    """A head with what it borrows, as a kit gives it to a drafter."""

    def __init__(self, network: EagleHead, spec: Spec = SPEC) -> None:
        self.spec, self.network, self.frozen, self.taps, self.nbytes = spec, network, PARTS, spec.taps, 0


def learnt(head: EagleHead, losses: Callable[[EagleHead, int], Tensor], steps: int) -> EagleHead:
    """The head after a second of training: `losses` of a head and of the rows of a step."""
    optimiser = torch.optim.AdamW(head.parameters(), lr=1e-2, betas=(0.9, 0.95), weight_decay=0.0, fused=True)
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = 1e-2 * min(1.0, (step + 1) / 10, 2 - 2 * step / steps)
        optimiser.zero_grad()
        torch.autograd.backward(losses(head, step))
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        optimiser.step()
    return head.eval()


def loss(head: EagleHead, seed: int) -> Tensor:
    return eagle.eagle3_losses(head, periodic_rows(seed), PARTS)[eagle.DRAFTING]


def loss1(head: EagleHead, seed: int) -> Tensor:
    rows = periodic_rows(seed)
    found = eagle.eagle1_losses(head, replace(rows, states=rows.final.unsqueeze(2)), PARTS)
    return found[eagle.STATES] + found[eagle.SCORES]


@cache
def trained(kind: str) -> EagleHead:
    """A head of EAGLE-3 or of the first EAGLE."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return learnt(Eagle3Head(SPEC), loss, 120) if kind == "eagle3" else learnt(Eagle1Head(SPEC1), loss1, 150)


def check_drafting() -> None:
    """Whatever repeats, every token that is drafted is accepted: by chains, and by the deepest path of trees."""
    for seed in range(12):
        prompt = 2 * torch.randint(VOCABULARY, (PERIOD,), generator=torch.Generator().manual_seed(99 + seed)).tolist()
        bound, chain = Bound(trained("eagle3")), Settings(k=STEPS, max_new_tokens=13)
        for round_ in rounds_of(PeriodicTarget(), EagleDrafter(bound), prompt, chain):
            assert len(round_.accepted) == len(round_.drafted), "a token of a chain was rejected"
        tree = Settings(k=STEPS, max_new_tokens=13, drafter="eagle-tree", nodes=6, children="top")
        for round_ in rounds_of(PeriodicTarget(), EagleTreeDrafter(bound), prompt, tree)[:-1]:
            assert len(round_.accepted) == STEPS, "the tree did not contain the text"


def check_fits() -> None:
    """The loss of a head that drafts every token rightly is next to nothing: whatever a head learns from is where drafting has it."""
    assert float(loss(trained("eagle3"), 999).detach()) < FITTED


def check_fits1() -> None:
    assert float(loss1(trained("eagle1"), 999).detach()) < FITTED1


PLANTED = (
    Plant(
        "states: one too far right", check_fits, eagle, "eagle3_losses", "(rows.states)", "(_ahead(rows.states, 1))"
    ),
    Plant("tokens: the state's own instead of the next", check_fits, eagle, "_guesses", "step + 1)", "step)"),
    Plant("labels: one too early", check_fits, eagle, "_laws", "rows.final[", "rows.final.roll(1, 1)["),
    Plant("labels: one too late", check_fits, eagle, "_laws", "rows.final[", "rows.final.roll(-1, 1)["),
    Plant("mask of labels: not moved", check_fits, eagle._Laws, "at", "self.label, step + 1", "self.label, step"),
    Plant("tokens: the answer itself", check_fits, eagle, "_guesses", "step + 1)", "step + 2)"),
    Plant("positions: stay in further steps", check_fits, eagle._StepAttention, "attend", "slice(step, step + count)", "slice(0, count)"),
    Plant("drafting: states of the token before", check_drafting, PairsOfText, "_states", "states[kept[0] : kept[-1] + 1]", "states.roll(1, 0)[kept[0] : kept[-1] + 1]"),
    Plant("drafting: a pair's own token", check_drafting, PairsOfText, "read", "committed[first + 1 : self._known + 1]", "committed[first : self._known]"),
    Plant("drafting: the prompt's tokens one late", check_drafting, PairsOfText, "saw", "self._prompt[1:-1]", "self._prompt[:-2]"),
    Plant("drafting: guesses one position ahead", check_drafting, EagleReader, "guess", "at if positions", "slice(at.start + 1, at.stop + 1) if positions"),
    Plant("drafting: a guess reads the text's state", check_drafting, EagleReader, "guess", "self._outputs[-1:]", "self._outputs[:1]"),
)  # fmt: skip


def test_a_head_learns_a_periodic_text() -> None:
    """After a second of training every drafted token is accepted, in chains and in trees."""
    check_drafting()
    check_fits()


ROWS, LAWS = "features = head.entering(rows.states)", "here = laws.at(0)"
PLANTED1 = (
    Plant("the state itself", check_fits1, eagle, "eagle1_losses", "_ahead(rows.final, 1)", "rows.final"),
    Plant("the state after the next", check_fits1, eagle, "eagle1_losses", "_ahead(rows.final, 1)", "_ahead(rows.final, 2)"),
    Plant("a state too far right", check_fits1, eagle, "eagle1_losses", ROWS, "features = _ahead(rows.states[..., 0, :], 1)"),
    Plant("labels and mask: one too late", check_fits1, eagle, "eagle1_losses", LAWS, "here = laws.at(1)"),
    Plant("mask of labels: not moved", check_fits1, eagle._Laws, "at", "self.label, step + 1", "self.label, step"),
    Plant("tokens: the state's own", check_fits1, eagle, "_guesses", "step + 1)", "step)"),
)  # fmt: skip


def test_eagle1_is_measured_at_further_guesses() -> None:
    """It learns one guess, and without gradients four are measured, each from the one before: the first as it learned it, without noise."""
    head, rows = Eagle1Head(SPEC1), periodic_rows(3)
    rows = replace(rows, states=rows.final.unsqueeze(2))
    names = [agreement(step + 1) for step in range(4)]
    assert [name for name in eagle.eagle1_losses(head, rows, PARTS) if name in names] == names[:1]
    with torch.no_grad():
        found = eagle.eagle1_losses(head, rows, PARTS)
        again = eagle.eagle1_losses(head, replace(rows, seed=rows.seed + 1), PARTS)
    assert [name for name in found if name in names] == names
    assert found == again


def test_eagle1_learns_a_periodic_text() -> None:
    """After a second of training it drafts two tokens from true final states: the second from its own guess of a state."""
    bound = Bound(trained("eagle1"), SPEC1)
    for seed in range(12):
        prompt = 2 * torch.randint(VOCABULARY, (PERIOD,), generator=torch.Generator().manual_seed(99 + seed)).tolist()
        for round_ in rounds_of(FinalStates(), EagleDrafter(bound), prompt, Settings(k=2, max_new_tokens=13)):
            assert len(round_.accepted) == len(round_.drafted), "a token of a chain was rejected"
    check_fits1()


@pytest.mark.parametrize("planted", [*PLANTED, *PLANTED1], ids=str)
def test_every_index_matters(planted: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one index off by one in drafting, tokens are rejected; with one off by one in training, a head that drafts rightly has a large loss, so a
    head that is trained with it does not draft rightly."""
    trained("eagle3")
    trained("eagle1")
    plant(planted, monkeypatch)
    with pytest.raises(AssertionError):
        planted.check()


def check_test(kind: str = "eagle3", **options: object) -> None:
    """Every guess of the training-time test, also for texts with padding, is what drafting from there would make, given the text's tokens."""
    parts = Parts.random(VOCABULARY, WIDTH, torch.float64)
    head = random_network(spec_of(kind, SHAPE, (0, 1) if kind == "eagle3" else (1,), steps=4, **options))
    generator = torch.Generator().manual_seed(3)
    ids = torch.randint(VOCABULARY, (2, 9), generator=generator)
    states = torch.randn(2, 9, 2, WIDTH, generator=generator, dtype=torch.float64)
    rows = TargetRows(ids, states, states[:, :, 1], ids >= 0, ids >= 0, 0)
    found = eagle._guesses(head, rows, parts, head.entering(states))
    for step, text, position in product(range(4), range(2), range(8)):
        if position + step + 1 < 9:
            tokens = ids[text, 1 : position + step + 2].tolist()
            wanted = plain_scores(head, parts, states[text, : position + 1], tokens)
            scores = parts.score(head.ready(found[step][text, position]))
            torch.testing.assert_close(scores, wanted, rtol=1e-6, atol=1e-5)


def test_the_training_time_test_is_drafting() -> None:
    """What is trained is what drafts."""
    check_test()
    check_test("mtp")
    check_test("mtp", normed=True)


def test_batches_without_labels_and_outside_labels() -> None:
    """Without a label every loss is zero and has a gradient; what the head cannot write is no label; EAGLE-1 learns too."""
    rows = periodic_rows(0)
    empty = replace(rows, written=torch.zeros_like(rows.written))
    kept = torch.tensor([1, 4, 6])
    few = Parts(PARTS.table, kept)
    for kind, taps in (("eagle3", (0,)), ("eagle1", (0,)), ("mtp", (0,))):
        head = random_network(spec_of(kind, SHAPE, taps, steps=2), dtype=torch.float32).requires_grad_()
        losses = eagle.KINDS[kind].losses
        assert set(losses(head, rows, PARTS)) - set(eagle.KINDS[kind].shown) <= {"drafting", "states", "scores"}
        found = losses(head, empty, PARTS)
        assert not any(value.detach().any() for value in found.values())
        torch.autograd.backward(torch.stack([value for value in found.values() if value.requires_grad]).sum())
        with torch.autocast("cpu", torch.bfloat16):  # as a training in bfloat16 does; warnings are errors here
            assert all(value.isfinite() for value in losses(head, rows, PARTS).values())
        inside = replace(rows, written=rows.written & torch.isin(rows.ids, kept))
        for name, value in losses(head, rows, few).items():
            assert torch.equal(value, losses(head, inside, few)[name])
        optimiser = torch.optim.AdamW(head.parameters(), lr=1e-2)
        values = []
        for _ in range(12):
            found = losses(head, rows, PARTS)
            total = sum(value for name, value in found.items() if name not in eagle.KINDS[kind].shown)
            assert isinstance(total, torch.Tensor)
            optimiser.zero_grad()
            torch.autograd.backward(total)
            optimiser.step()
            values.append(float(total.detach()))
        assert values[-1] < 0.8 * values[0]


def test_three_layers_are_read() -> None:
    """The layers that EAGLE-3 reads are different, and exist, in targets of every depth; in those of twelve and of thirty as published."""
    assert eagle.taps_of_eagle3(12) == (2, 6, 9)
    assert eagle.taps_of_eagle3(30) == (2, 15, 27)
    for depth in range(1, 80):
        taps = eagle.taps_of_eagle3(depth)
        assert len(set(taps)) == len(taps) >= min(depth, 2)
        assert 1 <= min(taps) <= max(taps) <= depth
