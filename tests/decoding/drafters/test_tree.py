"""Claims about trees of drafts: their shape, what is read for them, and what of them stays in the cache."""

from typing import Any

import pytest
import torch

from specviz.decoding.drafters.growing import fixed_shape
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import SeededDraws, warp
from specviz.decoding.testing import TableModel
from specviz.settings import Settings

TREE: dict[str, Any] = {"drafter": "tree", "temperature": 1.0, "max_new_tokens": 40}


def proposed(model: TableModel, settings: Settings, prompt: list[int], limit: int | None = None) -> Draft:
    drafter = TreeDrafter(model)
    drafter.begin(prompt, 200)
    return drafter.propose(prompt, settings, SeededDraws(3), settings.k if limit is None else limit)


def histories(draft: Draft, prompt: list[int]) -> list[tuple[int, ...]]:
    """The ids before each drafted token."""
    after: dict[int, tuple[int, ...]] = {-1: tuple(prompt)}
    for node, (token, parent) in enumerate(zip(draft.tokens.tolist(), draft.parents, strict=True)):
        after[node] = (*after[parent], token)
    return [after[parent] for parent in draft.parents]


def test_the_fixed_shape_by_hand() -> None:
    """With a = .7 the best nodes are worth .7, .49, .343 along the first children, then .7 · .3 = .21 for a second child."""
    assert fixed_shape(3, 3) == (-1, 0, 1)
    assert fixed_shape(4, 3) == (-1, -1, 0, 2)
    assert fixed_shape(5, 1) == (-1,) * 5


@pytest.mark.parametrize("children", ["sampled", "distinct"])
def test_drawn_tokens_come_with_the_q_they_were_drawn_from(children: str) -> None:
    """Every q is the draft's warped distribution after the token's own ancestors; a distinct one excludes the earlier siblings."""
    model, prompt = TableModel.random(6, 1, memory=3), [4, 1]
    settings = Settings(k=3, nodes=12, children=children, top_p=0.95, **TREE)
    draft = proposed(model, settings, prompt)
    assert draft.parents == fixed_shape(12, 3)
    assert draft.logits is not None
    for node, history in enumerate(histories(draft, prompt)):
        q = warp(model.scores(history), settings)
        earlier = [i for i in range(node) if draft.parents[i] == draft.parents[node]]
        if children == "distinct":
            q = q.index_fill(0, draft.tokens[earlier], 0.0)
            q = q / q.sum()
        assert torch.allclose(draft.probabilities[node], q, atol=1e-12)
        assert torch.equal(draft.logits[node], model.scores(history))
        assert float(q[draft.tokens[node]]) > 0


def path_probabilities(model: TableModel, prompt: list[int], settings: Settings, depth: int) -> list[float]:
    """The draft's probability of every path down to `depth`, largest first, by full enumeration."""
    found, level = [], [((), 1.0)]
    for _ in range(depth):
        below: list[tuple[tuple[int, ...], float]] = []
        for path, product in level:
            q = warp(model.scores((*prompt, *path)), settings)
            below += [((*path, token), product * float(p)) for token, p in enumerate(q)]
        found += [product for _, product in below]
        level = below  # type: ignore[assignment]
    return sorted(found, reverse=True)


def test_the_top_tree_is_the_best_first_tree() -> None:
    """With enough passes it contains the most likely paths; each token has q = 1, and its scores for the record."""
    model, prompt = TableModel.random(3, 1, spread=2.5), [2, 0]
    settings = Settings(k=2, nodes=4, children="top", **TREE)
    draft = proposed(model, settings, prompt)
    assert draft.logits is not None
    products: list[float] = []
    for node, history in enumerate(histories(draft, prompt)):
        above = products[draft.parents[node]] if draft.parents[node] >= 0 else 1.0
        products.append(above * float(warp(model.scores(history), settings)[draft.tokens[node]]))
        assert torch.equal(draft.logits[node], model.scores(history))
    assert sorted(products, reverse=True) == pytest.approx(path_probabilities(model, prompt, settings, 2)[:4])
    assert torch.equal(draft.probabilities, torch.nn.functional.one_hot(draft.tokens, 3).double())


def test_where_all_is_certain_siblings_are_the_top_few() -> None:
    """Children are different tokens, whatever the setting, and the first is the one that plain decoding would choose."""
    model, prompt = TableModel.random(8, 1), [3]
    for temperature in (0.0, 1.0):
        settings = Settings(k=2, nodes=8, drafter="tree", temperature=temperature, shared_noise=temperature > 0)
        draft = proposed(model, settings, prompt)
        roots = [token for token, parent in zip(draft.tokens.tolist(), draft.parents, strict=True) if parent == -1]
        assert len(roots) == len(set(roots)) > 1
        assert roots[0] == int(warp(model.scores(prompt), settings, (0,)).argmax())
        assert ((draft.probabilities == 0) | (draft.probabilities == 1)).all()


@pytest.mark.parametrize("children", ["sampled", "distinct", "top"])
@pytest.mark.parametrize(("nodes", "k"), [(12, 5), (64, 16)])
def test_one_pass_a_level(nodes: int, k: int, children: str) -> None:
    """The draft makes at most one pass per level and reads no more tokens than the tree may have; none is too deep."""
    model = TableModel.random(7, 1)
    draft = proposed(model, Settings(k=k, nodes=nodes, children=children, **TREE), [1, 2, 3])
    passes = model.passes[1:]
    assert len(draft.parents) <= nodes
    assert max(draft.depths) <= k
    assert len(passes) <= k
    assert sum(map(len, passes)) <= 1 + nodes
