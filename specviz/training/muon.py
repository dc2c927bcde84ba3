"""Muon (Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks"), with a choice of precision."""

from collections.abc import Iterable
from math import sqrt

import torch
from torch import Tensor

_MOMENTUM = 0.95
_STEPS = 5
_A, _B, _C = 3.4445, -4.7750, 2.0315


class Muon(torch.optim.Optimizer):
    """Updates each matrix by its orthogonalised momentum, as torch.optim.Muon does, which always uses bfloat16: slow on many processors.

    Args:
        matrices: each must have a gradient before each step.
        lr: learning rate; for a matrix with more rows than columns it is multiplied by sqrt(rows / columns).
        precision: of the orthogonalisation; momentum and weights keep their own format.
    """

    def __init__(self, matrices: Iterable[Tensor], lr: float, precision: torch.dtype) -> None:
        super().__init__(matrices, {"lr": lr})
        self._precision = precision

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # a closure that recomputes the loss is not supported
        """Update every matrix once."""
        for group in self.param_groups:
            for matrix in group["params"]:
                state = self.state[matrix]
                momentum = state.setdefault("momentum", torch.zeros_like(matrix))
                momentum.lerp_(matrix.grad, 1 - _MOMENTUM)
                ahead = matrix.grad.lerp(momentum, _MOMENTUM)  # Nesterov's
                rows, columns = matrix.shape
                turned = orthogonal(ahead.to(self._precision))
                matrix.add_(turned, alpha=-group["lr"] * sqrt(max(1, rows / columns)))


def orthogonal(matrix: Tensor) -> Tensor:
    """Roughly the nearest orthogonal matrix, of the same shape: all singular values end between about 0.7 and 1.2.

    Five steps of a Newton-Schulz iteration whose coefficients make small singular values grow fast instead of converging to one.
    """
    tall = matrix.shape[0] > matrix.shape[1]
    found = matrix.T if tall else matrix
    found = found / found.norm().clamp(min=1e-7)  # no singular value is above one
    for _ in range(_STEPS):
        square = found @ found.T
        found = torch.addmm(found, torch.addmm(square, square, square, beta=_B, alpha=_C), found, beta=_A)
    return found.T if tall else found
