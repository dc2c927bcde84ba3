"""The linear layers of a head that only drafts, packed once: a draft is many products with one row, whose cost is reading the weights."""

import torch
from torch import Tensor, nn

from specviz.models.networks.packing import HalfMatrix, Matrix, half_holds


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
    """Pack each linear layer whose weights half precision represents exactly, where this machine is faster so. The layers keep their weights
    too: parts of a head that read a weight themselves still find it.

    Returns:
        Bytes of the packed copies.
    """
    copied = 0
    for layer in network.modules():
        if type(layer) is nn.Linear and half_holds(layer.weight):
            matrix = HalfMatrix([layer.weight], layer.bias)
            layer.__dict__["forward"] = _Product(matrix).forward
            copied += matrix.nbytes
    return copied
