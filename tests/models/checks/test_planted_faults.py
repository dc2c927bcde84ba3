"""The checks find every planted fault in 32 and in 16 bits, and set no honest path aside."""

from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.models import Pair, load_pair
from specviz.models.cached_model import CachedModel
from specviz.models.checks.paths import check_cache, check_copy, check_early_exit, check_trees
from specviz.models.networks import lean
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import Network
from specviz.models.networks.positions import Positions
from specviz.models.networks.stock import StockNetwork
from tests.helpers import architecture_rows, architectures
from tests.helpers.missing_layers import without

pytestmark = pytest.mark.slow

FORMATS = [torch.float32, torch.bfloat16]


def with_network(model: CachedModel, network: Network) -> CachedModel:
    """The same model, run by this network."""
    other = copy(model)
    other.network = network
    other.release()
    return other


def tiny(name: str, dtype: torch.dtype, seed: int = 1, **options: Any) -> CachedModel:
    return CachedModel(architectures.build(name, seed).to(dtype).eval(), architecture_rows.VOCABULARY, **options)


@pytest.fixture(scope="module", params=["float32", pytest.param("bfloat16", marks=pytest.mark.rare)])
def pair(request: pytest.FixtureRequest) -> Pair:
    return load_pair("embedded", device="cpu", dtype=request.param)


def test_every_missing_layer_is_found(pair: Pair) -> None:
    """The embedded target without one of its layers is set aside, and the complete one is not."""
    assert check_cache(pair.target).passed
    for layer in range(0, pair.target.network.depth, 4):
        found = check_cache(with_network(pair.target, without(pair.target.network, [layer])))
        assert not found.passed, f"without layer {layer}: {found}"
        assert found.note


def test_wrong_rotation_and_scale_are_found(pair: Pair) -> None:
    """Another rotary base and another attention scale are found in both embedded models."""
    for _, model in pair.models:
        assert isinstance(model.network, LeanDecoder)
        width, ((window, _, scale),) = model.network._width, model.network._kinds
        exponents = torch.arange(0, width, 2).float() / width
        faults: dict[str, dict[str, Any]] = {
            "base 1,000": {"_kinds": [(window, 1 / 1e3**exponents, scale)]},
            "base 500,000": {"_kinds": [(window, 1 / 5e5**exponents, scale)]},
            "no scale": {"_scale": 1.0},
            "half the scale": {"_scale": model.network._scale / 2},
        }
        for fault, attributes in faults.items():
            network = copy(model.network)
            network.release()
            for name, value in attributes.items():
                setattr(network, name, value)
            assert not check_cache(with_network(model, network)).passed, fault


@pytest.mark.parametrize("dtype", FORMATS)
def test_every_missing_layer_of_random_models_is_found(dtype: torch.dtype) -> None:
    """Also in random models, whose rounding in bfloat16 is far larger than that of trained ones."""
    for name in ("llama_tied", "qwen2", "qwen3"):
        model = tiny(name, dtype)
        assert check_cache(model).passed
        for layer in range(model.network.depth):
            assert not check_cache(with_network(model, without(model.network, [layer]))).passed, (name, layer)


@pytest.mark.parametrize("dtype", FORMATS)
def test_a_shifted_layer_type_is_found(dtype: torch.dtype) -> None:
    """Layers that get the masks of their neighbours are found; the windows are those of the model under test."""
    model = tiny("gemma3_text", dtype)
    model.model.config.sliding_window = 8
    for shift, passed in ((0, True), (1, False), (2, False)):
        moved = deepcopy(model.model)
        kinds = moved.config.layer_types
        moved.config.layer_types = [*kinds[shift:], *kinds[:shift]]
        assert check_cache(with_network(model, StockNetwork(moved))).passed is passed, shift


class StaleTokens(GraphedDecoder):
    """A graph whose tokens are never copied into its buffer: every replay reads those of the capture."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if positions.begin:
            tokens = self.__dict__.setdefault("captured", {}).setdefault(positions.count, tokens.clone())
        return LeanDecoder.read(self, tokens, positions, rows)


class StaleLength(GraphedDecoder):
    """A graph whose number of cached tokens is never updated."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if positions.begin:
            positions = self.__dict__.setdefault("captured", {}).setdefault(positions.count, positions)
        return LeanDecoder.read(self, tokens, positions, rows)


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("build", [StaleTokens, StaleLength])
def test_a_graph_with_stale_inputs_is_found(build: type[LeanDecoder], dtype: torch.dtype) -> None:
    """A graph that replays the tokens or the position of its capture is found, because passes of one length come twice."""
    model = tiny("llama", dtype)
    assert not check_cache(with_network(model, build(model.model))).passed


class SeesSiblings:
    """A network whose tree mask lets every node see all earlier ones. All else is that of the network inside."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if positions.attends is not None:
            everything = torch.ones_like(positions.attends).tril(positions.begin)
            positions = replace(positions, attends=everything)
        return self._network.read(tokens, positions, rows)


class CountsSlots(SeesSiblings):
    """A network that takes the slot of a node for its position."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if positions.ids is not None:
            positions = replace(positions, slots=torch.arange(positions.end, device=positions.ids.device))
        return self._network.read(tokens, positions, rows)


class MovesNothing(SeesSiblings):
    """A network that leaves an accepted path where it was read."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._network.read(tokens, positions, rows)

    def keep(self, begin: int, slots: Sequence[int]) -> None:
        pass


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("fault", [SeesSiblings, CountsSlots, MovesNothing])
def test_a_wrong_tree_is_found(fault: type[SeesSiblings], dtype: torch.dtype) -> None:
    """Wrong masks, wrong positions and entries that stay in their old slots are found; right trees pass."""
    for own in (True, False):
        model = tiny("llama", dtype, lean=own)
        assert check_trees(model).passed
        wrong: Any = fault(model.network)
        assert not check_trees(with_network(model, wrong)).passed


class LosesLayers(SeesSiblings):
    """Halves that do not meet: the layer after the exit is run by neither."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._network.read(tokens, positions, rows)

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        return self._network.upper(tokens, states, positions, depth + 1, rows)


@pytest.mark.parametrize("dtype", FORMATS)
def test_wrong_halves_are_found(dtype: torch.dtype) -> None:
    """Halves that skip a layer are found at every depth; right halves pass."""
    for depth in (1, 2):
        model = tiny("llama", dtype)
        assert check_early_exit(model, depth).passed
        wrong: Any = LosesLayers(model.network)
        assert not check_early_exit(with_network(model, wrong), depth).passed


@pytest.mark.parametrize("dtype", FORMATS)
def test_a_changed_copy_is_checked_too(dtype: torch.dtype) -> None:
    """A copy whose weights differ passes, unless its passes of one length repeat the first of them."""
    model = tiny("llama", dtype)
    assert check_copy(tiny("llama", dtype, seed=2), "copy").passed
    assert not check_copy(with_network(model, StaleTokens(model.model)), "copy").passed


@pytest.mark.parametrize("dtype", [*FORMATS, torch.float16, torch.float64])
def test_no_honest_model_is_set_aside(dtype: torch.dtype) -> None:
    """Random models pass in every format, also mixtures of experts, windows, and models that amplify rounding."""
    names = ["llama", "qwen3", "gemma2", "gpt2", "granite", "bitnet", "mistral_sliding"]
    if dtype != torch.float64:  # transformers' own mixtures of experts cannot run in it
        names += ["mixtral", "phimoe", "qwen2_moe"]
    for name in names:
        model = tiny(name, dtype, 2)
        found = check_cache(model)
        assert found.passed, (name, found)
        assert model.length == 0


def test_a_window_of_thousands_of_tokens_is_crossed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own decoder that forgets its window, however wide, is found in chains and trees; afterwards the window is what it was."""
    weights = architectures.build("mistral_sliding")
    weights.config.sliding_window = 4096
    model = CachedModel(weights, architecture_rows.VOCABULARY)
    assert isinstance(model.network, LeanDecoder)
    assert check_cache(model).passed
    assert check_trees(model).passed
    assert [window for window, _, _ in model.network._kinds] == [4096]
    monkeypatch.setattr(lean, "within", lambda attends, window: attends)
    assert not check_cache(model).passed
    assert not check_trees(model).passed
