"""Growing a tree of guesses with anything that can read tokens, level by level, and score what follows each of them.

The shape of a tree of drawn tokens is fixed before anything is drawn; a tree of top tokens grows where the draft is most confident.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, isnan

import torch
from torch import Tensor

from specviz.decoding.drafters.best_first import best_first
from specviz.decoding.drafters.certain import selected
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws, not_numbers, perturbed, warp, widen
from specviz.settings import Settings

ROOT = -1  # the parent of a tree's first tokens: the last committed token
# The acceptance rate that the fixed shape assumes for every token; it only affects the shape.
_ASSUMED_ACCEPTANCE = 0.7


class LevelReader:
    """Reads a tree level by level, and knows the index of each node among the pending tokens.

    Args:
        read: reads [n] tokens with their parents, as `LanguageModel.forward` does, and returns the scores [n, V] of what follows each.
        unread: how many committed tokens were read before the tree; they come first among the pending tokens.

    Attributes:
        slots: node -> index among the pending tokens, for every node that was read.
    """

    def __init__(self, read: Callable[[Tensor, Sequence[int]], Tensor], unread: int = 0) -> None:
        self.unread = unread
        self.slots: dict[int, int] = {}
        self._read = read

    def read(self, nodes: Sequence[int], tokens: Tensor, parents: Sequence[int]) -> Tensor:
        """[n, V] scores of the tokens that follow these nodes; their parents must have been read before."""
        first = self.unread + len(self.slots)
        parent_slots = [self.slots[parents[n]] if parents[n] != ROOT else self.unread - 1 for n in nodes]
        self.slots.update((node, first + i) for i, node in enumerate(nodes))
        return self._read(tokens, [slot - first for slot in parent_slots])

    def renumber(self, numbers: dict[int, int]) -> None:
        """Give the nodes new numbers; those without one are not part of the tree."""
        self.slots = {numbers[node]: slot for node, slot in self.slots.items() if node in numbers}


def tree_of(root: Tensor, reader: LevelReader, settings: Settings, draws: Draws, limit: int, offset: int) -> Draft:
    """A tree of at most `settings.nodes` tokens, at most `limit` deep, with at most `limit - 1` readings.

    Where every distribution is one-hot the children are always the top n: by probability at temperature 0; with shared
    noise after adding the noise, which is a draw without replacement. Selecting the top n waits for the device once per level,
    to decide where the tree grows.

    Args:
        root: [1, V] scores of what follows the text.
        reader: reads the tree; afterwards its slots have the draft's own numbers.
        limit: at least 1.
        offset: how many new tokens the text has before the tree.
    """
    if settings.certain or settings.children == "top":
        return grown(root, reader, settings, limit, offset)
    return _drawn(root, reader, settings, draws, limit)


def _drawn(root: Tensor, reader: LevelReader, settings: Settings, draws: Draws, limit: int) -> Draft:
    """A tree of a fixed shape, its tokens drawn from q, level by level."""
    parents = fixed_shape(settings.nodes, limit)
    families = _families(parents)
    tokens: list[Tensor] = []
    probabilities: list[Tensor] = []
    logits: list[Tensor] = []
    rows, level = root, [ROOT]
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
            rows = reader.read(level, torch.stack([tokens[node] for node in level]), parents)
    return Draft(torch.stack(tokens), parents, torch.stack(probabilities), torch.stack(logits))


def grown(
    root: Tensor, reader: LevelReader, settings: Settings, limit: int, offset: int, *, sparing: bool = True
) -> Draft:
    """A tree of the tokens with the highest products of probabilities along their paths, found level by level.

    A path never becomes likelier when it grows. So of the nodes of one depth only those among the best `settings.nodes` so far can have children in
    the final tree, and if all of these are read, this is the tree that a search from the best node to the next finds.

    Args:
        sparing: read no more tokens than the tree may have; each level gets an even share of those that remain.
    """
    pool: list[_Candidate] = []
    rows, level, nodes_read = root, [ROOT], 0
    for depth in range(limit):
        pool.extend(_children(rows, level, pool, settings, offset + depth))
        if depth + 1 == limit:
            break
        share = ceil((settings.nodes - nodes_read) / (limit - 1 - depth)) if sparing else None
        likely = best([candidate.log_q for candidate in pool], settings.nodes)
        level = sorted(sorted((i for i in likely if pool[i].depth == depth + 1), key=lambda i: -pool[i].log_q)[:share])
        if not level:
            break
        nodes_read += len(level)
        tokens = torch.tensor([pool[i].token for i in level], device=root.device)
        rows = reader.read(level, tokens, [candidate.parent for candidate in pool])
    nodes = best([candidate.log_q for candidate in pool], settings.nodes)
    numbers = {old: new for new, old in enumerate(nodes)} | {ROOT: ROOT}
    reader.renumber(numbers)
    tokens = torch.tensor([pool[i].token for i in nodes], device=root.device)
    parents = tuple(numbers[pool[i].parent] for i in nodes)
    return selected(tokens, parents, torch.stack([pool[i].logits for i in nodes]))


def _children(
    rows: Tensor, level: Sequence[int], pool: "Sequence[_Candidate]", settings: Settings, position: int
) -> "list[_Candidate]":
    """The candidates that follow the nodes of a level."""
    candidates = []
    for row, (node, top) in enumerate(
        zip(level, ranked(rows, settings, [position] * len(level), settings.nodes), strict=True)
    ):
        depth, before = (pool[node].depth, pool[node].log_q) if node != ROOT else (0, 0.0)
        candidates += [_Candidate(likely.token, node, depth + 1, before + likely.log_q, rows[row]) for likely in top]
    return candidates


@dataclass(frozen=True, slots=True)
class Likely:
    """A token and its log probability, at most 0."""

    token: int
    log_q: float


def ranked(rows: Tensor, settings: Settings, positions: Sequence[int], count: int) -> list[list[Likely]]:
    """For each of these [n, V] scores the `count` likeliest tokens that the model can write, best first, on the host. Raises
    ScoresError if the scores are not numbers.

    Args:
        positions: the index among the new tokens of the token that each row chooses; with shared noise it decides the order.
    """
    if settings.greedy:
        scores = widen(rows).log_softmax(dim=-1)
    elif settings.shared_noise:
        scores = perturbed(rows, settings, positions).log_softmax(dim=-1)
    else:
        scores = warp(rows, settings).log()
    top = scores.topk(min(count, scores.shape[-1]), dim=-1)
    # An id that the model cannot write has the lowest number as its score, and a finite log probability.
    lacking = rows.gather(-1, top.indices) == torch.finfo(rows.dtype).min
    logs = top.values.double() + torch.where(lacking, -inf, 0.0)
    values: list[list[list[float]]] = torch.stack([top.indices.double(), logs]).tolist()
    if any(isnan(log_q) for row in values[1] for log_q in row):
        raise not_numbers("draft", rows.dtype)
    return [
        [Likely(int(token), min(0.0, log_q)) for token, log_q in zip(*row, strict=True) if log_q > -inf]
        for row in zip(*values, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A token that may become part of a tree: its parent, its depth, the log probability of its path, its scores."""

    token: int
    parent: int
    depth: int
    log_q: float
    logits: Tensor


@lru_cache(maxsize=64)
def fixed_shape(nodes: int, depth: int) -> tuple[int, ...]:
    """The parents of the tree with this many nodes and at most this depth that maximises the expected number of accepted tokens.

    Nodes come level by level, earlier siblings first. The expectation assumes that every token is accepted with the same
    probability a when it is tried, so that the i-th sibling is reached with (1 - a)^i: the nodes with the largest products
    are chosen.
    """
    ranks = [_ASSUMED_ACCEPTANCE * (1 - _ASSUMED_ACCEPTANCE) ** rank for rank in range(nodes)]
    return best_first([ranks] * depth, nodes).parents


def _families(parents: Sequence[int]) -> dict[int, list[int]]:
    families: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        families.setdefault(parent, []).append(node)
    return families


def _siblings(q: Tensor, count: int, settings: Settings, draws: Draws) -> list[tuple[Tensor, Tensor]]:
    """`count` tokens from q, each with the distribution that it was drawn from.

    Distinct ones are drawn without their earlier siblings, renormalised; once all tokens have been drawn it starts again with q.
    """
    siblings = []
    rest = q
    for _ in range(count):
        token = draws.token(rest).token
        siblings.append((rest, token))
        if settings.children == "distinct":
            remaining = rest.scatter(-1, token.reshape(1), 0.0)
            total = remaining.sum()
            rest = torch.where(total > 0, remaining / total.clamp_min(torch.finfo(q.dtype).tiny), q)
    return siblings


def best(log_q: Sequence[float], count: int) -> list[int]:
    """The indices of the most likely paths in order; a parent comes before its children and is never less likely."""
    return sorted(sorted(range(len(log_q)), key=lambda i: -log_q[i])[:count])
