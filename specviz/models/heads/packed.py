"""Linear layers packed for fast products with few rows: those of a head that only drafts, and those of a target while it writes many texts."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from specviz.models.limits import memory_total
from specviz.models.networks.layouts import pack
from specviz.models.networks.packing import Matrix

_MEMORY_SHARE = 4
"""Copies that are made for a while take at most this fraction of the memory: the same on every start on a machine."""


class _Product(nn.Module):
    """The product of a packed matrix with states [..., width], in place of the layer's own."""

    def __init__(self, matrix: Matrix) -> None:
        super().__init__()
        self.matrix = matrix

    def forward(self, states: Tensor) -> Tensor:
        found = self.matrix(states.reshape(-1, states.shape[-1]))
        return found.view(*states.shape[:-1], found.shape[-1])


@torch.no_grad()
def pack_linears(network: nn.Module) -> int:
    """Pack each linear layer into the fastest layout that represents its weights exactly. The layers keep their weights
    too: parts of a head that read a weight themselves still find it.

    Returns:
        Bytes of the packed copies.
    """
    copied = 0
    for layer in network.modules():
        if type(layer) is not nn.Linear:
            continue
        matrix = pack(layer.weight, layer.bias)
        if type(matrix) is not Matrix:
            layer.__dict__["forward"] = _Product(matrix).forward
            copied += matrix.nbytes
    return copied


@contextmanager
def packed_linears(network: nn.Module) -> Iterator[None]:
    """Pack the linear layers for a while, where there is room for the copies."""
    numbers = sum(layer.weight.numel() for layer in network.modules() if type(layer) is nn.Linear)
    if 2 * numbers * _MEMORY_SHARE > memory_total():
        yield
        return
    pack_linears(network)
    try:
        yield
    finally:
        for layer in network.modules():
            if type(layer) is nn.Linear:
                layer.__dict__.pop("forward", None)
