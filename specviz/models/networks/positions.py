"""Where the tokens of one pass stand: behind what they are written, and which tokens each of them sees."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Place:
    """The geometry of a pass over m tokens behind `begin` tokens that the cache holds.

    Attributes:
        begin: tokens held, so also where in the buffers the first of the m is written.
        count: m.
        positions: [m] int64, each token's place in its line of text; None for a chain, where they count on from `begin`.
        sees: [m, begin + m] bool, which held and new tokens each one attends to; None for a chain, which sees all before it
            and itself.
    """

    begin: int
    count: int
    positions: Tensor | None = None
    sees: Tensor | None = None

    @property
    def end(self) -> int:
        """How many tokens are held when the pass is over."""
        return self.begin + self.count


def place_of(committed: int, parents: Sequence[int], count: int, device: torch.device) -> Place:
    """The geometry of the last `count` of the pending tokens.

    Args:
        committed: tokens of text in the cache; the pending ones lie behind them in the order they were read.
        parents: of every pending token, the pending token that it follows, -1 for the text. A parent comes before its child.
    """
    begin = committed + len(parents) - count
    if list(parents) == list(range(-1, len(parents) - 1)):
        return Place(begin, count)
    lines: list[list[int]] = []
    for index, parent in enumerate(parents):
        lines.append([*(lines[parent] if parent >= 0 else []), index])
    rows = [row for row, line in enumerate(lines[-count:]) for _ in line]
    columns = [committed + index for line in lines[-count:] for index in line]
    sees = torch.zeros(count, begin + count, dtype=torch.bool)
    sees[:, :committed] = True
    sees[rows, columns] = True
    positions = torch.tensor([committed + len(line) - 1 for line in lines[-count:]])
    return Place(begin, count, positions.to(device), sees.to(device))
