"""What a cached model asks of the network under it, and which network it gets."""

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor

from specviz.models.place import Place


class Network(Protocol):
    """The layers of a decoder over buffers of keys and values that it writes in place.

    Attributes:
        depth: how many layers there are.
    """

    depth: int

    def begin(self, capacity: int) -> None:
        """Make room for `capacity` tokens."""
        ...

    def read(self, tokens: Tensor, place: Place, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """Pass [m] ids through all layers, writing behind `place.begin`.

        Returns:
            The scores of the last `rows` (all by default), [rows, head rows], and all m last states, [m, width].
        """
        ...

    def move(self, begin: int, places: Sequence[int]) -> None:
        """Copy the keys and values of these tokens, in order, to where `begin` and its successors are."""
        ...

    def buffers(self) -> list[Tensor]:
        """All keys and values, [heads, capacity, width] or with one more leading axis; empty before the first pass."""
        ...
