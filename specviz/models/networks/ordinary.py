"""What is the same in every network that reads trees in one pass, or not at all, and that drafts token by token."""

from collections.abc import Callable, Hashable
from typing import Self

from torch import Tensor

from specviz.errors import PairError

DraftStep = Callable[[Tensor, Tensor | None], tuple[Tensor, tuple[Tensor, ...]]]
"""From the logits [1, head rows] and this step's row of the numbers to the id [1] to read next and what to keep of the step: the drawn
id [], the distribution [V] that it was drawn from, and the logits [V]."""
NOT_AT_ONCE = (
    "A full draft was requested in one call, which needs CUDA graphs and a chain of tokens: read token by token."
)


class OrdinaryNetwork:
    """These parts of a `specviz.models.networks.choice.Network`."""

    tree_refusal = ""
    trees_by_path = ""

    @property
    def innermost(self) -> Self:
        return self

    @property
    def drafts_at_once(self) -> bool:
        return False

    def boundaries(self, first: int, last: int) -> list[int]:
        return [first]

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: DraftStep, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        raise PairError(NOT_AT_ONCE)
