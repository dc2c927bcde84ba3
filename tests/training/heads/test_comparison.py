"""Claims about the comparison of two laws: what it returns and its gradient are those of the plain formulas."""

import pytest
import torch
from torch import Tensor

from specviz.training.heads import comparison
from specviz.training.heads.comparison import Laws, compared

LABELS, LAWS, SCORES = 11, 5, 7
WEIGHTS = torch.linspace(0.5, 2, LABELS)


def drawn() -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    scores, bias = 3 * torch.randn(2, LABELS, SCORES, generator=generator) + 20
    target = 3 * torch.randn(LAWS, SCORES, generator=generator) - 20
    target[0, 1] = torch.finfo(torch.float32).min
    which = torch.randint(LAWS, (LABELS,), generator=generator)
    columns = torch.randint(SCORES, (LABELS,), generator=generator)
    return scores.requires_grad_(), bias.requires_grad_(), target, which, columns


def plain(
    scores: Tensor, bias: Tensor, target: Tensor, which: Tensor, columns: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    p, q = target.log_softmax(-1)[which], (scores + bias).log_softmax(-1)
    law = p.exp()
    divergence = (law * (p - q).nan_to_num()).sum(-1)
    return divergence, (law - q.exp()).abs().sum(-1), q.gather(-1, columns[:, None])[:, 0], q.argmax(-1) == columns


def check_comparison() -> None:
    for chosen in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0.4, 0.9, -0.1)):
        scores, bias, target, which, columns = drawn()
        expected = plain(scores, bias, target, which, columns)
        found = compared(scores, Laws.of(target), which, columns, bias)
        ours = (found.divergence, found.apart, found.logs, found.hits)
        for one, other in zip(ours, expected, strict=True):
            torch.testing.assert_close(one, other, atol=2e-5, rtol=1e-5)
        gradients = [
            torch.autograd.grad(
                torch.stack([f * (WEIGHTS * value).sum() for f, value in zip(chosen, three, strict=True) if f]).sum(),
                [scores, bias],
            )
            for three in (ours[:3], expected[:3])
        ]
        for one, other in zip(*gradients, strict=True):
            torch.testing.assert_close(one, other, atol=2e-6, rtol=1e-4)


def test_a_comparison_is_the_plain_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divergence, distance, logarithms and every gradient are those of the formulas, in one part or many, and without labels."""
    check_comparison()
    nothing = torch.zeros(0, SCORES, requires_grad=True)
    empty = compared(
        nothing, Laws.of(nothing.detach()), torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)
    )
    assert torch.autograd.grad(empty.apart.sum() + empty.divergence.sum(), nothing)[0].shape == nothing.shape
    monkeypatch.setitem(comparison._PART, "cpu", 3 * SCORES)
    check_comparison()
