"""Captured passes whose states are read from outside, on doubles of CUDA's graphs: the states are those of ordinary passes, stay as they
were returned, and a graph that gives others is found at its first use."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.models.networks import capture
from specviz.models.networks.capture import Results, states_apart
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Positions, positions_of
from tests.helpers.fake_cuda import fake_cuda
from tools.gpu.synthetic import SHAPES, synthetic_model

BEGIN = 40
TREES = ((-1, 0, 0, 1, 1, 2, 2), (-1, -1, 0, 1, 2), (-1, 0, 0, 0, 3, 4))
TAPS = ((0,), (3,), (1, 2), (2, 0, 3))
Replay = Callable[[Any, int, tuple[Tensor, ...]], Results]


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


def passes() -> list[tuple[Tensor, Positions]]:
    """Chains and trees, those of one shape several times: with other tokens, another length of text, another tree."""
    chains = [
        (torch.arange(count) * 7 + begin, Positions(begin, count))
        for count in (1, 4, 4)
        for begin in (BEGIN, BEGIN + 3)
    ]
    trees = [
        (torch.arange(len(parents)) * 5 + begin, positions_of(begin, parents, len(parents), torch.device("cpu")))
        for begin, parents in zip((BEGIN, BEGIN + 2, BEGIN), TREES, strict=True)
    ]
    return [*chains, *trees]


def states_of(decoder: LeanDecoder) -> list[Tensor]:
    """The states of all these passes, after all of them were made."""
    found = []
    for tokens, positions in passes():
        read_text(decoder)
        found.append(decoder.read(tokens, positions)[1])
    return found


def equal(some: Sequence[Tensor], others: Sequence[Tensor], apart: float = 1e-9) -> bool:
    return all(
        one.shape == other.shape and states_apart(one, other) < apart for one, other in zip(some, others, strict=True)
    )


@pytest.mark.slow
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
        assert [one.shape[1:] for one in wanted] == [(len(taps), SHAPES["tiny"].width)] * len(passes())
        assert equal(states_of(graphed), wanted), taps
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


def faulty(change: Callable[[Any, Results], Results]) -> Replay:
    """A replay whose states are changed."""
    real = capture._GraphedPass.replay

    def replay(self: Any, begin: int, inputs: tuple[Tensor, ...]) -> Results:
        return change(self, real(self, begin, inputs))

    return replay


def stale_states() -> Replay:
    """Every graph returns the states of its first replay for ever."""
    first: dict[int, Tensor] = {}
    return faulty(lambda graph, found: (found[0], first.setdefault(id(graph), found[1])))


def wrong_tap() -> Replay:
    return faulty(lambda graph, found: (found[0], found[1].roll(1, 1)))


def one_wrong_row() -> Replay:
    """The state of one token out of many belongs to another one."""

    def change(graph: Any, found: Results) -> Results:
        states = found[1].clone()
        states[-1] = states[0]
        return found[0], states

    return faulty(change)


def old_input(index: int) -> Replay:
    """An input keeps the value with which the graph was captured: of a tree, input 2 is its mask and input 1 its positions."""
    real = capture._GraphedPass.replay

    def replay(self: Any, begin: int, inputs: tuple[Tensor, ...]) -> Results:
        given = [
            held if number == index else new for number, (held, new) in enumerate(zip(self.inputs, inputs, strict=True))
        ]
        return real(self, begin, tuple(given))

    return replay


CHAIN = (torch.arange(5) * 3, Positions(BEGIN, 5))
TREE = (torch.arange(7) * 3, positions_of(BEGIN, TREES[0], 7, torch.device("cpu")))
FAULTS: dict[str, tuple[Callable[[], Replay], tuple[str, ...]]] = {
    "stale states": (stale_states, ("chain", "tree")),
    "wrong tap": (wrong_tap, ("chain", "tree")),
    "one wrong row": (one_wrong_row, ("chain", "tree")),
    "old tokens": (lambda: old_input(0), ("chain", "tree")),
    "old positions": (lambda: old_input(1), ("tree",)),
    "mask of the last tree": (lambda: old_input(2), ("tree",)),
}


@pytest.mark.slow
@torch.inference_mode()
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_planted_faults_in_states_are_found(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph with stale states, with those of another tap or token, or with a tree's old mask is set aside with the reason at its first
    use: the states are right, and passes whose states nobody reads are still captured. Without a fault nothing is set aside."""
    fake_cuda(monkeypatch)
    model = tiny(dtype)
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
            assert states_apart(wanted[shape], found) < (1e-4 if dtype is torch.float32 else 0.05), (name, shape)
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


@torch.inference_mode()
def test_stale_states_between_the_halves_of_an_early_exit_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states that the lower half hands to the upper one are compared too, not its scores alone."""
    fake_cuda(monkeypatch)
    for fault in (None, stale_states):
        with monkeypatch.context() as patch:
            if fault is not None:
                patch.setattr(capture._GraphedPass, "replay", fault())
            graphed = started(GraphedDecoder, tiny(torch.float32), ())
            assert isinstance(graphed, GraphedDecoder)
            graphed.lower(torch.arange(3), Positions(BEGIN, 3), 1)
        assert list(graphed.failures) == ([] if fault is None else ["early exits"])


def test_how_far_states_are_apart() -> None:
    """Each state counts relative to its own size, the worst tap decides, and only what is no number in both is not compared."""
    plain = torch.ones(4, 2, 8)
    plain[0] *= 1000
    assert states_apart(plain, plain.clone()) == 0
    assert states_apart(plain[:, :0], plain[:, :0]) == 0
    assert states_apart(torch.zeros(2, 1, 3), torch.zeros(2, 1, 3)) == 0
    assert states_apart(torch.zeros(2, 1, 3), torch.ones(2, 1, 3)) == float("inf")
    other = plain.clone()
    other[1, 1] = 0
    assert states_apart(plain, other) == pytest.approx(0.5), "one state of four, at one tap of two"
    other[2, 0, 0] = torch.nan
    assert states_apart(plain, other) == float("inf")
    assert states_apart(other, plain) == 0
