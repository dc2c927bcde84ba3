"""Linear layers of a head, packed for fast products with few rows."""

import torch
from torch import Tensor, nn

from specviz.models.networks.layouts import pack
from specviz.models.networks.packing import Matrix


class _Product(nn.Module):
    """The product of a packed matrix with states [..., width], in place of the layer's own."""

    def __init__(self, matrix: Matrix) -> None:
        super().__init__()
        self.matrix = matrix

    def forward(self, states: Tensor) -> Tensor:
        product = self.matrix(states.reshape(-1, states.shape[-1]))
        return product.view(*states.shape[:-1], product.shape[-1])


@torch.no_grad()
def pack_linears(network: nn.Module) -> None:
    """Pack each linear layer into the fastest layout that represents its weights exactly. The layers keep their weights
    too: parts of a head that read a weight themselves still find it."""
    for layer in network.modules():
        if type(layer) is not nn.Linear:
            continue
        matrix = pack(layer.weight, layer.bias)
        if type(matrix) is not Matrix:
            layer.__dict__["forward"] = _Product(matrix).forward
