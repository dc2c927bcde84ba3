"""The checks find every planted fault in 32 and in 16 bits, and set no honest path aside. Where a path differs from the plain pass another way
takes its part, or the run is refused with the reason."""

from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor

from specviz.decoding.drafters.early_exit import EarlyExitDrafter
from specviz.errors import CacheError, PairError
from specviz.models import Pair
from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import checked_model, exit_check, tree_check
from specviz.models.checks.paths import check_cache, check_copy, check_early_exit, check_trees
from specviz.models.networks import lean
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import Network
from specviz.models.networks.positions import Positions
from specviz.models.networks.stock import StockNetwork
from specviz.models.pair import is_first_use
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers import architectures
from tests.models.test_cached_model import VOCABULARY, network

pytestmark = pytest.mark.slow

Results = tuple[Tensor, Tensor]


def without(network: Network, layers: Sequence[int]) -> LeanDecoder:
    """A decoder with the same weights that lacks these layers."""
    assert isinstance(network, LeanDecoder)
    fewer = copy(network)
    fewer._layers = [layer for index, layer in enumerate(network._layers) if index not in layers]
    fewer._capacity = 0
    fewer._keys, fewer._values = [], []
    return fewer


def with_network(model: CachedModel, network: Any) -> CachedModel:
    """The same model, run by this network."""
    other = copy(model)
    other.network = network
    other.release()
    return other


def tiny(name: str, dtype: torch.dtype, seed: int = 1, **options: Any) -> CachedModel:
    return CachedModel(architectures.build(name, seed).to(dtype).eval(), architectures.VOCABULARY, **options)


def test_a_missing_layer_is_found(embedded: Pair) -> None:
    """The embedded target without one of its layers is set aside, and the complete one is not."""
    assert check_cache(embedded.target).passed
    for layer in (0, 8):
        found = check_cache(with_network(embedded.target, without(embedded.target.network, [layer])))
        assert not found.passed, f"without layer {layer}: {found}"
        assert found.note


def test_wrong_rotation_and_scale_are_found(embedded: Pair) -> None:
    """Another rotary base and another attention scale are found."""
    model = embedded.require_draft()
    assert isinstance(model.network, LeanDecoder)
    width, ((window, _, scale),) = model.network._width, model.network._kinds
    exponents = torch.arange(0, width, 2).float() / width
    faults: dict[str, tuple[str, Any]] = {
        "base 500,000": ("_kinds", [(window, 1 / 5e5**exponents, scale)]),
        "half the scale": ("_scale", model.network._scale / 2),
    }
    for fault, (name, value) in faults.items():
        network = copy(model.network)
        network.release()
        setattr(network, name, value)
        assert not check_cache(with_network(model, network)).passed, fault


@pytest.mark.parametrize(("name", "dtype"), [("llama_tied", torch.float32), ("qwen3", torch.bfloat16)])
def test_every_missing_layer_of_random_models_is_found(name: str, dtype: torch.dtype) -> None:
    """Also in random models, whose rounding in bfloat16 is far larger than that of trained ones."""
    model = tiny(name, dtype)
    assert check_cache(model).passed
    for layer in range(model.network.depth):
        assert not check_cache(with_network(model, without(model.network, [layer]))).passed, (name, layer)


def test_a_shifted_layer_type_is_found() -> None:
    """Layers that get the masks of their neighbours are found; the windows are those of the model under test."""
    model = tiny("gemma3_text", torch.bfloat16)
    model.model.config.sliding_window = 8
    for shift, passed in ((0, True), (1, False), (2, False)):
        moved = deepcopy(model.model)
        kinds = moved.config.layer_types
        moved.config.layer_types = [*kinds[shift:], *kinds[:shift]]
        assert check_cache(with_network(model, StockNetwork(moved))).passed is passed, shift


class StaleTokens(GraphedDecoder):
    """A graph whose tokens are never copied into its buffer: every replay reads those of the capture."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> Results:
        if positions.begin:
            tokens = self.__dict__.setdefault("captured", {}).setdefault(positions.count, tokens.clone())
        return LeanDecoder.read(self, tokens, positions, rows)


class StaleLength(GraphedDecoder):
    """A graph whose number of cached tokens is never updated."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> Results:
        if positions.begin:
            positions = self.__dict__.setdefault("captured", {}).setdefault(positions.count, positions)
        return LeanDecoder.read(self, tokens, positions, rows)


def test_a_graph_with_stale_inputs_is_found() -> None:
    """A graph that replays the tokens or the position of its capture is found, because passes of one length come twice. So is a copy with such a
    graph, while a copy whose weights differ passes."""
    model = tiny("llama", torch.bfloat16)
    for build in (StaleTokens, StaleLength):
        assert not check_cache(with_network(model, build(model.model))).passed
    assert check_copy(tiny("llama", torch.bfloat16, seed=2), "copy").passed
    assert not check_copy(with_network(model, StaleTokens(model.model)), "copy").passed


class Wrapped:
    """All of it is the network inside."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)


class SeesSiblings(Wrapped):
    """A network whose tree mask lets every node see all earlier ones."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> Results:
        if positions.attends is not None:
            everything = torch.ones_like(positions.attends).tril(positions.begin)
            positions = replace(positions, attends=everything)
        return self._network.read(tokens, positions, rows)


class CountsSlots(Wrapped):
    """A network that takes the slot of a node for its position."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> Results:
        if positions.ids is not None:
            positions = replace(positions, slots=torch.arange(positions.end, device=positions.ids.device))
        return self._network.read(tokens, positions, rows)


class MovesNothing(Wrapped):
    """A network that leaves an accepted path where it was read."""

    def keep(self, begin: int, slots: Sequence[int]) -> None:
        pass


def test_a_wrong_tree_is_found() -> None:
    """Wrong masks, wrong positions and entries that stay in their old slots are found; right trees pass."""
    for own, dtype in ((True, torch.bfloat16), (False, torch.float32)):
        model = tiny("llama", dtype, lean=own)
        assert check_trees(model).passed
        for fault in (SeesSiblings, CountsSlots, MovesNothing):
            assert not check_trees(with_network(model, fault(model.network))).passed, fault


class LosesLayers(Wrapped):
    """Halves that do not meet: the layer after the exit is run by neither."""

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> Results:
        return self._network.upper(tokens, states, positions, depth + 1, rows)


def test_wrong_halves_are_found() -> None:
    """Halves that skip a layer are found at every depth; right halves pass."""
    for depth in (1, 2):
        model = tiny("llama", torch.bfloat16)
        assert check_early_exit(model, depth).passed
        assert not check_early_exit(with_network(model, LosesLayers(model.network)), depth).passed


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_no_honest_model_is_set_aside(dtype: torch.dtype) -> None:
    """Random models pass in the formats that round, also mixtures of experts, windows, and models that amplify rounding."""
    for name in ("gemma2", "gpt2", "bitnet", "mistral_sliding", "phimoe"):
        model = tiny(name, dtype, 2)
        found = check_cache(model)
        assert found.passed, (name, found)
        assert model.length == 0


def test_a_window_of_thousands_of_tokens_is_crossed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own decoder that forgets its window, however wide, is found in chains and trees; afterwards the window is what it was."""
    weights = architectures.build("mistral_sliding")
    weights.config.sliding_window = 4096
    model = CachedModel(weights, architectures.VOCABULARY)
    assert isinstance(model.network, LeanDecoder)
    assert check_cache(model).passed
    assert check_trees(model).passed
    assert [window for window, _, _ in model.network._kinds] == [4096]
    monkeypatch.setattr(lean, "within", lambda attends, window: attends)
    assert not check_cache(model).passed
    assert not check_trees(model).passed


# ---- where a path differs


class Forgetful(transformers.LlamaForCausalLM):  # type: ignore[misc]  # transformers ships no types
    """Ignores the cache: reads every piece of text as if nothing came before it."""

    def forward(self, *args: Any, past_key_values: Any = None, **kwargs: Any) -> Any:
        kwargs["use_cache"] = False
        return super().forward(*args, **kwargs)


class Clinging(transformers.LlamaForCausalLM):  # type: ignore[misc]  # transformers ships no types
    """Keeps its own cache, which cannot be rolled back."""

    def forward(self, *args: Any, past_key_values: Any = None, **kwargs: Any) -> Any:
        if past_key_values is None:
            return super().forward(*args, **kwargs)
        if past_key_values.get_seq_length() == 0:
            self.own = transformers.DynamicCache(config=self.config)
        return super().forward(*args, past_key_values=self.own, **kwargs)


class Refusing(transformers.LlamaForCausalLM):  # type: ignore[misc]  # transformers ships no types
    """Cannot use the cache that it is given."""

    def forward(self, *args: Any, past_key_values: Any = None, **kwargs: Any) -> Any:
        if past_key_values is None:
            return super().forward(*args, **kwargs)
        return past_key_values.to_legacy_cache()


def test_a_model_that_cannot_roll_back_is_found() -> None:
    """A model that ignores the cache, keeps its own one or fails with ours raises an error when it is loaded."""
    config = network("LlamaForCausalLM").config
    config.initializer_range = 0.005
    for build in (Forgetful, Clinging, Refusing):
        with torch.random.fork_rng():
            torch.manual_seed(1)
            model = CachedModel(build(config).eval(), VOCABULARY)
        with pytest.raises(CacheError, match=build.__name__):
            checked_model(model, "target")


def test_a_model_that_cannot_run_at_all_is_refused_with_its_reason() -> None:
    """A model whose own plain pass fails in this format raises an error that names the format and the reason."""
    model = CachedModel(architectures.build("mixtral").to(torch.float64).eval(), architectures.VOCABULARY)
    with pytest.raises(
        PairError, match=r"MixtralForCausalLM cannot read a text in float64 on cpu \(.*\): choose another"
    ):
        checked_model(model, "target")


def test_small_vocabularies_contexts_and_missing_embeddings() -> None:
    """The checks work with contexts and vocabularies of a few tokens, and with ids that the model has no embedding for."""
    for kind in ("LlamaForCausalLM", "GPT2LMHeadModel"):
        for context, vocabulary in ((1, 60), (5, 1), (12, 3)):
            options = {"vocab_size": vocabulary, "max_position_embeddings": context}
            built = network(kind, **options, **({"n_positions": context} if kind.startswith("GPT2") else {}))
            model, checks = checked_model(CachedModel(built, 70), "draft")
            assert all(check.passed for check in checks), (context, vocabulary, kind)
            assert context < 9 or kind.startswith("GPT2") or check_early_exit(model, 1).passed
            assert check_trees(model).passed is (context >= 8)


def test_each_path_is_checked_once_when_first_used(embedded: Pair) -> None:
    """Loading checks the decoders; a tree drafter and an early exit add their checks when they are first made, once."""
    names = [check.name for loaded_model in embedded.loaded.values() for check in loaded_model.checks]
    assert names == ["own decoder of the target", "own decoder of the draft"]
    pair = replace(embedded)
    uses = ((tree_check, "target"), (tree_check, "draft"), (exit_check, 4))

    def unused() -> list[bool]:
        return [is_first_use(pair, check, argument) for check, argument in uses]

    Run(pair, "Hello", Settings())
    assert unused() == [True, True, True]
    Run(pair, "Hello", Settings(drafter="tree"))
    assert unused() == [False, False, True]
    trees = tree_check(pair, "target")
    Run(pair, "Hello", Settings(drafter="early-exit"))
    run = Run(pair, "Hello", Settings(drafter="tree"))
    assert unused() == [False, False, False]
    assert tree_check(pair, "target") is trees
    assert not run.card.notes


def test_an_early_exit_that_differs_is_refused_before_the_run(embedded: Pair) -> None:
    """Halves that lose a layer raise an error with the reason, whoever made the drafter; other runs say nothing of it."""
    pair = replace(embedded, target=with_network(embedded.target, LosesLayers(embedded.target.network)))
    with pytest.raises(PairError, match=r"early exit after 4 layers cannot be used .* nats per token. Choose another"):
        Run(pair, "Hello", Settings(drafter="early-exit"))
    own = EarlyExitDrafter(pair.target, 4)
    own.name = "my own"
    with pytest.raises(PairError, match="early exit after 4 layers"):
        Run(pair, "Hello", Settings(), drafter=own)
    assert Run(pair, "Hello", Settings(max_new_tokens=2)).finish().card.notes == pair.card.notes


class Mirrored(Wrapped):
    """A network whose scores after a prefix belong to other ids, in trees and in chains."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> Results:
        logits, states = self._network.read(tokens, positions, rows)
        return (logits.flip(-1) if positions.begin else logits), states


def test_where_no_way_to_read_trees_is_right_chains_are_read_as_before(embedded: Pair) -> None:
    """A model whose trees are wrong path by path too keeps the network with which its cache was checked, and the tree drafter is refused."""
    wrong: Any = Mirrored(embedded.target.network)
    pair = replace(embedded, target=with_network(embedded.target, wrong))
    with pytest.raises(PairError, match=r"tree of drafts cannot be used on LlamaForCausalLM: its scores differ"):
        Run(pair, "Hello", Settings(drafter="tree"))
    assert pair.target.network is wrong
    Run(pair, "Hello", Settings(max_new_tokens=2)).finish()


class Full(Wrapped):
    """A network for whose trees there is no memory: the CPU's allocator raises a plain RuntimeError."""

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> Results:
        if positions.attends is not None:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.")
        return self._network.read(tokens, positions, rows)


def test_a_path_is_not_judged_where_memory_runs_out(embedded: Pair) -> None:
    """The run ends with a sentence about memory, and the path is checked again by the next run."""
    full: Any = Full(embedded.target.network)
    pair = replace(embedded, target=with_network(embedded.target, full))
    with pytest.raises(PairError, match=r"memory of cpu ran out"):
        Run(pair, "Hello", Settings(drafter="tree"))
    assert is_first_use(pair, tree_check, "target")
    assert pair.target.network is full


class ByPath(CachedModel):
    """Reads trees by a second way, which is right."""

    def read_trees_by_path(self, reason: str) -> None:
        network: Any = self.network
        self.network = network._network


def test_a_tree_that_differs_is_read_path_by_path(embedded: Pair) -> None:
    """A model with a second way to read trees switches to it, and the card says so."""
    target = with_network(embedded.target, SeesSiblings(embedded.target.network))
    target.__class__ = ByPath
    pair = replace(embedded, target=target)
    trace = Run(pair, "Hello", Settings(drafter="tree", max_new_tokens=4)).finish()
    assert isinstance(target.network, LeanDecoder)
    assert check_cache(target).passed
    assert [note for note in trace.card.notes if "path by path on the target" in note]
