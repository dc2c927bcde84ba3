"""The tree of the Medusa heads' likeliest tokens: at each depth the top ones of that depth's head, below every parent the same.

Its tokens are selected, not drawn, so each is certain: `specviz.decoding.judge.tree` explains why that keeps the target's distribution.
The shape is fixed before the run: it grows greedily by the node of the largest product of measured accuracies (Cai et al.,
arXiv 2401.10774, section 3.3), or of assumed ones where none were measured.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import torch
from torch import Tensor

from specviz.decoding.drafters.best_first import RankTree, best_first
from specviz.decoding.drafters.certain import selected
from specviz.decoding.drafters.medusa import LastState
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Draft, TrainedHead
from specviz.decoding.sampling import Draws, perturbed
from specviz.errors import PairError
from specviz.settings import Settings

# The assumed accuracy of the first head's first guess, the factor from head to head, and the shares of further
# guesses. They only affect the shape.
_FIRST, _NEXT, _SHARES = 0.6, 0.75, (1.0, 0.2, 0.1, 0.07, 0.05, 0.04, 0.03, 0.02)

# For each head and each rank the share of texts in which the token of this rank was the right one.
Accuracies = tuple[tuple[float, ...], ...]


def make(parts: Parts) -> "MedusaTreeDrafter":
    """A drafter of trees by the target's Medusa heads."""
    return MedusaTreeDrafter(parts.head)


class MedusaTreeDrafter(LastState):
    """Drafts a tree of at most `settings.nodes` tokens, at most as deep as there are heads. Nothing waits for the device.

    With shared noise the top tokens are those with the highest sum of score and noise, which is a draw without replacement.

    Raises:
        PairError: the accuracies that were noted with the head are none.
    """

    name = "medusa-tree"

    def __init__(self, head: TrainedHead) -> None:
        super().__init__(head)
        frozen = head.frozen
        ids = frozen.vocabulary if frozen.tokens is None else len(frozen.tokens)
        self._accuracies = tuple(row[:ids] for row in _accuracies(head.spec.options.get("accuracies"), self.count))
        self._nodes: tuple[RankTree, Tensor, Tensor] | None = None

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree, the same in every round but for the last ones, which may be flatter."""
        depth = min(limit, self.count)
        if self.state is None or depth <= 0:
            return self.nothing()
        tree, depths, ranks = self._placed(shape(self._accuracies[:depth], settings.nodes))
        rows = self.scores(max(tree.depths) + 1)
        scores = rows
        if settings.shared_noise and not settings.greedy:
            offset = len(committed) - self._prompt
            scores = perturbed(rows, settings, range(offset, offset + len(rows)))
        top = scores.topk(max(tree.ranks) + 1, dim=-1).indices
        tokens = top[depths, ranks]
        logits = rows[depths]
        return selected(tokens, tree.parents, logits)

    def _placed(self, tree: RankTree) -> tuple[RankTree, Tensor, Tensor]:
        """The tree with its depths and ranks on the device, copied there once."""
        if self._nodes is None or self._nodes[0] is not tree:
            device = self.head.frozen.device
            self._nodes = tree, torch.tensor(tree.depths, device=device), torch.tensor(tree.ranks, device=device)
        return self._nodes


@lru_cache(maxsize=64)
def shape(accuracies: Accuracies, nodes: int) -> RankTree:
    """The tree of this size for these heads."""
    return best_first(accuracies, nodes)


def _accuracies(measured: Any, heads: int) -> Accuracies:
    """The accuracies that were measured, as a JSON value, or the assumed ones where there are none."""
    if measured is None:
        return tuple(tuple(_FIRST * _NEXT**head * share for share in _SHARES) for head in range(heads))
    rows = measured if isinstance(measured, list) and len(measured) == heads else []
    usable = [row for row in rows if isinstance(row, list) and row and all(_is_share(value) for value in row)]
    if len(usable) != heads:
        raise PairError(
            f"The accuracies in the Medusa head's head.json are not a list of shares for each of its {heads} heads: get it again, or "
            "choose another drafter."
        )
    return tuple(_falling(row) for row in usable)


def _is_share(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def _falling(row: Sequence[float]) -> tuple[float, ...]:
    """The accuracies, lowered so that no rank has more than the rank before it: small samples can differ."""
    return tuple(accumulate((float(value) for value in row), min))
