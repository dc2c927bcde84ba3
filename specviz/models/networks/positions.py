"""The positions of the tokens of one pass: where they are written in the cache, which tokens each one attends to, and the tensors that follow from it."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions of the m tokens of a pass, which follow `begin` cached tokens.

    Attributes:
        begin: number of cached tokens, and so the buffer slot of the first of the m tokens.
        count: m.
        slots: [begin + m] int64, for every cached and new token its position in its own path of the text; None for a chain, where
            it is the slot's own index: 0, 1, ...
        attends: [m, begin + m] bool, which cached and new tokens each token attends to; None for a chain, where each attends to
            itself and all tokens before it.
    """

    begin: int
    count: int
    slots: Tensor | None = None
    attends: Tensor | None = None

    @property
    def ids(self) -> Tensor | None:
        """[m] int64, the position of each of the m tokens in its own path of the text; None for a chain: begin, begin + 1, ..."""
        return None if self.slots is None else self.slots[self.begin :]

    @property
    def end(self) -> int:
        """Number of cached tokens after the pass."""
        return self.begin + self.count


def positions_of(committed: int, parents: Sequence[int], count: int, device: torch.device) -> Positions:
    """The positions of the last `count` pending tokens.

    Args:
        committed: number of committed tokens in the cache; the pending tokens follow them in the order in which they were read.
        parents: for every pending token the index of the pending token that it follows, -1 for the text. A parent comes before
            its children.
    """
    begin = committed + len(parents) - count
    if list(parents) == list(range(-1, len(parents) - 1)):
        return Positions(begin, count)
    paths: list[list[int]] = []
    for index, parent in enumerate(parents):
        paths.append([*(paths[parent] if parent >= 0 else []), index])
    rows = [row for row, path in enumerate(paths[-count:]) for _ in path]
    columns = [committed + index for path in paths[-count:] for index in path]
    attends = torch.zeros(count, begin + count, dtype=torch.bool)
    attends[:, :committed] = True
    attends[rows, columns] = True
    depths = torch.tensor([len(path) for path in paths])
    slots = torch.cat([torch.arange(committed), committed + depths - 1])
    return Positions(begin, count, slots.to(device), attends.to(device))


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
