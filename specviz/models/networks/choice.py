"""What a cached model asks of the network under it, and which network it gets."""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.models.networks.compiled import CompiledDecoder
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder, is_lean
from specviz.models.networks.positions import Place
from specviz.models.networks.stock import StockNetwork


class Network(Protocol):
    """The layers of a decoder over buffers of keys and values that it writes in place.

    Attributes:
        depth: how many layers there are.
        dtype: of keys, values and scores.
    """

    depth: int
    dtype: torch.dtype

    @property
    def kind(self) -> str:
        """How it reads its model, in a few words for the pair card."""
        ...

    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens."""
        ...

    def read(self, tokens: Tensor, place: Place, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through all layers, writing behind `place.begin`.

        Returns:
            The scores of the last `rows` (all by default), [rows, head rows], and all m last states, [m, width].
        """
        ...

    def lower(self, tokens: Tensor, place: Place, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through the first `depth` layers only, writing their keys and values.

        Returns:
            The scores that the head gives there, [rows, head rows], and all m states for `upper` to go on from, [m, width].
        """
        ...

    def upper(self, states: Tensor, place: Place, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass what `lower` returned through the remaining layers; returns what `read` returns."""
        ...

    def skipping(self, layers: Sequence[int]) -> "Network":
        """The same weights without these layers, with buffers of its own."""
        ...

    def move(self, begin: int, places: Sequence[int]) -> None:
        """Copy the keys and values of these tokens, in order, to where `begin` and its successors are."""
        ...

    def release(self) -> None:
        """Let go of the buffers; `begin` makes new ones."""
        ...

    def buffers(self) -> list[Tensor]:
        """All keys and values, [heads, capacity, width] or with one more leading axis; empty before the first pass."""
        ...


def network_for(model: PreTrainedModel, *, lean: bool = True, hidden: bool = False, compiled: bool = False) -> Network:
    """The fastest network that reads this model.

    Args:
        lean: without, the model's own modules are used whatever it is.
        hidden: whether last states are wanted.
        compiled: let torch.compile work on our own decoder's short passes, which takes minutes.
    """
    if not lean or not is_lean(model):
        return StockNetwork(model, hidden=hidden)
    if model.device.type == "cuda":
        return GraphedDecoder(model, compiled=compiled)
    return CompiledDecoder(model) if compiled else LeanDecoder(model)
