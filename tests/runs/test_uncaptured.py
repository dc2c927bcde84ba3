"""What is said of passes that are not CUDA graphs, on doubles: no device has graphs here."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from specviz.decoding.drafters.block import BlockTree
from specviz.decoding.drafters.eagle_tree import EagleTreeDrafter
from specviz.decoding.drafters.early_exit import EarlyExitDrafter
from specviz.decoding.drafters.medusa import MedusaDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Drafter
from specviz.models import CachedModel, Pair
from specviz.models.networks.graphs import (
    FULL_DRAFTS,
    HALVES,
    PASSES,
    READ_PASSES,
    READ_TREES,
    TREE_PASSES,
    GraphedDecoder,
)
from specviz.models.networks.lean import LeanDecoder
from specviz.runs import run as runs
from specviz.runs.run import Run
from specviz.runs.uncaptured import uncaptured
from specviz.settings import Settings
from tests.helpers.heads import random_head
from tests.models.networks.test_graphs import reader

OWN = "The drafter's own passes ({}) run without CUDA graphs."


def on_a_gpu(kind: Any = GraphedDecoder) -> Any:
    """A pair of tiny models that say that they are on a GPU. No pass of them may be made."""
    target, draft = reader(kind, "tiny", 0), reader(kind)
    drafters = {
        "plain": NoDrafter(target.vocabulary),
        "n-gram": NgramDrafter(target.vocabulary),
        "model": ModelDrafter(draft),
        "tree": TreeDrafter(draft),
        "early exit": EarlyExitDrafter(target, 1),
        "Medusa": MedusaDrafter(random_head(target)),
        "EAGLE tree": EagleTreeDrafter(random_head(target, "eagle3", taps=(1, 2))),
        "JetSpec": BlockTree(random_head(target, "jetspec", taps=(1, 3)), "jetspec"),
    }
    target.device = draft.device = torch.device("cuda")
    return SimpleNamespace(target=target, draft=draft, drafters=drafters)


def said(pair: Any) -> dict[str, tuple[str, ...]]:
    """What is said of each drafter of which anything is said."""
    found = {name: uncaptured(pair, drafter) for name, drafter in pair.drafters.items()}
    return {name: sentences for name, sentences in found.items() if sentences}


HEADS = {
    "Medusa": (OWN.format("Medusa heads"),),
    "EAGLE tree": (OWN.format("EAGLE tree"),),
    "JetSpec": (OWN.format("JetSpec"),),
}


def test_own_passes_of_heads_are_never_graphs() -> None:
    """Where all else is captured, only heads have a sentence; on a processor nobody has graphs, and nothing is said."""
    pair = on_a_gpu()
    assert said(pair) == HEADS
    pair.target.device = torch.device("cpu")
    assert said(pair) == {}


@pytest.mark.parametrize(
    ("kind", "whose"),
    [
        (READ_PASSES, ["Medusa", "EAGLE tree", "JetSpec"]),
        (READ_TREES, ["EAGLE tree", "JetSpec"]),
        (TREE_PASSES, ["tree"]),
        (HALVES, ["early exit"]),
        (FULL_DRAFTS, []),
    ],
)
def test_a_kind_of_pass_that_was_set_aside_is_said_where_it_is_made(kind: str, whose: list[str]) -> None:
    """With the reason, of the target, and of no drafter whose rounds have no such pass."""
    pair = on_a_gpu()
    pair.target.network.failures[kind] = "it differs."
    sentence = f"The target's {kind} run without CUDA graphs: it differs."
    assert said(pair) == {**HEADS, **{name: (sentence, *HEADS.get(name, ())) for name in whose}}


def test_a_draft_model_is_judged_by_itself() -> None:
    """Its own passes, full drafts and levels of trees."""
    for kind, whose in ((PASSES, ["model", "tree"]), (FULL_DRAFTS, ["model", "tree"]), (TREE_PASSES, ["tree"])):
        pair = on_a_gpu()
        pair.draft.network.failures[kind] = "it differs"
        sentence = f"The drafter's {kind} run without CUDA graphs: it differs."
        assert said(pair) == {**HEADS, **dict.fromkeys(whose, (sentence,))}


def test_models_without_graphs() -> None:
    """Another network on a GPU has none, and every run of it says so, plain decoding too; so it is where graphs are off altogether."""
    pair = on_a_gpu(LeanDecoder)
    found = said(pair)
    assert set(found) == set(pair.drafters)
    assert found["plain"] == ("The target's passes run without CUDA graphs.",)
    assert found["model"] == (*found["plain"], "The drafter's passes run without CUDA graphs.")
    assert found["Medusa"] == (*found["plain"], *HEADS["Medusa"])
    pair = on_a_gpu()
    pair.target.network.failures[PASSES] = "not permitted."
    assert said(pair)["n-gram"] == ("The target's passes run without CUDA graphs: not permitted.",)


def test_what_fails_in_the_warm_up_is_on_the_card(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph is compared at its first use, in the warm-up: the card of that very run says what was set aside there."""
    target = embedded.target
    graphed = reader(GraphedDecoder, "tiny", 0).network
    assert isinstance(graphed, GraphedDecoder)

    def warm_up(model: CachedModel, drafter: Drafter, settings: Settings, capacity: int) -> None:
        graphed.failures[PASSES] = "it differs"

    run = Run(embedded, "My dog", Settings(drafter="ngram", max_new_tokens=2))
    monkeypatch.setattr(target, "network", graphed)
    monkeypatch.setattr(target, "device", torch.device("cuda"))
    monkeypatch.setattr(runs, "warm_up", warm_up)
    before = run.card.notes
    run.warm_up()
    assert run.card.notes == (*before, "The target's passes run without CUDA graphs: it differs.")
