"""Medusa's objective: which state is paired with which label."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from specviz.models.heads.medusa import MedusaHead
from specviz.training.heads import medusa
from specviz.training.heads.objective import TargetRows, agreement
from tests.helpers.planting import Plant, plant
from tests.training.heads.helpers import PERIOD, borrowed, periodic, spec

HEADS = 3


def learnt(
    change: Callable[[TargetRows], TargetRows] = lambda rows: rows, steps: int = 60, *, soft: bool = False
) -> MedusaHead:
    """A head after a short training on these rows."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        head = MedusaHead(spec("medusa", (3,), heads=HEADS, soft=soft))
    optimiser = torch.optim.Adam(head.parameters(), lr=0.05)
    for step in range(steps):
        found = medusa.losses(head, change(periodic(1, seed=step)), borrowed())
        optimiser.zero_grad()
        found[medusa.DIVERGENCE if soft else medusa.LOSS].backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return head


def right(head: MedusaHead, says: int = 0) -> list[float]:
    """How often each position of a draft is right. The newest token is x_n, which the target has not read: the head reads f_{n-1}.

    Args:
        says: the state of a letter is that of the letter so many places on.
    """
    letters = torch.arange(PERIOD)
    scores = head(borrowed().embed((letters + says) % PERIOD), borrowed())
    return [
        float((scores[:, position].argmax(-1) == (letters + 1 + 1 + position) % PERIOD).float().mean())
        for position in range(HEADS)
    ]


@pytest.mark.parametrize("soft", [False, True])
def test_on_a_periodic_text_every_head_is_always_right(*, soft: bool) -> None:
    """Also where prompts and padding hold noise; and the objective counts the same. For the target's laws its states say the next letter."""

    def rows(given: TargetRows) -> TargetRows:
        return replace(given, final=given.final.roll(-1, 1)) if soft else given

    head = learnt(rows, soft=soft)
    assert right(head, says=int(soft)) == [1.0] * HEADS
    found = medusa.losses(head, rows(periodic(1, seed=999)), borrowed())
    assert [float(found[agreement(i + 1)]) for i in range(HEADS)] == [1.0] * HEADS
    assert float(found[medusa.DIVERGENCE if soft else medusa.LOSS].detach()) < 0.2


def test_the_law_of_every_label_is_the_one_that_it_was_drawn_from() -> None:
    """The divergence is that of a head's scores from what the target said where it wrote the label, token by token; a law one too early or too
    late is noticed."""
    rows, head = periodic(1, seed=5), learnt(steps=3, soft=True)
    own, count = borrowed(), rows.ids.shape[1]
    scores = own.score(head.moved(rows.final)).log_softmax(-1).detach()

    def wanted(shift: int) -> float:
        total = 0.0
        for i in range(HEADS):
            found = [
                float((p * (p.log() - scores[row, t, i])).sum())
                for row in range(len(rows.ids))
                for t in range(count - 2 - i)
                if rows.written[row, t + 2 + i]
                for p in [own.score(rows.final[row, t + 1 + i + shift]).softmax(-1)]
            ]
            total += 0.8**i * sum(found) / len(found)
        return total

    found = float(medusa.losses(head, rows, own)[medusa.DIVERGENCE].detach())
    assert found == pytest.approx(wanted(0), rel=1e-4)
    assert found != pytest.approx(wanted(-1), rel=1e-2)


def test_every_shift_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A head that is always right has a large loss with a label one too early or too late, with a state of the token before or after, and misses
    labels with a mask that is not moved along with them: a head that is trained so is not always right."""
    head, rows = learnt(), periodic(1, seed=999)

    def found(rows: TargetRows, name: str = medusa.LOSS) -> float:
        return float(medusa.losses(head, rows, borrowed())[name].detach())

    assert found(rows) < 0.2
    for shift in (-1, 1):
        assert found(replace(rows, final=rows.final.roll(shift, 1))) > 1, f"states moved by {shift}"
        unmasked = replace(rows, written=rows.written.roll(shift, 1))
        assert found(unmasked, agreement(1)) < 1.0, f"mask moved by {shift}"
    for ahead in (1, 3):
        monkeypatch.setattr(medusa, "AHEAD", ahead)
        assert found(rows) > 1, f"labels {ahead} ahead"


def test_what_shapes_the_tree_is_counted_at_the_same_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of heads that are always right the first rank has every label, and no further rank any; with states, labels or their mask off by one
    the count differs."""

    head = learnt()

    def counted() -> Any:
        return medusa.accuracies(head, [periodic(4, seed=999)], borrowed())["accuracies"]

    right_ones = [[1.0, *[0.0] * (medusa.RANKS - 1)]] * HEADS
    assert counted() == right_ones
    for old, new in (
        ("rows.ids[:, AHEAD + i :]", "rows.ids[:, AHEAD + i - 1 : -1]"),
        ("rows.written[:, AHEAD + i :]", "rows.written[:, AHEAD + i - 1 : -1]"),
        ("ahead[:, : there.shape[1], i]", "ahead[:, 1 : 1 + there.shape[1], i]"),
    ):
        with monkeypatch.context() as patch:
            plant(Plant(new, counted, medusa, "accuracies", old, new), patch)
            assert counted() != right_ones, new


def test_a_trimmed_head_misses_what_it_cannot_write() -> None:
    """Only labels that it can write are learnt, and the others count as misses."""
    head, tokens = learnt(), torch.tensor([0, 2, 3, 4, 5, 6])
    found = medusa.losses(head, periodic(1, seed=3), borrowed(tokens))
    assert 0.8 < float(found[agreement(1)]) < 0.9
    assert float(found[medusa.LOSS].detach()) < 0.2


def test_a_batch_without_labels_changes_nothing() -> None:
    """Its loss is 0 with a gradient of 0, so that a training can go on."""
    head, rows = learnt(steps=1), periodic(1)
    head.zero_grad()
    for empty in (replace(rows, written=torch.zeros_like(rows.written)), periodic(1, length=3, prompt=0)):
        found = medusa.losses(head, empty, borrowed())
        found[medusa.LOSS].backward()  # type: ignore[no-untyped-call]
        assert float(found[medusa.LOSS].detach()) == 0
    assert all(float(weight.grad.abs().sum()) == 0 for weight in head.parameters() if weight.grad is not None)


def test_standardised_states_go_into_the_weights() -> None:
    """Within the context the blocks read states with mean 0 and spread 1; after it the head says the same of the states as they are."""
    head, scorer = learnt(steps=5), borrowed()
    width = scorer.embed(torch.arange(PERIOD)).shape[-1]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(2)
        states = torch.randn(64, width) * torch.logspace(-1, 2, width) + 30
    seen: list[torch.Tensor] = []
    with medusa.standardised(head, states):
        handle = head.blocks.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
        inside = head.moved(states)
        handle.remove()
    torch.testing.assert_close(seen[0].mean(0), torch.zeros(width), atol=1e-4, rtol=0)
    torch.testing.assert_close(seen[0].std(0), torch.ones(width), atol=1e-4, rtol=0)
    assert not torch.equal(states, seen[0])
    torch.testing.assert_close(head.moved(states), inside, atol=1e-3, rtol=1e-4)
    assert not head.blocks._forward_pre_hooks


def test_a_training_that_is_stopped_leaves_the_weights_as_they_learn() -> None:
    """A checkpoint is continued with the states standardised again."""
    head = learnt(steps=1)
    before = head.blocks.weight.detach().clone()
    with pytest.raises(KeyboardInterrupt), medusa.standardised(head, torch.randn(8, before.shape[1])):
        raise KeyboardInterrupt
    assert torch.equal(head.blocks.weight, before)
    assert not head.blocks._forward_pre_hooks
