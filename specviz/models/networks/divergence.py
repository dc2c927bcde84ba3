"""The Kullback-Leibler divergence between the distributions of two paths over the same tokens."""

import torch
from torch import Tensor


def divergences(plain: Tensor, path: Tensor) -> Tensor:
    """KL(plain || path) of every row, [m] float64 in nats, from logits [m, V] each; infinite where a row is not a distribution."""
    p, q = plain.double().log_softmax(dim=-1), path.double().log_softmax(dim=-1)
    terms = torch.where(p == -torch.inf, 0.0, p.exp() * (p - q))
    return terms.sum(dim=-1).nan_to_num(nan=torch.inf, posinf=torch.inf).clamp_min(0.0)


def divergence(plain: Tensor, path: Tensor) -> float:
    """The mean of `divergences`."""
    return float(divergences(plain, path).mean())
