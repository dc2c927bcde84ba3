"""What is the same in every network that reads trees in one pass, or not at all, and that drafts token by token."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Self

import torch
from torch import Tensor

from specviz.errors import PairError

DraftStep = Callable[[Tensor, Tensor | None], tuple[Tensor, tuple[Tensor, ...]]]
"""From the logits [1, head rows] and this step's row of the numbers to the id [1] to read next and what to keep of the step: the drawn
id [], the distribution [V] that it was drawn from, and the logits [V]."""
NOT_AT_ONCE = (
    "A full draft was requested in one call, which needs CUDA graphs and a chain of tokens: read token by token."
)


def at_taps(entering: Mapping[int, Tensor] | Sequence[Tensor], taps: Sequence[int], logits: Tensor) -> Tensor:
    """The states [m, taps, width] out of those [m, width] by layer; [m, 0, 0] like the logits without taps."""
    return torch.stack([entering[tap] for tap in taps], dim=1) if taps else logits.new_zeros(0, 0, 0)


class OrdinaryNetwork:
    """These parts of a `specviz.models.networks.network.Network`."""

    tree_refusal = ""
    trees_by_path = ""
    taps: tuple[int, ...] = ()

    @property
    def innermost(self) -> Self:
        return self

    def show(self, taps: tuple[int, ...]) -> None:
        self.taps = taps

    @property
    def drafts_at_once(self) -> bool:
        return False

    def boundaries(self, first: int, last: int) -> list[int]:
        return [first]

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: DraftStep, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        raise PairError(NOT_AT_ONCE)
