"""A small model drafts a tree: several guesses at one position, so that one rejected guess need not end the round.

Siblings are drawn independently (SpecInfer), drawn without replacement (Sequoia), or the top n are selected (EAGLE-2);
`specviz.decoding.judge.tree` explains why all three keep the target's distribution. The shape of a tree of drawn tokens is fixed
before anything is drawn; a tree of top tokens grows where the draft is most confident.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, isnan

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.none import nothing
from specviz.decoding.protocols import Draft, LanguageModel
from specviz.decoding.sampling import Draws, not_numbers, perturbed, warp, widen
from specviz.settings import Settings

DESCRIPTION = Description(
    name="tree",
    label="tree of drafts",
    explanation="The draft model makes several guesses at one position, so that one rejected guess need not end the round.",
    needs="draft model",
    shape="tree",
    siblings=("sampled", "distinct", "top"),
    picture="model",
    does="a small model's guesses, several at one position",
    drafting="The draft model guesses {count}, several at one position: a tree.",
)


def make(kit: Kit, costs: Costs | None) -> "TreeDrafter":
    """A drafter of trees that uses the pair's draft model."""
    return TreeDrafter(kit.draft)


_ROOT = -1
_ASSUMED_ACCEPTANCE = 0.7
"""The acceptance rate that the fixed shape assumes for every token; it only affects the shape."""


class TreeDrafter:
    """Drafts a tree of at most `settings.nodes` tokens, at most `limit` deep, with one pass of its model per level.

    Where every distribution is one-hot the children are always the top n: by probability at temperature 0; with shared
    noise after adding the noise, which is a draw without replacement.
    """

    name = DESCRIPTION.name

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self._prompt = self._known = self._seen = 0
        self._draft: Draft | None = None
        self._reader = _Reader(model, 0)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self.model.begin(capacity)
        self._prompt, self._known, self._draft = len(prompt), len(prompt) - 1, None
        if self._known:
            self.model.forward(torch.tensor(prompt[:-1], device=self.model.device), rows=1)
            self.model.keep(range(self._known))

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree. Selecting the top n waits for the device once per level, to decide where the tree grows."""
        self._settle(committed)
        if limit == 0:
            return nothing(self.model.vocabulary, self.model.device)
        unread = torch.tensor(committed[self._known :], device=self.model.device)
        self._reader = _Reader(self.model, len(unread))
        root = self.model.forward(unread, rows=1).logits
        offset = len(committed) - self._prompt
        if settings.certain or settings.children == "top":
            self._draft = self._grown(root, settings, limit, offset)
        else:
            self._draft = self._drawn(root, settings, draws, limit)
        self._seen = len(committed)
        return self._draft

    def _drawn(self, root: Tensor, settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree of a fixed shape, its tokens drawn from q, level by level."""
        parents = fixed_shape(settings.nodes, limit)
        families = _families(parents)
        tokens: list[Tensor] = []
        probabilities: list[Tensor] = []
        logits: list[Tensor] = []
        rows, level = root, [_ROOT]
        while level:
            for row, node in zip(rows, level, strict=True):
                children = families[node]
                for q, token in _siblings(warp(row, settings), len(children), settings, draws):
                    tokens.append(token)
                    probabilities.append(q)
                    logits.append(row)
            first = families[level[0]][0]
            level = [node for node in range(first, len(tokens)) if node in families]
            if level:
                rows = self._reader.read(level, torch.stack([tokens[node] for node in level]), parents)
        return Draft(torch.stack(tokens), parents, torch.stack(probabilities), torch.stack(logits))

    def _grown(self, root: Tensor, settings: Settings, limit: int, offset: int) -> Draft:
        """A tree of the tokens with the highest products of probabilities along their paths, found level by level.

        No more tokens are read than the tree may have; each level gets an even share of those that remain.
        """
        pool: list[_Candidate] = []
        rows, level, read = root, [_ROOT], 0
        for depth in range(limit):
            pool.extend(self._children(rows, level, pool, settings, offset + depth))
            if depth + 1 == limit:
                break
            share = ceil((settings.nodes - read) / (limit - 1 - depth))
            best = _best(pool, settings.nodes)
            level = sorted(
                sorted((i for i in best if pool[i].depth == depth + 1), key=lambda i: -pool[i].log_q)[:share]
            )
            if not level:
                break
            read += len(level)
            tokens = torch.tensor([pool[i].token for i in level], device=self.model.device)
            rows = self._reader.read(level, tokens, [candidate.parent for candidate in pool])
        chosen = _best(pool, settings.nodes)
        numbers = {old: new for new, old in enumerate(chosen)}
        self._reader.renumber(numbers)
        return self._certain([pool[i] for i in chosen], numbers)

    def _children(
        self, rows: Tensor, level: Sequence[int], pool: "Sequence[_Candidate]", settings: Settings, position: int
    ) -> "list[_Candidate]":
        """The candidates that follow the nodes of a level."""
        if settings.greedy:
            scores = widen(rows).log_softmax(dim=-1)
        elif settings.shared_noise:
            scores = perturbed(rows, settings, [position] * len(level)).log_softmax(dim=-1)
        else:
            scores = warp(rows, settings).log()
        top = scores.topk(min(settings.nodes, scores.shape[-1]), dim=-1)
        # An id that the model cannot write has the lowest number as its score, and a finite log probability.
        lacking = rows.gather(-1, top.indices) == torch.finfo(rows.dtype).min
        likely = top.values.double() + torch.where(lacking, -inf, 0.0)
        values: list[list[list[float]]] = torch.stack([top.indices.double(), likely]).tolist()
        found = []
        for row, node in enumerate(level):
            depth, before = (pool[node].depth, pool[node].log_q) if node != _ROOT else (0, 0.0)
            for token, log_q in zip(values[0][row], values[1][row], strict=True):
                if isnan(log_q):
                    raise not_numbers("draft", rows.dtype)
                if log_q > -inf:
                    found.append(_Candidate(int(token), node, depth + 1, before + min(0.0, log_q), rows[row]))
        return found

    def _certain(self, chosen: "Sequence[_Candidate]", numbers: dict[int, int]) -> Draft:
        tokens = torch.tensor([candidate.token for candidate in chosen], device=self.model.device)
        logits = torch.stack([candidate.logits for candidate in chosen])
        one_hot = torch.zeros_like(widen(logits)).scatter_(-1, tokens.unsqueeze(-1), 1.0)
        parents = tuple(numbers[candidate.parent] if candidate.parent != _ROOT else _ROOT for candidate in chosen)
        return Draft(tokens, parents, one_hot, logits)

    def _settle(self, committed: Sequence[int]) -> None:
        """Keep the tree's tokens that were read and that the text continues with; drop the rest.

        The tree's tokens are fetched after the round that judged them, so nothing has to wait.
        """
        if self._draft is None:
            return
        new = committed[self._seen : -1]  # the last token is read again: a node that was never judged may equal it
        tokens: list[int] = self._draft.tokens.tolist()
        paths: dict[int, list[int]] = {_ROOT: []}
        for node, (token, parent) in enumerate(zip(tokens, self._draft.parents, strict=True)):
            path = paths.get(parent)
            if path is not None and node in self._reader.slots and len(path) < len(new) and token == new[len(path)]:
                paths[node] = [*path, self._reader.slots[node]]
        kept = [*range(self._reader.unread), *max(paths.values(), key=len)]
        self.model.keep(kept)
        self._known, self._draft = self._known + len(kept), None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A token that may become part of a tree: its parent, its depth, the log probability of its path, its scores."""

    token: int
    parent: int
    depth: int
    log_q: float
    logits: Tensor


class _Reader:
    """Lets a model read a tree level by level, and knows the index of each node among the pending tokens.

    Args:
        unread: how many committed tokens were read before the tree; they come first among the pending tokens.

    Attributes:
        slots: node -> index among the pending tokens, for every node that was read.
    """

    def __init__(self, model: LanguageModel, unread: int) -> None:
        self.unread = unread
        self.slots: dict[int, int] = {}
        self._model = model

    def read(self, nodes: Sequence[int], tokens: Tensor, parents: Sequence[int]) -> Tensor:
        """[n, V] scores of the tokens that follow these nodes; their parents must have been read before."""
        first = self.unread + len(self.slots)
        parent_slots = [self.slots[parents[n]] if parents[n] != _ROOT else self.unread - 1 for n in nodes]
        self.slots.update((node, first + i) for i, node in enumerate(nodes))
        return self._model.forward(tokens, [slot - first for slot in parent_slots]).logits

    def renumber(self, numbers: dict[int, int]) -> None:
        """Give the nodes new numbers; those without one are not part of the tree."""
        self.slots = {numbers[node]: slot for node, slot in self.slots.items() if node in numbers}


@lru_cache(maxsize=64)
def fixed_shape(nodes: int, depth: int) -> tuple[int, ...]:
    """The parents of the tree with this many nodes and at most this depth that maximises the expected number of accepted tokens.

    Nodes come level by level, earlier siblings first. The expectation assumes that every token is accepted with the same
    probability a when it is tried, so that the i-th sibling is reached with (1 - a)^i: the nodes with the largest products
    are chosen.
    """
    paths: list[tuple[int, ...]] = []
    waiting: list[tuple[float, tuple[int, ...]]] = [(-_ASSUMED_ACCEPTANCE, (0,))]
    while waiting and len(paths) < nodes:
        negative, path = heapq.heappop(waiting)
        paths.append(path)
        heapq.heappush(waiting, (negative * (1 - _ASSUMED_ACCEPTANCE), (*path[:-1], path[-1] + 1)))
        if len(path) < depth:
            heapq.heappush(waiting, (negative * _ASSUMED_ACCEPTANCE, (*path, 0)))
    paths.sort(key=lambda path: (len(path), path))
    numbers = {path: number for number, path in enumerate(paths)}
    return tuple(numbers[path[:-1]] if len(path) > 1 else _ROOT for path in paths)


def _families(parents: Sequence[int]) -> dict[int, list[int]]:
    """The children of every node that has any."""
    families: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        families.setdefault(parent, []).append(node)
    return families


def _siblings(q: Tensor, count: int, settings: Settings, draws: Draws) -> list[tuple[Tensor, Tensor]]:
    """`count` tokens from q, each with the distribution that it was drawn from.

    Distinct ones are drawn without their earlier siblings, renormalised; once all tokens have been drawn it starts again with q.
    """
    drawn = []
    rest = q
    for _ in range(count):
        token = draws.token(rest).token
        drawn.append((rest, token))
        if settings.children == "distinct":
            left = rest.scatter(-1, token.reshape(1), 0.0)
            total = left.sum()
            rest = torch.where(total > 0, left / total.clamp_min(torch.finfo(q.dtype).tiny), q)
    return drawn


def _best(pool: Sequence[_Candidate], count: int) -> list[int]:
    """The indices of the most likely candidates in order; a parent comes before its children and is never less likely."""
    return sorted(sorted(range(len(pool)), key=lambda i: -pool[i].log_q)[:count])
