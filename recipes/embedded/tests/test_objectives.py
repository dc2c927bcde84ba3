"""The losses, each against the same number worked out by hand from transformers' own forward pass."""

import math
from collections.abc import Sequence
from copy import deepcopy

import pytest
import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from recipes.embedded import architecture
from recipes.embedded.objectives import EARLY_EXIT, draft_losses, text_losses
from recipes.embedded.recipe import Shape

VOCABULARY = 13
ROWS = torch.randint(0, VOCABULARY, (5, 8), generator=torch.Generator().manual_seed(3))


def network(seed: int, layers: int = 2) -> LlamaForCausalLM:
    """A tiny network with a distribution far from flat."""
    model = architecture.build(Shape(layers=layers, width=16, heads=2, feed_forward=24), VOCABULARY, 128, seed)
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
