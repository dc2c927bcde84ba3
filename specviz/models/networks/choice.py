"""The interface between a cached model and its network, and the choice of the network."""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.models.networks.compiled import CompiledDecoder
from specviz.models.networks.families import is_lean
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Positions
from specviz.models.networks.stock import StockNetwork


class Network(Protocol):
    """The layers of a decoder with key and value buffers that are written in place.

    Attributes:
        depth: number of layers.
        dtype: of keys, values and logits.
    """

    depth: int
    dtype: torch.dtype

    @property
    def kind(self) -> str:
        """The kind of network, in a few words for the pair card."""
        ...

    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens."""
        ...

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through all layers; their keys and values are written from `positions.begin` on.

        Returns:
            The logits of the last `rows` tokens (all by default), [rows, head rows], and the last states of all m, [m, width].
        """
        ...

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through the first `depth` layers only, writing the keys and values of these layers.

        Returns:
            The logits that the head gives after these layers, [rows, head rows], and the m states for `upper`, [m, width].
        """
        ...

    def upper(self, states: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass the states [m, width] of `lower` through the remaining layers; returns what `read` returns."""
        ...

    def skipping(self, layers: Sequence[int]) -> "Network":
        """A network with the same weights without these layers, and with its own buffers."""
        ...

    def move(self, begin: int, indices: Sequence[int]) -> None:
        """Copy the keys and values at these buffer indices, in order, to the slots from `begin` on."""
        ...

    def release(self) -> None:
        """Free the buffers; `begin` allocates new ones."""
        ...

    def buffers(self) -> list[Tensor]:
        """All key and value buffers, [heads, capacity, width] or [1, heads, capacity, width]; empty before the first pass."""
        ...


def network_for(model: PreTrainedModel, *, lean: bool = True, hidden: bool = False, compiled: bool = False) -> Network:
    """The fastest network that can run this model.

    Args:
        lean: False always uses the model's own modules.
        hidden: whether `read` must return the last states.
        compiled: compile the short passes of our own decoder with torch.compile, which takes minutes.
    """
    if not lean or not is_lean(model):
        return StockNetwork(model, hidden=hidden)
    if model.device.type == "cuda":
        return GraphedDecoder(model, compiled=compiled)
    return CompiledDecoder(model) if compiled else LeanDecoder(model)
