"""Which layout each matrix of our own decoder gets: the one that is fastest on this machine, of those that represent it exactly.

A pass reads the whole model, so a matrix mostly comes from memory: each product is timed after another buffer was read. The choice is made
once for a shape, and noted for this machine. A matrix in a new layout is compared with the plain product before it is used.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter

import torch
from torch import Tensor
from torch.nn import functional

from specviz.models.machine_notes import CoreTime, note, noted
from specviz.models.networks.packing import HalfMatrix, Matrix, ReorderedMatrix, half_holds, reorders

# Numbers of a matrix that is not timed: it stays in a cache, and calling a kernel takes longer than the product.
_SMALL = 2**18
_ROWS = (1, 6)  # the numbers of rows that are timed: runs check one to a few tokens
# How often each is timed, the shortest counts; and how often where another than the usual one was faster, because of
# a pause perhaps.
_TIMES, _AGAIN = 2, 6
_CLEARLY = 0.9  # another layout than the usual one must take less than so much of its time
_SAMPLE = 2**20  # numbers of a matrix that are timed
# Numbers of the buffer that is read between two products: with the samples of the other layouts as much as most
# caches hold.
_BETWEEN = 2**22
# How far a product may be from the plain one, in the largest number of the plain one: ten times what the order of a
# float32 sum changes.
_TOLERANCE = 1e-4


def pack(weight: Tensor, bias: Tensor | None = None) -> Matrix:
    """The fastest layout that represents this matrix exactly."""
    return _packed([weight], bias) or Matrix(weight, bias)


def pack_layers(linears: Sequence[torch.nn.Linear]) -> Matrix:
    """The matrix of several linear layers with the same input, stacked; a single one is not copied unless its layout is another.

    If the layout stays plain, the layers then use slices of it as their weights, so that no weight is stored twice.
    """
    weights = [linear.weight for linear in linears]
    biases: list[Tensor] = [linear.bias for linear in linears if linear.bias is not None]
    bias = None if not biases else biases[0] if len(biases) == 1 else torch.cat(biases)
    matrix = _packed(weights, bias)
    return matrix or Matrix(weights[0] if len(weights) == 1 else _stacked(linears), bias)


def layout_for(weights: Sequence[Tensor]) -> str:
    """The name of the layout for these stacked matrices: "half", "reordered" or "plain"."""
    layouts = _exact_layouts(weights)
    if len(layouts) == 1 or sum(weight.numel() for weight in weights) < _SMALL:
        return layouts[0]
    outputs, inputs = sum(weight.shape[0] for weight in weights), weights[0].shape[1]
    name = f"layout of {outputs}x{inputs} in {'/'.join(layouts)}"
    layout = noted(name, lambda value: value if value in layouts else None)
    if layout is None:
        with CoreTime() as measured:
            layout = _fastest(weights)
        if measured.calm:
            note(name, layout)
    return layout


def _packed(weights: Sequence[Tensor], bias: Tensor | None) -> Matrix | None:
    """The stacked matrix in its layout; None for the plain one, which is also used where the product of another layout differs."""
    name = layout_for(weights)
    if name == "plain":
        return None
    matrix = _matrix_in(name, weights, bias)
    return matrix if agrees(matrix, weights, bias) else None


def agrees(matrix: Matrix, weights: Sequence[Tensor], bias: Tensor | None = None) -> bool:
    """True if this matrix multiplies as the stacked weights do."""
    rows = torch.linspace(-1, 1, weights[0].shape[1]).sin().unsqueeze(0)
    parts = (part for weight in weights for part in torch.split(weight, max(1, _BETWEEN // weight.shape[1])))
    plain = torch.cat([functional.linear(rows, part.float()) for part in parts], dim=-1)
    plain = plain if bias is None else plain + bias.float()
    worst = float((matrix(rows).float() - plain).abs().max())
    return math.isfinite(worst) and worst <= _TOLERANCE * max(float(plain.abs().max()), 1e-6)


def _exact_layouts(weights: Sequence[Tensor]) -> tuple[str, ...]:
    """The layouts that represent these matrices exactly here, the usual one first."""
    if all(half_holds(weight) for weight in weights):
        return ("half", "reordered", "plain") if all(reorders(weight) for weight in weights) else ("half", "plain")
    return ("plain", "reordered") if all(reorders(weight) for weight in weights) else ("plain",)


def _matrix_in(name: str, weights: Sequence[Tensor], bias: Tensor | None) -> Matrix:
    if name == "half":
        return HalfMatrix(weights, bias)
    joined = torch.cat(list(weights)) if len(weights) > 1 else weights[0]
    return ReorderedMatrix(joined, bias) if name == "reordered" else Matrix(joined, bias)


def _fastest(weights: Sequence[Tensor]) -> str:
    """The name of the layout whose products take the least time in all, measured on the first rows of the matrix."""
    share = min(1.0, _SAMPLE / sum(weight.numel() for weight in weights))
    first = [weight[: math.ceil(share * weight.shape[0])] for weight in weights]
    matrices = {name: _matrix_in(name, first, None) for name in _exact_layouts(weights)}
    inputs = [torch.ones(count, weights[0].shape[1]) for count in _ROWS]
    between = torch.ones(_BETWEEN)
    best = {(name, index): math.inf for name in matrices for index in range(len(inputs))}
    default, *rest = matrices
    fastest = default
    for times in (_TIMES, _AGAIN):
        for _ in range(times):
            for (name, index), shortest in best.items():
                between.sum()
                began = perf_counter()
                matrices[name](inputs[index])
                best[name, index] = min(shortest, perf_counter() - began)
        seconds = {name: sum(best[name, index] for index in range(len(inputs))) for name in matrices}
        fastest = min(rest, key=seconds.__getitem__, default=default)
        if seconds[fastest] >= _CLEARLY * seconds[default]:
            return default
    return fastest


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
