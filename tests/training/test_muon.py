"""Muon, against the one that torch has and against the singular values."""

from copy import deepcopy
from typing import Any

import torch
from torch import Tensor

from specviz.training.muon import Muon

SHAPES = [(8, 8), (24, 6), (6, 24), (1, 5), (64, 16)]


def matrices(seed: int = 1) -> list[Tensor]:
    random = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=random).requires_grad_() for shape in SHAPES]


def gradients(step: int) -> list[Tensor]:
    random = torch.Generator().manual_seed(100 + step)
    return [torch.randn(shape, generator=random) * 10.0**-step for shape in SHAPES]


def moved(optimiser: torch.optim.Optimizer, held: list[Tensor], steps: range) -> list[Tensor]:
    """Copies of the matrices after these steps, the learning rate falling as in a training."""
    for step in steps:
        for group in optimiser.param_groups:
            group["lr"] = 0.02 / (1 + step)
        for matrix, gradient in zip(held, gradients(step), strict=True):
            matrix.grad = gradient
        optimiser.step()
    return [matrix.detach().clone() for matrix in held]


def by_torch() -> list[Tensor]:
    held = matrices()
    oracle = torch.optim.Muon(
        held, lr=1.0, weight_decay=0.0, momentum=0.95, nesterov=True, ns_steps=5, adjust_lr_fn="original"
    )
    return moved(oracle, held, range(6))


def test_in_bfloat16_it_moves_as_torchs_own() -> None:
    """Over six steps, with gradients of very different sizes, every matrix moves bit for bit as by torch.optim.Muon."""
    held = matrices()
    for ours, theirs in zip(moved(Muon(held, 1.0, torch.bfloat16), held, range(6)), by_torch(), strict=True):
        assert torch.equal(ours, theirs)


def test_in_float32_it_moves_nearly_so() -> None:
    """In float32 the same steps differ from torch's by the rounding of bfloat16, which is under two hundredths of the way, and by something."""
    held = matrices()
    ours = moved(Muon(held, 1.0, torch.float32), held, range(6))
    for began, mine, theirs in zip(matrices(), ours, by_torch(), strict=True):
        way = (theirs - began).norm()
        assert 0 < (mine - theirs).norm() < 0.02 * way


def test_nothing_moves_where_there_is_no_gradient() -> None:
    """A gradient of zero is no reason to divide by it: the matrix stays."""
    matrix = torch.ones(3, 4, requires_grad=True)
    matrix.grad = torch.zeros(3, 4)
    Muon([matrix], 0.1, torch.float32).step()
    assert torch.equal(matrix, torch.ones(3, 4))


def test_its_state_is_taken_up_again() -> None:
    """With weights and state carried to another optimiser after three steps, the next three end bit for bit as without."""
    held = matrices()
    whole = moved(Muon(held, 1.0, torch.float32), held, range(6))
    first = matrices()
    optimiser = Muon(first, 1.0, torch.float32)
    kept = moved(optimiser, first, range(3))
    state: dict[str, Any] = deepcopy(optimiser.state_dict())
    second = [matrix.clone().requires_grad_() for matrix in kept]
    other = Muon(second, 1.0, torch.float32)
    other.load_state_dict(state)
    for ours, wanted in zip(moved(other, second, range(3, 6)), whole, strict=True):
        assert torch.equal(ours, wanted)
    fresh = [matrix.clone().requires_grad_() for matrix in kept]
    forgetful = moved(Muon(fresh, 1.0, torch.float32), fresh, range(3, 6))
    assert not torch.equal(forgetful[0], whole[0])
