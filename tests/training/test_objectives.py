"""The losses, each against the same number worked out by hand from transformers' own forward pass."""

import math
from collections.abc import Sequence
from copy import deepcopy

import pytest
import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.training import networks
from specviz.training.objectives import EARLY_EXIT, LOOPS, Objective, draft_losses, loop_losses, text_losses, together
from specviz.training.recipe import Shape

VOCABULARY = 13
ROWS = torch.randint(0, VOCABULARY, (5, 8), generator=torch.Generator().manual_seed(3))


def network(seed: int, layers: int = 2) -> LlamaForCausalLM:
    """A tiny network with a distribution far from flat."""
    model = networks.build(Shape(layers=layers, width=16, heads=2, feed_forward=24), VOCABULARY, 128, seed)
    noise = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn(weight.shape, generator=noise), alpha=0.2)
    return model


def shares(model: LlamaForCausalLM, ids: Tensor) -> list[list[list[float]]]:
    """The probability of every token at every place, by transformers' forward pass and plain arithmetic."""
    with torch.no_grad():
        scores: list[list[list[float]]] = model(ids).logits.tolist()
    return [[_softmax(place) for place in row] for row in scores]


def _softmax(scores: Sequence[float]) -> list[float]:
    weights = [math.exp(score - max(scores)) for score in scores]
    return [weight / sum(weights) for weight in weights]


def surprise(model: LlamaForCausalLM, rows: Tensor) -> float:
    """The mean of -log p(next token), written out."""
    found = shares(model, rows[:, :-1])
    each = [
        -math.log(found[row][place][int(rows[row, place + 1])])
        for row in range(rows.shape[0])
        for place in range(rows.shape[1] - 1)
    ]
    return sum(each) / len(each)


def distance(teacher: LlamaForCausalLM, student: LlamaForCausalLM, ids: Tensor) -> float:
    """The mean of KL(teacher || student), every token of the vocabulary in turn."""
    each = [
        sum(p * math.log(p / q) for p, q in zip(one, other, strict=True))
        for row, following in zip(shares(teacher, ids), shares(student, ids), strict=True)
        for one, other in zip(row, following, strict=True)
    ]
    return sum(each) / len(each)


def has_gradient(model: LlamaForCausalLM) -> bool:
    """Whether anything of a backward pass has reached this network."""
    return any(weight.grad is not None for weight in model.parameters())


def test_the_text_loss_is_the_surprise_at_the_next_token() -> None:
    """Without an exit layer there is one loss: the cross-entropy of each token given those before it."""
    model = network(1)
    losses = text_losses(model, "it")(ROWS)
    assert losses.keys() == {"it"}
    assert losses["it"].item() == pytest.approx(surprise(model, ROWS), rel=1e-5)


@pytest.mark.parametrize(("count", "half"), [(1, 1), (4, 2), (5, 3)])
def test_the_early_exit_loss_is_that_of_a_shorter_network_on_half_of_the_rows(count: int, half: int) -> None:
    """The early loss is the surprise of the first layers alone on the first half of the rows, rounded up; the main one is on all."""
    model = network(1, layers=3)
    short = deepcopy(model)
    short.model.layers = short.model.layers[:2]
    losses = text_losses(model, "it", exit_layer=2)(ROWS[:count])
    assert losses["it"].item() == pytest.approx(surprise(model, ROWS[:count]), rel=1e-5)
    assert losses[EARLY_EXIT].item() == pytest.approx(surprise(short, ROWS[:half]), rel=1e-5)


def test_the_early_exit_loss_reaches_no_later_layer() -> None:
    """The early loss alone changes the layers up to the exit and the shared head, and nothing above."""
    model = network(1, layers=3)
    text_losses(model, "it", exit_layer=2)(ROWS)[EARLY_EXIT].backward()  # type: ignore[no-untyped-call]
    reached = [any(weight.grad is not None for weight in layer.parameters()) for layer in model.model.layers]
    assert reached == [True, True, False]
    assert model.lm_head.weight.grad is not None


LONG = torch.randint(0, VOCABULARY, (9, 64), generator=torch.Generator().manual_seed(8))
EVERYTHING = torch.ones(VOCABULARY, dtype=torch.bool)


def looped(model: LlamaForCausalLM, rows: Tensor, prose: Sequence[bool]) -> float:
    """The loss against loops, worked out place by place from whole passes; the choice of the span is the only thing taken over."""
    missed = []
    for row in rows[: -(-len(rows) // 4)].tolist():
        mark = sum(row)
        period = 6 + mark % 19
        start = mark // 32 % (len(row) - 24)
        span = row[start : start + period]
        if not all(prose[token] for token in span):
            continue
        ids = (span * 128)[:128]
        (likely,) = shares(model, torch.tensor([ids]))
        believed = [0.0] + [likely[place - 1][ids[place]] for place in range(1, 128)]
        distances = [abs(believed[place] - 0.5 * believed[place - period]) for place in range(period + 1, 128)]
        missed += [-math.log(1 - distance) for distance in distances]
    return sum(missed) / len(missed) if missed else 0.0


@pytest.mark.parametrize("count", [1, 4, 5, 9])
def test_the_loss_of_loops_is_the_distance_from_half_of_the_time_before(count: int) -> None:
    """It is the mean of -log(1 - |p - p'/2|), p' the probability one repetition earlier, over a quarter of the rows, rounded up."""
    model = network(1)
    losses = loop_losses(model, EVERYTHING)(LONG[:count])
    assert losses.keys() == {LOOPS}
    assert losses[LOOPS].item() == pytest.approx(looped(model, LONG[:count], EVERYTHING.tolist()), rel=1e-4)


def test_spans_that_are_not_prose_do_not_count() -> None:
    """A span with a single token that is not prose weighs nothing; where no span is prose the loss and its gradient are zero."""
    model = network(1)
    counted = []
    for other in range(VOCABULARY):
        prose = EVERYTHING.clone()
        prose[other] = False
        counted.append(loop_losses(model, prose)(LONG)[LOOPS].item())
        assert counted[-1] == pytest.approx(looped(model, LONG, prose.tolist()), rel=1e-4)
    assert 0 in counted
    assert max(counted) > 0
    loss = loop_losses(model, ~EVERYTHING)(LONG)[LOOPS]
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.item() == 0
    assert all(weight.grad is None or weight.grad.abs().max() == 0 for weight in model.parameters())


def test_the_time_before_is_a_measure_and_learns_nothing() -> None:
    """The gradient is that of the loss with the earlier probabilities held fast: only the later belief is moved, not what it is measured by."""
    model = network(1)
    loss = loop_losses(model, EVERYTHING)(LONG[:1])[LOOPS]
    loss.backward()  # type: ignore[no-untyped-call]
    row = LONG[0].tolist()
    period, start = 6 + sum(row) % 19, sum(row) // 32 % (len(row) - 24)
    ids = (row[start : start + period] * 128)[:128]
    twin = deepcopy(model)
    twin.zero_grad()
    p = torch.softmax(twin(torch.tensor([ids])).logits[0], -1)
    believed = torch.stack([p[place - 1, ids[place]] for place in range(1, 128)])
    distance = (believed[period:] - 0.5 * believed[:-period].detach()).abs()
    (-torch.log(1 - distance)).mean().backward()  # type: ignore[no-untyped-call]
    for ours, theirs in zip(model.parameters(), twin.parameters(), strict=True):
        assert ours.grad is not None
        assert theirs.grad is not None
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-3, atol=1e-5)


def test_a_network_unlearns_its_loops() -> None:
    """A network that has learnt a row by heart, over and over, soon believes less in each repetition than in the one before."""
    model = network(1)
    period = 6 + int(LONG[0].sum()) % 19
    start = int(LONG[0].sum()) // 32 % (LONG.shape[1] - 24)
    ids = LONG[:1, start : start + period].repeat(1, 128 // period + 1)[:, :128]

    def believed() -> float:
        with torch.no_grad():
            p = torch.softmax(model(ids).logits[0], -1)
        return float(torch.stack([p[place - 1, ids[0, place]] for place in range(64, 128)]).mean())

    def learn(objective: Objective, rows: Tensor, steps: int) -> None:
        optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
        for _ in range(steps):
            optimiser.zero_grad()
            torch.stack(list(objective(rows).values())).sum().backward()  # type: ignore[no-untyped-call]
            optimiser.step()

    learn(text_losses(model, "it"), ids, 50)
    before = believed()
    assert before > 0.75
    learn(loop_losses(model, EVERYTHING), LONG[:1], 15)
    assert believed() < 0.6 * before


def test_losses_can_be_taken_together() -> None:
    """Together, objectives give each loss that they give alone."""
    model = network(1)
    both = together(text_losses(model, "it"), loop_losses(model, EVERYTHING))(LONG)
    assert both.keys() == {"it", LOOPS}
    assert both["it"].item() == text_losses(model, "it")(LONG)["it"].item()
    assert both[LOOPS].item() == loop_losses(model, EVERYTHING)(LONG)[LOOPS].item()


def test_a_draft_that_is_the_target_has_nothing_to_learn() -> None:
    """Between identical networks the distance is zero, and so is its gradient."""
    teacher = network(1)
    student = deepcopy(teacher)
    loss = draft_losses({"same": student}, {}, teacher)(ROWS)["same"]
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.item() == pytest.approx(0, abs=1e-6)
    assert all(weight.grad is not None and weight.grad.abs().max() < 1e-6 for weight in student.parameters())


def test_distillation_is_the_forward_distance_token_by_token() -> None:
    """The loss of each distilled draft is KL(target || draft) summed over the whole vocabulary, which is not KL(draft || target)."""
    teacher, students = network(1), {"one": network(2, layers=1), "two": network(3)}
    losses = draft_losses(students, {}, teacher)(ROWS)
    assert losses.keys() == students.keys()
    for name, student in students.items():
        wanted = distance(teacher, student, ROWS[:, :-1])
        assert losses[name].item() == pytest.approx(wanted, rel=1e-4)
        assert abs(wanted - distance(student, teacher, ROWS[:, :-1])) > 0.02 * wanted > 0


def test_a_draft_that_learns_from_the_text_never_hears_the_target() -> None:
    """The loss of an undistilled draft is its own surprise, whatever the target says."""
    student = network(2)
    for teacher in (network(1), network(4)):
        losses = draft_losses({"other": network(3)}, {"own": student}, teacher)(ROWS)
        assert losses["own"].item() == pytest.approx(surprise(student, ROWS), rel=1e-5)


def test_the_teacher_learns_nothing() -> None:
    """A backward pass of all drafts' losses reaches every draft and leaves the target without a gradient."""
    teacher, distilled, plain = network(1), network(2), network(3)
    losses = draft_losses({"distilled": distilled}, {"plain": plain}, teacher)(ROWS)
    torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
    assert has_gradient(distilled)
    assert has_gradient(plain)
    assert not has_gradient(teacher)
