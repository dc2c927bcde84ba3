"""Lookahead decoding: a window of guesses is iterated with the target's own passes, and what the iterations wrote is proposed. No draft model.

Fu et al., "Break the Sequential Dependency of LLM Inference Using Lookahead Decoding", ICML 2024, arXiv 2402.02057, sections 3.1 to 3.3.
Greedy decoding is a system of equations, x_i = argmax p(x | x_<i), and Jacobi iteration solves all of them at once: guess a full block, let one
pass compute what it would write after every guess, put that in place of the guesses, and so on, to the fixed point. Alone this brings almost
nothing, because a token that is right at a wrong position does not help. So the window keeps the last guesses of each column, its trajectory,
and n tokens in a row that one column went through are an n-gram for the pool. One pass of the target reads both branches:

* the lookahead branch: column c has a trajectory; its first token follows the first tokens of the columns before it, and the others follow in
  turn. The mask of the paper's figure 2 is this tree.
* the verification branch: n-grams of the pool that begin with the last token of the text.

The target judges the full tree. In the paper the lookahead branch is not judged; to do so costs nothing, and a guess that is already right is
taken. As in the paper, iterations are greedy at every temperature, and the tokens were selected, not drawn: every q is 1.

Where it loses: nearly all that is read in a pass is an iteration, not a likely guess, so few tokens are accepted for each one that was read. The
paper's speedups are those of GPUs whose idle arithmetic makes a pass over 60 to 120 tokens as fast as one over a single token; where a
longer pass takes longer, as on a CPU, the window costs more than it brings.
"""

from collections.abc import Sequence

import torch

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.certain import certain
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.none import nothing
from specviz.decoding.protocols import Draft, Drafter, Reading
from specviz.decoding.sampling import Draws
from specviz.settings import Settings

_ROOT = -1
_NOT_READ = -2
"""The node of a token that the tree has no room for."""
_LEVELS, _NODES_A_LEVEL = 3, 6
"""The longest trajectory, and for how many nodes of the tree it has a token: with the token that the next pass writes it is an n-gram, of up to four
tokens (N = 4 in the paper). On texts of the embedded pair 12 nodes brought 1.29 tokens a pass with two tokens, 1.23 with three."""
_KEPT = 8
"""How many n-grams the pool keeps for each first token, latest first."""


def make(kit: Kit, costs: Costs | None) -> "LookaheadDrafter":
    """A drafter whose window has ids of the target's vocabulary."""
    return LookaheadDrafter(kit.target.vocabulary, kit.target.device)


class LookaheadDrafter(Drafter):
    """Iterates a window of guesses, and drafts it together with the n-grams that earlier iterations wrote.

    Half of `settings.nodes` is for the window, at most as wide and as deep as `settings.k` allows; the rest is for n-grams.

    Args:
        vocabulary, device: the target's, for tensors of the right shape.
    """

    name = "lookahead"

    def __init__(self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32) -> None:
        self._vocabulary, self._device, self._dtype = vocabulary, device, dtype
        self._columns: list[list[int]] = []
        self._ends: list[int] = []
        self._pool: dict[int, list[tuple[int, ...]]] = {}
        self._reading: Reading | None = None

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Start with an empty pool and no window."""
        self._columns, self._ends, self._reading = [], [], None
        self._pool.clear()

    def saw(self, reading: Reading) -> None:
        self._reading = reading

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree of at most `settings.nodes` tokens, at most `limit` deep. It waits for the device once, for what the last pass wrote."""
        levels = max(1, min(_LEVELS, settings.k, settings.nodes // _NODES_A_LEVEL))
        width = max(1, min(settings.nodes // (2 * levels), settings.k - levels + 1))
        self._iterate(levels)
        self._fill(committed, width)
        tree = _Tree(settings.nodes, limit)
        first = _ROOT
        for column in self._columns:
            end = first = tree.add(column[0], first)
            for token in column[1:]:
                end = tree.add(token, end)
            self._ends.append(end)
        for following in self._pool.get(committed[-1], ()):
            end = _ROOT
            for token in following:
                end = tree.add(token, end)
        if not tree.tokens:
            return nothing(self._vocabulary, self._device, self._dtype)
        return certain(tree.tokens, tree.parents, self._vocabulary, self._device, self._dtype)

    def _iterate(self, levels: int) -> None:
        """Append to each column what the pass wrote after it; a full trajectory with this token is an n-gram, and its first token leaves."""
        reading, ends = self._reading, self._ends
        self._ends, self._reading = [], None
        if reading is None or not ends:
            return
        written: list[int] = reading.scores.logits.argmax(dim=-1).tolist()
        for column, end in zip(self._columns, ends, strict=True):
            if end == _NOT_READ:
                continue
            column.append(written[end + 1])
            if len(column) > levels:
                self._add(column.pop(0), tuple(column))

    def _add(self, first: int, following: tuple[int, ...]) -> None:
        known = self._pool.get(first, [])
        self._pool[first] = [following, *(other for other in known if other != following)][:_KEPT]

    def _fill(self, committed: Sequence[int], width: int) -> None:
        """Begin the columns with the end of the text, where there are none.

        An iteration moves the window by one token. Where the text grew by more, the window is not moved after it, as in the authors' program: what
        counts is which tokens follow each other in a column, and new columns would have to begin again.
        """
        for index in range(len(self._columns), width):
            self._columns.append([committed[max(0, len(committed) - width + index)]])


class _Tree:
    """A tree of at most so many nodes, so deep, in which a path that is added twice is there once."""

    def __init__(self, nodes: int, depth: int) -> None:
        self.tokens: list[int] = []
        self.parents: list[int] = []
        self._depths: list[int] = []
        self._known: dict[tuple[int, int], int] = {}
        self._nodes, self._depth = nodes, depth

    def add(self, token: int, parent: int) -> int:
        """The node of this token after a node, `_NOT_READ` where there is no room for it or for its parent."""
        if (known := self._known.get((parent, token))) is not None:
            return known
        depth = 1 + (self._depths[parent] if parent >= 0 else 0)
        if parent == _NOT_READ or depth > self._depth or len(self.tokens) == self._nodes:
            return _NOT_READ
        node = self._known[parent, token] = len(self.tokens)
        self.tokens.append(token)
        self.parents.append(parent)
        self._depths.append(depth)
        return node
