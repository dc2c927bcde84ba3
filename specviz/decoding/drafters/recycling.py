"""Token recycling: the target's own guesses of earlier passes are kept in a table and proposed again. No model, no training.

Luo et al., "Turning Trash into Treasure: Accelerating Inference of Large Language Models with Token Recycling", arXiv 2408.08696:
every pass of the target scores what follows each token that it read, those of rejected branches too. The table keeps the latest top
successors of every token, and a draft is a small tree of successors of successors. The paper keeps its table from one request to the
next. Here every text begins with an empty one, so that a run can be repeated from its settings alone.
"""

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.certain import certain
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.none import nothing
from specviz.decoding.protocols import Draft, Drafter, Reading
from specviz.decoding.sampling import Draws
from specviz.settings import Settings

_ROOT = -1
SUCCESSORS = 8
"""How many successors of a token the table keeps."""
_ASSUMED_ACCEPTANCE = (0.5, 0.12, 0.05, 0.03, 0.02, 0.015, 0.01, 0.01)
"""How often the successor of each rank is assumed to be the target's next token. It only affects the shape of the tree. On texts of the
embedded pair it was .42, .10, .04, .03 and less; after an accepted token the next is a little more likely to be accepted."""


def make(kit: Kit, costs: Costs | None) -> "RecyclingDrafter":
    """A drafter whose table has ids of the target's vocabulary."""
    return RecyclingDrafter(kit.target.vocabulary, kit.target.device)


class RecyclingDrafter(Drafter):
    """Keeps the latest top successors of every token, and drafts a fixed small tree of them.

    The table starts with the bigrams of the prompt. The tokens are selected, not drawn, so q is 1.

    Args:
        vocabulary, device: the target's, for tensors of the right shape.
    """

    name = "recycling"

    def __init__(self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32) -> None:
        self._vocabulary, self._device, self._dtype = vocabulary, device, dtype
        self._successors: dict[int, list[int]] = {}
        self._unread: list[Reading] = []

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Start a new table with the successors of each token in the prompt, latest first."""
        self._unread.clear()
        self._successors.clear()
        for token, following in itertools.pairwise(prompt):
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
        """Tokens and parents of the fixed tree, as far as the table knows its tokens."""
        tokens: list[int] = []
        parents: list[int] = []
        indices = {_ROOT: _ROOT}
        for number, node in enumerate(fixed_tree(nodes, depth)):
            parent = indices.get(node.parent)
            if parent is None:
                continue
            known = self._successors.get(tokens[parent] if parent != _ROOT else root, [])
            if node.rank < len(known):
                indices[number] = len(tokens)
                tokens.append(known[node.rank])
                parents.append(parent)
        return tokens, parents


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree: the index of its parent (-1: the last committed token), and its rank among the parent's successors."""

    parent: int
    rank: int


@lru_cache(maxsize=64)
def fixed_tree(nodes: int, depth: int) -> tuple[Node, ...]:
    """The tree with the largest products of assumed acceptance along its paths, parents before children, earlier siblings first."""
    found: list[Node] = []
    waiting: list[tuple[float, int, int, int]] = []

    def add(reach: float, parent: int, rank: int, level: int) -> None:
        if rank < SUCCESSORS and level <= depth:
            heapq.heappush(waiting, (-reach * _ASSUMED_ACCEPTANCE[rank], parent, rank, level))

    add(1.0, _ROOT, 0, 1)
    while waiting and len(found) < nodes:
        negative, parent, rank, level = heapq.heappop(waiting)
        found.append(Node(parent, rank))
        add(-negative / _ASSUMED_ACCEPTANCE[rank], parent, rank + 1, level)
        add(-negative, len(found) - 1, 0, level + 1)
    return tuple(found)
