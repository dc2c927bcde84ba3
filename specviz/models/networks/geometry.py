"""What all layers of one pass share: which slots of the buffers it writes and reads, its rotation tables and its masks."""

from dataclasses import dataclass

from torch import Tensor

FEWEST_ATTENDED = 256  # slots that a pass of unchanging shapes attends to, at least


def attended_slots(end: int, capacity: int) -> int:
    """How many of the buffers' slots a pass of unchanging shapes attends to: the smallest power of two above its `end`, at least 256 and
    at most the capacity. So a pass never reads more than twice what the text needs, however large the buffers are."""
    return min(max(FEWEST_ATTENDED, 1 << end.bit_length()), capacity)


@dataclass(frozen=True, slots=True)
class View:
    """The tensors that all layers with one kind of attention share in a pass over m tokens.

    Attributes:
        cos, sin: [m, 1, width] of the rotary embedding.
        mask: [queries, keys], or [1, 1] zero; added to the attention scores.
        causal: whether the m tokens are a chain at the start of the text, so that torch's kernel needs no mask.
    """

    cos: Tensor
    sin: Tensor
    mask: Tensor
    causal: bool = False


@dataclass(frozen=True, slots=True)
class Geometry:
    """The tensors that all layers of one pass over m tokens share.

    Attributes:
        slots: the buffer slots that the m tokens are written to; an index tensor [m] where the shapes must not change, else a slice.
        end: number of buffer slots that are attended to.
        views: for each kind of attention.
    """

    slots: slice | Tensor
    end: int
    views: list[View]
