"""Which layout each matrix of our own decoder gets: half precision where that represents it exactly and this processor has kernels for it.

A matrix in that layout is compared with the plain product before it is used.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from specviz.models.networks.packing import HalfMatrix, Matrix, half_holds

_PART = 2**22  # numbers of a matrix that are compared at once
# How far a product may be from the plain one, in the largest number of the plain one: ten times what the order of a
# float32 sum changes.
_TOLERANCE = 1e-4


def pack(weight: Tensor, bias: Tensor | None = None) -> Matrix:
    """This matrix in its layout."""
    return _packed([weight], bias) or Matrix(weight, bias)


def pack_layers(linears: Sequence[torch.nn.Linear]) -> Matrix:
    """The matrix of several linear layers with the same input, stacked; a single one is not copied unless its layout is half precision.

    If the layout is plain, the layers then use slices of it as their weights, so that no weight is stored twice.
    """
    weights = [linear.weight for linear in linears]
    biases: list[Tensor] = [linear.bias for linear in linears if linear.bias is not None]
    bias = None if not biases else biases[0] if len(biases) == 1 else torch.cat(biases)
    matrix = _packed(weights, bias)
    return matrix or Matrix(weights[0] if len(weights) == 1 else _stacked(linears), bias)


def _packed(weights: Sequence[Tensor], bias: Tensor | None) -> Matrix | None:
    """The stacked matrix in half precision; None where that does not represent it, or its product differs from the plain one."""
    if not all(half_holds(weight) for weight in weights):
        return None
    matrix = HalfMatrix(weights, bias)
    return matrix if agrees(matrix, weights, bias) else None


def agrees(matrix: Matrix, weights: Sequence[Tensor], bias: Tensor | None = None) -> bool:
    """True if this matrix multiplies as the stacked weights do."""
    rows = torch.linspace(-1, 1, weights[0].shape[1]).sin().unsqueeze(0)
    parts = (part for weight in weights for part in torch.split(weight, max(1, _PART // weight.shape[1])))
    plain = torch.cat([functional.linear(rows, part.float()) for part in parts], dim=-1)
    plain = plain if bias is None else plain + bias.float()
    worst = float((matrix(rows).float() - plain).abs().max())
    return math.isfinite(worst) and worst <= _TOLERANCE * max(float(plain.abs().max()), 1e-6)


def _stacked(linears: Sequence[torch.nn.Linear]) -> Tensor:
    """One matrix of these layers' weights, which become slices of it."""
    weights = [linear.weight for linear in linears]
    heights = [weight.shape[0] for weight in weights]
    if _adjacent(weights):
        return weights[0].detach().as_strided((sum(heights), weights[0].shape[1]), weights[0].stride())
    with torch.inference_mode(False), torch.no_grad():  # an inference tensor cannot become a module's weight
        stacked = weights[0].new_empty(sum(heights), weights[0].shape[1])
        for linear, rows in zip(linears, torch.split(stacked, heights), strict=True):
            rows.copy_(linear.weight)
            if not linear.weight.is_inference():
                linear.weight.data = rows
    return stacked


def _adjacent(weights: Sequence[Tensor]) -> bool:
    """True if these matrices follow one another in one storage: stacked before, or stored so in the checkpoint's file."""
    storages = {weight.untyped_storage().data_ptr() for weight in weights}
    return (
        len(storages) == 1
        and all(weight.is_contiguous() for weight in weights)
        and all(second.data_ptr() == first.data_ptr() + first.nbytes for first, second in pairwise(weights))
    )
