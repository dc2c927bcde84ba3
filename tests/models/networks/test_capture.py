"""Graphs on doubles of CUDA's: they replay what was recorded, on the tensors that they were captured with. Texts and states must be those of
uncaptured passes, wrong graphs must be found, and nothing may be captured while a run is timed."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.decoding.drafters.block import BlockChain
from specviz.decoding.drafters.eagle import EagleTreeDrafter
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
from specviz.models.networks.capture import Results, states_apart
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Positions, positions_of
from specviz.runs.warmup import warm_up
from specviz.settings import AUTO, Settings
from tests.helpers.fake_cuda import fake_cuda
from tests.helpers.heads import random_head
from tests.models.networks.test_graphs import PROMPT, pace, reader
from tools.gpu.synthetic import SHAPES, synthetic_model

pytestmark = pytest.mark.slow

GREEDY: dict[str, Any] = {"k": 3, "max_new_tokens": 12}
WARM = {**GREEDY, "temperature": 0.9, "top_p": 0.95, "seed": 3}
DRAFTERS: dict[str, tuple[Callable[[CachedModel, CachedModel], Drafter], dict[str, Any]]] = {
    "plain": (lambda target, draft: NoDrafter(target.vocabulary), {}),
    "model": (lambda target, draft: ModelDrafter(draft), {}),
    "auto": (lambda target, draft: ModelDrafter(draft), {"policy": AUTO}),
    "n-gram": (lambda target, draft: NgramDrafter(target.vocabulary), {"drafter": "ngram"}),
    "early exit": (lambda target, draft: EarlyExitDrafter(target, 1), {"drafter": "early-exit"}),
    "tree": (lambda target, draft: TreeDrafter(draft), {"drafter": "tree", "nodes": 7}),
    "wide tree": (lambda target, draft: TreeDrafter(draft), {"drafter": "tree", "nodes": 20, "children": "top"}),
    "Medusa": (lambda target, draft: MedusaDrafter(random_head(target)), {"drafter": "medusa"}),
    "EAGLE tree": (
        lambda target, draft: EagleTreeDrafter(random_head(target, "eagle3", taps=(1, 2))),
        {"drafter": "eagle-tree", "nodes": 7},
    ),
    "DFlash": (
        lambda target, draft: BlockChain(random_head(target, "dflash", taps=(1, 2)), name="dflash"),
        {"drafter": "dflash"},
    ),
}


def models(kind: Callable[[Any], LeanDecoder], *, twins: bool = False) -> tuple[CachedModel, CachedModel]:
    """A target and a draft; twins agree, so that all drafts are accepted."""
    return reader(kind, "tiny", 0), reader(kind, "tiny", 0) if twins else reader(kind)


def settings_of(name: str, given: dict[str, Any] = GREEDY, **more: Any) -> Settings:
    return Settings(**{**given, **DRAFTERS[name][1], **more})


def tokens_of(
    target: CachedModel, drafter: Drafter, settings: Settings, prompt: list[int] = PROMPT
) -> list[tuple[int, ...]]:
    """The tokens of each round."""
    return [round_.tokens for round_ in speculate(target, drafter, prompt, settings, pace=pace(settings))]


def graphs_of(*found: CachedModel) -> list[GraphedDecoder]:
    networks = [model.network for model in found]
    assert all(isinstance(network, GraphedDecoder) for network in networks)
    return networks  # type: ignore[return-value]


@pytest.mark.parametrize("name", ["auto", "early exit", "wide tree", "DFlash"])
def test_texts_are_the_same_and_nothing_is_captured_while_they_are_timed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With drafts in one call, halves, trees and heads, over the border between two sizes of graphs, and after a longer text: the warm-up captures every graph that
    the run replays, none is found wrong, and the text is that of uncaptured passes."""
    device = fake_cuda(monkeypatch)
    make, twins = DRAFTERS[name][0], name == "auto"
    target, draft = models(GraphedDecoder, twins=twins)
    drafter = make(target, draft)
    for given, prompt in ((GREEDY, PROMPT * 42), (WARM, PROMPT)):
        settings, other = settings_of(name, given), models(LeanDecoder, twins=twins)
        wanted = tokens_of(other[0], make(*other), settings, prompt)
        warm_up(target, drafter, settings, capacity_for(prompt, settings))
        before = device.captured
        assert before
        assert tokens_of(target, drafter, settings, prompt) == wanted
        assert device.captured == before
    for network in graphs_of(target, draft):
        assert not network.failures
        assert network.kind == "own, CUDA graphs"


def test_drafters_that_read_other_states_may_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of head, drafters that read scores or nothing, and an early exit, in turn on one target, twice: the rounds are those of uncaptured
    passes, though the graphs are captured and compared in the run's own buffers, and whatever was captured for one set of states is not
    replayed for another."""
    device = fake_cuda(monkeypatch)
    target, draft = models(GraphedDecoder)
    ordinary = models(LeanDecoder)
    names = ("Medusa", "DFlash", "EAGLE tree", "n-gram", "early exit", "tree")
    drafters = {name: DRAFTERS[name][0](target, draft) for name in names}
    settings = {name: settings_of(name, max_new_tokens=8) for name in names}
    wanted = {name: tokens_of(ordinary[0], DRAFTERS[name][0](*ordinary), settings[name]) for name in names}
    for turn in range(2):
        before = device.captured
        for name in (*names, "Medusa"):
            assert tokens_of(target, drafters[name], settings[name]) == wanted[name], (turn, name)
    assert device.captured == before > 0, "in the second turn everything is there"
    assert not any(network.failures for network in graphs_of(target, draft))


Replay = Callable[[Any, int, tuple[Tensor, ...]], Results]


def faulty(change: Callable[[Any, Results], Results]) -> Replay:
    """A replay whose results are changed."""
    real = capture._GraphedPass.replay
    return lambda graph, begin, inputs: change(graph, real(graph, begin, inputs))


def stale_states() -> Replay:
    """Every graph returns the states of its first replay for ever."""
    first: dict[int, Tensor] = {}
    return faulty(lambda graph, found: (found[0], first.setdefault(id(graph), found[1])))


def wrong_tap() -> Replay:
    return faulty(lambda graph, found: (found[0], found[1].roll(1, 1)))


def one_wrong_row() -> Replay:
    """The state of one token out of many belongs to another one."""
    return faulty(lambda graph, found: (found[0], torch.cat([found[1][:-1], found[1][:1]])))


def old_input(index: int) -> Replay:
    """An input keeps the value with which the graph was captured: of a tree, input 2 is its mask and input 1 its positions."""
    real = capture._GraphedPass.replay

    def replay(graph: Any, begin: int, inputs: tuple[Tensor, ...]) -> Results:
        return real(graph, begin, (*inputs[:index], *graph.inputs[index : index + 1], *inputs[index + 1 :]))

    return replay


def another_order() -> Replay:
    return faulty(lambda graph, found: (found[0].roll(1, -1), *found[1:]))


def nothing_runs() -> Replay:
    return lambda graph, begin, inputs: tuple(result.clone() for result in graph.results)


def stale_length() -> Replay:
    real = capture._GraphedPass.replay
    return lambda graph, begin, inputs: real(graph, int(graph.length), inputs)


def test_a_graph_with_a_stale_input_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph that ignores new tokens, the new length, new random numbers or a new tree, or that runs nothing: it is set aside with the
    reason at its first use, and the text is right."""
    fake_cuda(monkeypatch)
    faults: tuple[tuple[Callable[[], Replay], tuple[str, ...]], ...] = (
        (stale_length, ("plain", "early exit", "tree")),
        (partial(old_input, 0), ("early exit",)),
        (partial(old_input, 1), ("model", "tree")),
        (partial(old_input, 2), ("tree",)),
        (nothing_runs, ("model",)),
        (another_order, ("early exit",)),
    )
    for fault, drafters in faults:
        for name in drafters:
            make, settings = DRAFTERS[name][0], settings_of(name, WARM if name == "model" else GREEDY, max_new_tokens=5)
            ordinary, graphed = models(LeanDecoder), models(GraphedDecoder)
            wanted = tokens_of(ordinary[0], make(*ordinary), settings)
            with monkeypatch.context() as patch:
                patch.setattr(capture._GraphedPass, "replay", fault())
                assert tokens_of(graphed[0], make(*graphed), settings) == wanted, (fault, name)
            failures = graphs_of(*graphed)[name in ("model", "tree")].failures
            assert any("differs from the ordinary one" in reason for reason in failures.values()), (fault, name)


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


# ---- passes whose states are read from outside

BEGIN = 40
TREES = ((-1, 0, 0, 1, 1, 2, 2), (-1, -1, 0, 1, 2), (-1, 0, 0, 0, 3, 4))
TAPS = ((0,), (3,), (1, 2), (2, 0, 3))


def tiny(dtype: torch.dtype) -> PreTrainedModel:
    return synthetic_model(SHAPES["tiny"], torch.device("cpu"), dtype)


def started(kind: type[LeanDecoder], model: PreTrainedModel, taps: tuple[int, ...]) -> LeanDecoder:
    """A decoder that has read a text."""
    decoder = kind(model)
    decoder.begin(128)
    decoder.show(taps)
    read_text(decoder)
    return decoder


def read_text(decoder: LeanDecoder) -> None:
    """A few tokens more than any pass follows, over everything that earlier passes wrote."""
    decoder.read(torch.arange(BEGIN + 3), Positions(0, BEGIN + 3))


def passes() -> Iterator[tuple[Tensor, Positions]]:
    """Chains and trees, those of one shape several times: with other tokens, another length of text, another tree."""
    for count, begin in product((1, 4, 4), (BEGIN, BEGIN + 3)):
        yield torch.arange(count) * 7 + begin, Positions(begin, count)
    for begin, parents in zip((BEGIN, BEGIN + 2, BEGIN), TREES, strict=True):
        tree = positions_of(begin, parents, len(parents), torch.device("cpu"))
        yield torch.arange(len(parents)) * 5 + begin, tree


def states_of(decoder: LeanDecoder) -> list[Tensor]:
    """The states of all these passes, after all of them were made."""
    found = []
    for tokens, positions in passes():
        read_text(decoder)
        found.append(decoder.read(tokens, positions)[1])
    return found


@torch.inference_mode()
def test_states_are_those_of_ordinary_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of chains and trees, at the embedding, at any layers in any order, and after the final normalisation; the taps may change, and every
    pass but that of the prompt is captured."""
    device = fake_cuda(monkeypatch)
    model = tiny(torch.float64)
    graphed = started(GraphedDecoder, model, ())
    assert isinstance(graphed, GraphedDecoder)
    for taps in TAPS:
        graphed.show(taps)
        before = device.captured
        wanted = states_of(started(LeanDecoder, model, taps))
        assert {state.shape[1:] for state in wanted} == {(len(taps), SHAPES["tiny"].hidden_size)}
        assert max(map(states_apart, wanted, states_of(graphed))) < 1e-9, taps
        assert device.captured == before + 3, "of chains of one and of four tokens, and of trees"
    assert not graphed.failures


@torch.inference_mode()
def test_states_stay_as_they_were_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drafter may keep the states of a pass while later passes are made. Planted: the graph's own buffers are returned."""
    fake_cuda(monkeypatch)

    def uncopied(self: Any, begin: int, inputs: tuple[Tensor, ...]) -> Results:
        self.length.fill_(begin)
        for buffer, given in zip(self.inputs, inputs, strict=True):
            buffer.copy_(given)
        self.graph.replay()
        return tuple(self.results)

    for fault in (None, uncopied):
        with monkeypatch.context() as patch:
            if fault is not None:
                patch.setattr(capture._GraphedPass, "replay", fault)
            graphed = started(GraphedDecoder, tiny(torch.float64), (1, 2))
            kept = [(states, states.clone()) for states in (graphed.read(*each)[1] for each in passes())]
        assert all(torch.equal(states, then) for states, then in kept) == (fault is None)


CHAIN = (torch.arange(5) * 3, Positions(BEGIN, 5))
TREE = (torch.arange(7) * 3, positions_of(BEGIN, TREES[0], 7, torch.device("cpu")))
FAULTS: dict[str, tuple[Callable[[], Replay], tuple[str, ...]]] = {
    "stale states": (stale_states, ("chain", "tree")),
    "wrong tap": (wrong_tap, ("chain", "tree")),
    "one wrong row": (one_wrong_row, ("chain", "tree")),
    "old tokens": (partial(old_input, 0), ("chain", "tree")),
    "old positions": (partial(old_input, 1), ("tree",)),
    "mask of the last tree": (partial(old_input, 2), ("tree",)),
}


@torch.inference_mode()
def test_planted_faults_in_states_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph with stale states, with those of another tap or token, or with a tree's old mask is set aside with the reason at its first
    use: the states are right, and passes whose states nobody reads are still captured. Without a fault nothing is set aside."""
    fake_cuda(monkeypatch)
    model = tiny(torch.bfloat16)
    ordinary = started(LeanDecoder, model, (1, 3))
    wanted = {"chain": ordinary.read(*CHAIN)[1], "tree": ordinary.read(*TREE)[1]}
    for name, (fault, shapes) in {"none": (None, ("chain", "tree")), **FAULTS}.items():
        for shape in shapes:
            graphed = started(GraphedDecoder, model, (1, 3))
            assert isinstance(graphed, GraphedDecoder)
            with monkeypatch.context() as patch:
                if fault is not None:
                    patch.setattr(capture._GraphedPass, "replay", fault())
                found = graphed.read(*(CHAIN if shape == "chain" else TREE))[1]
            assert states_apart(wanted[shape], found) < 0.05, (name, shape)
            if fault is None:
                assert not graphed.failures
                continue
            part = f"{'passes' if shape == 'chain' else 'trees'} whose states are read"
            assert list(graphed.failures) == [part], (name, shape, graphed.failures)
            assert "differs from the ordinary one" in graphed.failures[part]
            assert f"not for {part}" in graphed.kind
            graphed.show(())
            before = graphed.graphs
            graphed.read(*(CHAIN if shape == "chain" else TREE))
            assert graphed.graphs == before + 1, "without taps it is captured"
