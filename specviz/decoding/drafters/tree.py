"""A small model drafts a tree: several guesses at one position, so that one rejected guess need not end the round.

Siblings are drawn independently (SpecInfer), drawn without replacement (Sequoia), or the top n are taken (EAGLE-2);
`specviz.decoding.judge.tree` explains why all three keep the target's distribution. A tree of drawn tokens has a shape that was fixed
before anything was drawn; a tree of top tokens grows where the draft is most confident.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.none import nothing
from specviz.decoding.protocols import Draft, LanguageModel
from specviz.decoding.sampling import Draws, perturbed, warp, widen
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
    """The pair's draft model as a drafter of trees."""
    return TreeDrafter(kit.draft)


_ROOT = -1
_LIKELY = 0.7
"""The acceptance rate that the fixed shape assumes for every token that is tried; it decides nothing but the shape."""


class TreeDrafter:
    """Drafts a tree of at most `settings.nodes` tokens, at most `limit` deep, with one pass of its model a level.

    Where every distribution is one-hot the children are always the top few: at temperature 0 the likeliest, with shared
    noise the first after the noise, which are a draw without replacement.
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

    def propose(
        self, committed: Sequence[int], hidden: Tensor | None, settings: Settings, draws: Draws, limit: int
    ) -> Draft:
        """A tree. Taking the top few looks at the device once a level, to see where the tree grows."""
        self._settle(committed)
        if limit == 0:
            return nothing(self.model.vocabulary, self.model.device)
        unread = torch.tensor(committed[self._known :], device=self.model.device)
        self._reader = _Reader(self.model, len(unread))
        root = self.model.forward(unread, rows=1).logits
        place = len(committed) - self._prompt
        if settings.certain or settings.children == "top":
            self._draft = self._grown(root, settings, limit, place)
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

    def _grown(self, root: Tensor, settings: Settings, limit: int, place: int) -> Draft:
        """A tree of the likeliest tokens by the product of their probabilities, found level by level.

        No more tokens are read than the tree may have, each level getting an even share of what is left of them.
        """
        pool: list[_Candidate] = []
        rows, level, read = root, [_ROOT], 0
        for depth in range(limit):
            pool.extend(self._children(rows, level, pool, settings, place + depth))
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
        names = {old: new for new, old in enumerate(chosen)}
        self._reader.rename(names)
        return self._certain([pool[i] for i in chosen], names)

    def _children(
        self, rows: Tensor, level: Sequence[int], pool: "Sequence[_Candidate]", settings: Settings, place: int
    ) -> "list[_Candidate]":
        """The candidates that follow the nodes of a level."""
        if settings.greedy:
            scores = widen(rows).log_softmax(dim=-1)
        elif settings.shared_noise:
            scores = perturbed(rows, settings, [place] * len(level)).log_softmax(dim=-1)
        else:
            scores = warp(rows, settings).log()
        top = scores.topk(min(settings.nodes, scores.shape[-1]), dim=-1)
        values: list[list[list[float]]] = torch.stack([top.indices.double(), top.values.double()]).tolist()
        found = []
        for row, node in enumerate(level):
            depth, before = (pool[node].depth, pool[node].log_q) if node != _ROOT else (0, 0.0)
            for token, log_q in zip(values[0][row], values[1][row], strict=True):
                if log_q > -inf:
                    found.append(_Candidate(int(token), node, depth + 1, before + min(0.0, log_q), rows[row]))
        return found

    def _certain(self, chosen: "Sequence[_Candidate]", names: dict[int, int]) -> Draft:
        tokens = torch.tensor([candidate.token for candidate in chosen], device=self.model.device)
        logits = torch.stack([candidate.logits for candidate in chosen])
        one_hot = torch.zeros_like(widen(logits)).scatter_(-1, tokens.unsqueeze(-1), 1.0)
        parents = tuple(names[candidate.parent] if candidate.parent != _ROOT else _ROOT for candidate in chosen)
        return Draft(tokens, parents, one_hot, logits)

    def _settle(self, committed: Sequence[int]) -> None:
        """Keep what the text and the last tree have in common and has been read; drop the rest.

        The tree's tokens are fetched when the round that judged them is over, so nothing is waited for.
        """
        if self._draft is None:
            return
        new = committed[self._seen :]
        tokens: list[int] = self._draft.tokens.tolist()
        ways: dict[int, list[int]] = {_ROOT: []}
        for node, (token, parent) in enumerate(zip(tokens, self._draft.parents, strict=True)):
            way = ways.get(parent)
            if way is not None and node in self._reader.places and len(way) < len(new) and token == new[len(way)]:
                ways[node] = [*way, self._reader.places[node]]
        path = [*range(self._reader.unread), *max(ways.values(), key=len)]
        self.model.keep(path)
        self._known, self._draft = self._known + len(path), None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A token that may become part of a tree: what it follows, how deep, the log of its way's probability, its scores."""

    token: int
    parent: int
    depth: int
    log_q: float
    logits: Tensor


class _Reader:
    """Lets a model read a tree level by level, and knows at which pending place each node lies.

    Args:
        unread: how many committed tokens were read before the tree; they come first among the pending.

    Attributes:
        places: of every node that was read.
    """

    def __init__(self, model: LanguageModel, unread: int) -> None:
        self.unread = unread
        self.places: dict[int, int] = {}
        self._model = model

    def read(self, nodes: Sequence[int], tokens: Tensor, parents: Sequence[int]) -> Tensor:
        """[n, V] scores of what follows each of these nodes, whose parents have been read before."""
        first = self.unread + len(self.places)
        behind = [self.places[parents[n]] if parents[n] != _ROOT else self.unread - 1 for n in nodes]
        self.places.update((node, first + i) for i, node in enumerate(nodes))
        return self._model.forward(tokens, [place - first for place in behind]).logits

    def rename(self, names: dict[int, int]) -> None:
        """Call the nodes by other numbers; those without one are not part of the tree."""
        self.places = {names[node]: place for node, place in self.places.items() if node in names}


@lru_cache(maxsize=64)
def fixed_shape(nodes: int, depth: int) -> tuple[int, ...]:
    """The parents of the tree of so many nodes, at most so deep, with the most tokens expected to be accepted.

    Level by level, elder siblings first. Expected where every token is accepted with one and the same probability a when
    it is tried, so that the i-th sibling is reached with (1 - a)^i: the nodes with the largest products are taken.
    """
    ways: list[tuple[int, ...]] = []
    waiting: list[tuple[float, tuple[int, ...]]] = [(-_LIKELY, (0,))]
    while waiting and len(ways) < nodes:
        negative, way = heapq.heappop(waiting)
        ways.append(way)
        heapq.heappush(waiting, (negative * (1 - _LIKELY), (*way[:-1], way[-1] + 1)))
        if len(way) < depth:
            heapq.heappush(waiting, (negative * _LIKELY, (*way, 0)))
    ways.sort(key=lambda way: (len(way), way))
    numbers = {way: number for number, way in enumerate(ways)}
    return tuple(numbers[way[:-1]] if len(way) > 1 else _ROOT for way in ways)


def _families(parents: Sequence[int]) -> dict[int, list[int]]:
    """The children of every node that has any."""
    families: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        families.setdefault(parent, []).append(node)
    return families


def _siblings(q: Tensor, count: int, settings: Settings, draws: Draws) -> list[tuple[Tensor, Tensor]]:
    """So many tokens from q, each with the distribution that it was drawn from.

    Distinct ones are drawn from what their elder siblings left; when everything has been drawn, q starts anew.
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
    """The places of the likeliest candidates in order; a parent comes before its children and is never less likely."""
    return sorted(sorted(range(len(pool)), key=lambda i: -pool[i].log_q)[:count])
