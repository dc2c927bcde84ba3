"""Graphs on doubles of CUDA's: they replay what was recorded, on the tensors that they were captured with. The texts must be those of
uncaptured passes, wrong graphs must be found, and nothing may be captured while a run is timed."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters.dflash import DFlashDrafter
from specviz.decoding.drafters.eagle_tree import EagleTreeDrafter
from specviz.decoding.drafters.early_exit import EarlyExitDrafter
from specviz.decoding.drafters.medusa import MedusaDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.loop import capacity_for, speculate
from specviz.decoding.protocols import Drafter
from specviz.models import CachedModel
from specviz.models.networks import capture
from specviz.models.networks.geometry import attended_slots
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.stock import StockNetwork
from specviz.runs.warmup import warm_up
from specviz.settings import AUTO, Settings
from tests.helpers.eagle import bound
from tests.helpers.fake_cuda import fake_cuda
from tests.helpers.heads import random_head
from tests.helpers.rounds import text_of
from tests.models.networks.test_capture_states import old_input
from tests.models.networks.test_graphs import PROMPT, pace, reader

pytestmark = pytest.mark.slow

NEW = 16
GREEDY: dict[str, Any] = {"k": 3, "max_new_tokens": NEW}
WARM = {"k": 3, "max_new_tokens": NEW, "temperature": 0.9, "top_p": 0.95, "seed": 3}
DRAFTERS: dict[str, tuple[Callable[[CachedModel, CachedModel], Drafter], dict[str, Any]]] = {
    "plain": (lambda target, draft: NoDrafter(target.vocabulary), {}),
    "model": (lambda target, draft: ModelDrafter(draft), {}),
    "auto": (lambda target, draft: ModelDrafter(draft), {"policy": AUTO}),
    "auto, tree": (
        lambda target, draft: EagleTreeDrafter(bound(target)),
        {"drafter": "eagle-tree", "nodes": 7, "policy": AUTO},
    ),
    "n-gram": (lambda target, draft: NgramDrafter(target.vocabulary), {"drafter": "ngram"}),
    "early exit": (lambda target, draft: EarlyExitDrafter(target, 1), {"drafter": "early-exit"}),
    "tree": (lambda target, draft: TreeDrafter(draft), {"drafter": "tree", "nodes": 7}),
    "wide tree": (lambda target, draft: TreeDrafter(draft), {"drafter": "tree", "nodes": 20, "children": "top"}),
    "Medusa": (lambda target, draft: MedusaDrafter(random_head(target)), {"drafter": "medusa"}),
    "EAGLE tree": (lambda target, draft: EagleTreeDrafter(bound(target)), {"drafter": "eagle-tree", "nodes": 7}),
    "DFlash": (lambda target, draft: DFlashDrafter(random_head(target, "dflash", taps=(1, 2))), {"drafter": "dflash"}),
}

TIMED = [name for name in DRAFTERS if name not in ("tree", "EAGLE tree", "n-gram")]
"""A wide tree and "auto" with a tree need more graphs than the others."""


def models(kind: Callable[[Any], LeanDecoder], *, twins: bool = False) -> tuple[CachedModel, CachedModel]:
    """A target and a draft; twins agree, so that all drafts are accepted."""
    return reader(kind, "tiny", 0), reader(kind, "tiny", 0) if twins else reader(kind)


def graphs_of(*found: CachedModel) -> list[GraphedDecoder]:
    networks = [model.network for model in found]
    assert all(isinstance(network, GraphedDecoder) for network in networks)
    return networks  # type: ignore[return-value]


@pytest.mark.parametrize("name", TIMED)
def test_texts_are_the_same_and_nothing_is_captured_while_they_are_timed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every drafter, over the border between two sizes of graphs, and after a longer text: the warm-up captures every graph that
    the run replays, none is found wrong, and the text is that of uncaptured passes."""
    device = fake_cuda(monkeypatch)
    make, choices = DRAFTERS[name]
    twins = name == "model"
    target, draft = models(GraphedDecoder, twins=twins)
    drafter = make(target, draft)
    for given, prompt in ((GREEDY, PROMPT * 42), (WARM, PROMPT)):
        settings = Settings(**{**given, **choices})
        other = models(LeanDecoder, twins=twins)
        wanted = [round_.tokens for round_ in speculate(other[0], make(*other), prompt, settings, pace=pace(settings))]
        warm_up(target, drafter, settings, capacity_for(prompt, settings))
        before = device.captured
        assert before
        found = speculate(target, drafter, prompt, settings, pace=pace(settings))
        assert [round_.tokens for round_ in found] == wanted
        assert device.captured == before
    for network in graphs_of(target, draft):
        assert not network.failures
        assert network.kind == "own, CUDA graphs"


def test_drafters_that_read_other_states_may_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of head, drafters that read scores or nothing, and an early exit, in turn on one target, twice: always the plain text, and
    whatever was captured for one set of states is not replayed for another."""
    device = fake_cuda(monkeypatch)
    target, draft = models(GraphedDecoder)
    wanted = text_of(speculate(target, NoDrafter(target.vocabulary), PROMPT, Settings(**GREEDY)))
    names = ("Medusa", "DFlash", "EAGLE tree", "n-gram", "early exit", "tree")
    drafters = {name: DRAFTERS[name][0](target, draft) for name in names}
    for turn in range(2):
        before = device.captured
        for name in (*names, "Medusa"):
            settings = Settings(**{**GREEDY, **DRAFTERS[name][1]})
            assert text_of(speculate(target, drafters[name], PROMPT, settings)) == wanted, (turn, name)
    assert device.captured == before > 0, "in the second turn everything is there"
    assert not any(network.failures for network in graphs_of(target, draft))


@pytest.mark.parametrize("name", ["model", "early exit", "tree"])
def test_a_capture_in_the_middle_of_a_text_leaves_it_as_it_was(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a warm-up the graphs are captured and compared in the run's own buffers, and the text is that of uncaptured passes."""
    fake_cuda(monkeypatch)
    make, choices = DRAFTERS[name]
    texts = []
    for kind in (LeanDecoder, GraphedDecoder):
        found = models(kind)
        settings = Settings(**{**GREEDY, **choices})
        texts.append([round_.tokens for round_ in speculate(found[0], make(*found), PROMPT, settings)])
    assert texts[0] == texts[1]
    assert not graphs_of(*found)[name != "early exit"].failures


def test_a_graph_with_a_stale_input_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph that ignores new tokens, the new length, new random numbers or a new tree, or that runs nothing: it is set aside with the
    reason at its first use, in float32 and in bfloat16, and the text is right."""
    fake_cuda(monkeypatch)
    real = capture._GraphedPass.replay

    def stale_length(self: Any, begin: int, inputs: tuple[Tensor, ...]) -> Any:
        return real(self, int(self.length), inputs)

    def nothing(self: Any, begin: int, inputs: tuple[Tensor, ...]) -> Any:
        return tuple(result.clone() for result in self.results)

    def another_order(self: Any, begin: int, inputs: tuple[Tensor, ...]) -> Any:
        found = real(self, begin, inputs)
        return (found[0].roll(1, -1), *found[1:])

    for fault, drafters in (
        (stale_length, ("plain", "model", "early exit", "tree")),
        (old_input(0), ("model", "early exit", "tree")),
        (old_input(1), ("model", "tree")),
        (old_input(2), ("tree",)),
        (nothing, ("plain", "model")),
        (another_order, ("early exit",)),
    ):
        for name in drafters:
            make, choices = DRAFTERS[name]
            settings = Settings(**{**(WARM if name == "model" else GREEDY), **choices, "max_new_tokens": 5})
            ordinary, graphed = models(LeanDecoder), models(GraphedDecoder)
            wanted = [round_.tokens for round_ in speculate(ordinary[0], make(*ordinary), PROMPT, settings)]
            with monkeypatch.context() as patch:
                patch.setattr(capture._GraphedPass, "replay", fault)
                found = [round_.tokens for round_ in speculate(graphed[0], make(*graphed), PROMPT, settings)]
            assert found == wanted, (fault, name)
            failures = graphs_of(*graphed)[name in ("model", "tree")].failures
            assert any("differs from the ordinary one" in reason for reason in failures.values()), (fault, name)


def watched(ends: list[int]) -> Callable[..., Any]:
    """`_fixed_geometry` that notes how many slots are attended to."""
    fixed = LeanDecoder._fixed_geometry

    def noted(self: LeanDecoder, count: int, length: Tensor, end: int | None = None, *rest: Any) -> Any:
        assert end is not None
        ends.append(end)
        return fixed(self, count, length, end, *rest)

    return noted


def test_the_number_of_graphs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Temperatures and values of top-p share one graph; values of top-k do not, and the least recently used graphs are dropped."""
    device = fake_cuda(monkeypatch)
    target, draft = models(GraphedDecoder)
    network = graphs_of(draft)[0]

    def run(**given: Any) -> None:
        list(speculate(target, ModelDrafter(draft), PROMPT, Settings(k=2, max_new_tokens=5, seed=1, **given)))

    run(temperature=0.5, top_p=0.5)
    graphs = network.graphs
    for step in range(1, 4):
        run(temperature=0.5 + step / 10, top_p=0.5 + step / 20)
    assert network.graphs == graphs
    monkeypatch.setattr(capture, "MOST_GRAPHS", 4)
    for top_k in range(1, 5):
        run(temperature=0.5, top_k=top_k)
    assert network.graphs == 4
    before = device.captured
    run(temperature=0.5, top_k=4)
    assert device.captured == before


def test_a_pass_attends_to_what_the_text_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a long prompt a short text's graphs attend to few slots again, and buffers that are far too large are exchanged."""
    fake_cuda(monkeypatch)
    assert [attended_slots(end, 10_000) for end in (1, 255, 256, 511, 512, 9000)] == [256, 256, 512, 512, 1024, 10_000]
    for kind in (LeanDecoder, GraphedDecoder, StockNetwork):
        model = reader(kind)
        ends: list[int] = []
        with monkeypatch.context() as patch:
            patch.setattr(LeanDecoder, "_fixed_geometry", watched(ends))
            for capacity in (5056, 2000, 60):
                model.begin(capacity)
                model.forward(torch.tensor(PROMPT))
                model.keep(range(len(PROMPT)))
                model.forward(torch.tensor([1, 2]))
                held = model.network.buffers()[0].shape[-2]
                assert held >= capacity
        assert held <= 512
        assert set(ends) == ({256} if kind is GraphedDecoder else set())


def test_trees_path_by_path_leave_the_graphs_of_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models whose trees are read path by path still replay full drafts, chains and halves, and the warm-up captures all of them, at
    every length of text. Texts are those of uncaptured passes, those of trees too."""
    device = fake_cuda(monkeypatch)
    for name in ("model", "tree"):
        make, choices = DRAFTERS[name]
        prompt = PROMPT * (42 if name == "model" else 1)
        settings = Settings(**{**(WARM if name == "model" else GREEDY), **choices})
        other = models(LeanDecoder, twins=True)
        wanted = [round_.tokens for round_ in speculate(other[0], make(*other), prompt, settings)]
        target, draft = models(GraphedDecoder, twins=True)
        graphed = graphs_of(target, draft)
        lengths = target.boundaries(250, 600)
        for model in (target, draft):
            model.read_trees_by_path("a reason")
        assert draft.drafts_at_once
        assert len(lengths) > 1
        assert target.boundaries(250, 600) == lengths
        drafter = make(target, draft)
        warm_up(target, drafter, settings, capacity_for(prompt, settings))
        before = device.captured
        assert before
        assert [round_.tokens for round_ in speculate(target, drafter, prompt, settings)] == wanted
        assert name == "tree" or device.captured == before
        for network in graphed:
            assert not network.failures
        assert "draft" in {key[0] for key in graphed[1]._graphs._captured} or name != "model"  # type: ignore[index]
