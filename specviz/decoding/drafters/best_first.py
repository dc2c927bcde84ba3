"""Trees of ranks: the nodes whose paths have the largest products of weights, where a weight depends on depth and rank alone."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RankTree:
    """A tree whose nodes are ranks: node i is the token of this rank, counted from 0, among those that are likeliest at its depth.

    Attributes:
        parents: as in `specviz.decoding.protocols.Draft`. Nodes come level by level, better siblings first.
        depths: counted from 0.
        ranks: counted from 0.
    """

    parents: tuple[int, ...]
    depths: tuple[int, ...]
    ranks: tuple[int, ...]


def best_first(weights: Sequence[Sequence[float]], nodes: int) -> RankTree:
    """The tree that grows by the node of the largest product along its path, until it has this many nodes or nothing is left.

    A node joins after its better sibling and after its parent, so with weights that fall with the rank no other tree has a larger sum of
    products.

    Args:
        weights: of each rank at each depth, from 0 to 1: the probability that this token is accepted where it is tried.
    """
    paths: list[tuple[int, ...]] = []
    waiting: list[tuple[float, tuple[int, ...]]] = [(-weights[0][0], (0,))] if weights and weights[0] else []
    while waiting and len(paths) < nodes:
        negative, path = heapq.heappop(waiting)
        paths.append(path)
        depth, rank = len(path) - 1, path[-1]
        before = _product(weights, path[:-1])
        if rank + 1 < len(weights[depth]):
            heapq.heappush(waiting, (-before * weights[depth][rank + 1], (*path[:-1], rank + 1)))
        if depth + 1 < len(weights) and weights[depth + 1]:
            heapq.heappush(waiting, (negative * weights[depth + 1][0], (*path, 0)))
    paths.sort(key=lambda path: (len(path), path))
    numbers = {path: number for number, path in enumerate(paths)}
    return RankTree(
        parents=tuple(numbers[path[:-1]] if len(path) > 1 else -1 for path in paths),
        depths=tuple(len(path) - 1 for path in paths),
        ranks=tuple(path[-1] for path in paths),
    )


def _product(weights: Sequence[Sequence[float]], path: Sequence[int]) -> float:
    product = 1.0
    for depth, rank in enumerate(path):
        product *= weights[depth][rank]
    return product
