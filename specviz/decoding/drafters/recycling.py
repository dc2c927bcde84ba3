"""Token recycling: the target's own guesses of earlier passes are kept in a table and proposed again. No model, no training.

Luo et al., "Turning Trash into Treasure: Accelerating Inference of Large Language Models with Token Recycling", arXiv 2408.08696:
every pass of the target scores what follows each token that it read, those of rejected branches too. The table keeps the latest top
successors of every token, and a draft is a small tree of successors of successors. The paper keeps its table from one request to the
next. Here every text begins with an empty one, so that a run can be repeated from its settings alone.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.certain import certain
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.none import nothing
from specviz.decoding.protocols import Draft, Reading
from specviz.decoding.sampling import Draws
from specviz.settings import Settings

DESCRIPTION = Description(
    name="recycling",
    label="token recycling",
    explanation="No model at all: what the target itself last thought likely after a token is proposed again, as a small tree.",
    shape="tree",
    picture="table",
    does="no model: recycles the target's earlier guesses",
    drafting="A table has what the target last thought likely after each token. A tree grows from it: {count}.",
    idle="The target has not read this token before: the table has nothing to recycle.",
)

SUCCESSORS = 8
"""How many successors of a token the table keeps."""
_ASSUMED_ACCEPTANCE = (0.42, 0.1, 0.04, 0.03, 0.02, 0.02, 0.015, 0.015)
"""How often the successor of each rank is assumed to be the target's next token, about as counted on texts of the embedded pair; it
only affects the shape of the tree."""


def make(kit: Kit, costs: Costs | None) -> "RecyclingDrafter":
    """A drafter whose table has ids of the target's vocabulary."""
    return RecyclingDrafter(kit.target.vocabulary, kit.target.device)


class RecyclingDrafter:
    """Keeps the latest top successors of every token, and drafts the tree that the table makes most likely.

    The table starts with the bigrams of the prompt. The tokens are selected, not drawn, so q is 1.

    Args:
        vocabulary, device: the target's, for tensors of the right shape.
    """

    name = DESCRIPTION.name
    taps = ()

    def __init__(self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32) -> None:
        self._vocabulary, self._device, self._dtype = vocabulary, device, dtype
        self._successors: dict[int, list[int]] = {}
        self._unread: list[Reading] = []

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Start a new table with the successors of each token in the prompt, latest first."""
        self._unread.clear()
        self._successors.clear()
        for token, following in zip(prompt[:-1], prompt[1:], strict=True):
            known = self._successors.get(token, [])
            self._successors[token] = [following, *(other for other in known if other != following)][:SUCCESSORS]

    def saw(self, reading: Reading) -> None:
        self._unread.append(reading)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree of at most `settings.nodes` tokens, at most `limit` deep. It waits for the device once, for the new rows of the table."""
        while self._unread:
            self._recycle(self._unread.pop(0))
        tokens, parents = self._grown(committed[-1], settings.nodes, limit)
        if not tokens:
            return nothing(self._vocabulary, self._device, self._dtype)
        return certain(tokens, parents, self._vocabulary, self._device, self._dtype)

    def _recycle(self, reading: Reading) -> None:
        """Enter the top successors of every scored token, those that joined the text last: of two rows for one token the later one stays."""
        logits = reading.scores.logits
        first = len(reading.tokens) - len(logits)  # of a prompt only the last row is scored
        tokens: list[int] = reading.tokens[first:].tolist()
        rows: list[list[int]] = logits.topk(min(SUCCESSORS, logits.shape[-1]), dim=-1).indices.tolist()
        kept = [index - first for index in reading.kept if index >= first]
        for row in [*sorted(set(range(len(tokens))) - set(kept)), *kept]:
            self._successors[tokens[row]] = rows[row]

    def _grown(self, root: int, nodes: int, depth: int) -> tuple[list[int], list[int]]:
        """Tokens and parents of the tree with the largest products of assumed acceptance along its paths.

        Branches that the table does not know are left out; where it knows all of them the shape is always the same.
        """
        tokens: list[int] = []
        parents: list[int] = []
        waiting: list[_Candidate] = []

        def add(after: int, parent: int, rank: int, level: int, reach: float) -> None:
            if level <= depth and rank < len(self._successors.get(after, ())):
                likely = reach * _ASSUMED_ACCEPTANCE[rank]
                heapq.heappush(waiting, _Candidate((-likely, parent, rank), after, level, reach))

        add(root, -1, 0, 1, 1.0)
        while waiting and len(tokens) < nodes:
            best = heapq.heappop(waiting)
            negative, parent, rank = best.order
            tokens.append(self._successors[best.after][rank])
            parents.append(parent)
            add(best.after, parent, rank + 1, best.level, best.reach)
            add(tokens[-1], len(tokens) - 1, 0, best.level + 1, -negative)
        return tokens, parents


@dataclass(frozen=True, slots=True, order=True)
class _Candidate:
    """The next successor of a node of the tree.

    Attributes:
        order: the negative assumed probability that it is accepted, its parent, and its rank among the successors of `after`.
        after: the parent's token.
        level: its depth, from 1.
        reach: the assumed probability that its parent is accepted.
    """

    order: tuple[float, int, int]
    after: int
    level: int
    reach: float
