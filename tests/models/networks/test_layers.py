"""A model's first layers and its last layers: their scores equal those of the same layers of the full model, on every kind of architecture."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import Any

import pytest
import torch
from accelerate import dispatch_model  # type: ignore[import-untyped]  # ships no types
from torch import Tensor, nn

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.networks.layers import _standing_in, layer_stack
from specviz.models.networks.stock import StockNetwork
from tests.helpers.architectures import ARCHITECTURES, VOCABULARY, WINDOW, Kind, build, prompt
from tests.helpers.tiny_models import tiny_weights
from tests.models.test_cached_model import VOCABULARY as SMALL
from tests.models.test_cached_model import ids, network

TOLERANCE = 1e-5
"""Of the range of the scores, in float32."""
WHOLE = ("openai-gpt", "glm_moe_dsa", "hy_v4", "hrm_text")
"""They have no cache, or no single list of independent layers."""
CHOSEN = [
    "llama4_text",
    "gemma3n_text",  # several streams of states, keys that later layers share
    "opt",  # learnt positions, a list of layers inside a decoder inside a model
    "bert_decoder",
    "gpt_neo",  # layers that return tuples
]
"""One architecture for every way in which a model passes states on."""


def scored(weights: Any, text: Sequence[int]) -> Tensor:
    with torch.inference_mode():
        logits: Tensor = weights(torch.tensor([list(text)]), use_cache=False).logits[0]
    return logits


def scored_without(weights: Any, layers: Collection[int], text: Sequence[int]) -> Tensor:
    """The scores where these layers of the model return the states that they get."""

    def unchanged(_: nn.Module, given: Any, named: Any, result: Any) -> Any:
        states = given[0] if given else named["hidden_states"]
        return (states, *result[1:]) if isinstance(result, tuple) else states

    modules = layer_stack(weights).layers
    with ExitStack() as hooks:
        for index in layers:
            hooks.enter_context(modules[index].module.register_forward_hook(unchanged, with_kwargs=True))
        return scored(weights, text)


def alike(one: Tensor, other: Tensor, tolerance: float = 1e-4) -> None:
    torch.testing.assert_close(one, other, rtol=0, atol=tolerance * float(other.max() - other.min()))


def check_halves(model: CachedModel, depths: Collection[int] = ()) -> None:
    """At every depth, or at these: lower half and upper half together give the scores of one fresh pass of the model: in chunks, after
    a rollback, past the window; and the lower half gives the scores of its own layers."""
    text = [*prompt(1), *prompt(2)][: 3 * WINDOW]
    tokens = torch.tensor(text)
    wanted, total = scored(model.model, text), model.network.depth
    for depth in depths or range(1, total):
        lower = scored_without(model.model, range(depth, total), text)
        model.begin(len(text))
        model.forward(tokens[:9])
        model.keep(range(9))
        model.look_ahead(tokens[20:23], depth)
        model.forward(tokens[20:25])
        model.keep(range(0))
        begin = 9
        for ahead, count in ((3, 5), (1, 1), (7, 8), (4, 4), (2, 6), (0, 7), (7, 8)):
            end = begin + count
            for index in range(begin, begin + ahead):
                alike(model.look_ahead(tokens[index : index + 1], depth, 1)[0], lower[index], TOLERANCE)
            alike(model.forward(tokens[begin:end]).logits, wanted[begin:end], TOLERANCE)
            model.keep(range(count))
            begin = end


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in CHOSEN else pytest.mark.rare)
        for name, row in ARCHITECTURES.items()
        if row.kind in (Kind.ORDINARY, Kind.WINDOWED) and name not in WHOLE
    ],
)
def test_an_architecture_is_split_at_every_depth(name: str) -> None:
    """Halves are right, and the full model is unchanged afterwards."""
    model = CachedModel(build(name), VOCABULARY, lean=False)
    text = prompt()
    before = scored(model.model, text)
    check_halves(model)
    assert torch.equal(scored(model.model, text), before)


@pytest.mark.slow
def test_models_that_cannot_be_split_say_so() -> None:
    """Layers in no list, and layers that hand more than their states to the next one: one sentence."""
    chain = build("llama_tied")
    chain.model.layers = nn.Sequential(*chain.model.layers)
    sparse = build("glm_moe_dsa")
    for weights, reason in ((chain, "in one list"), (sparse, "hand more than their states")):
        model = CachedModel(weights, VOCABULARY, lean=False)
        assert reason in model.network.split_refusal
        assert model.network.depth == 4
        model.begin(4)
        with pytest.raises(PairError, match=reason):
            model.look_ahead(ids(1), 1)


def missing_layer(halves: Any) -> None:
    whole = halves.upper

    @contextmanager
    def upper() -> Iterator[None]:
        with whole(), _standing_in(halves._rest[:1], halves._give):
            yield

    halves.upper = upper


def scaled_again(halves: Any) -> None:
    """The states are multiplied by the scale of the embeddings, as `inputs_embeds` would be."""
    give = halves._give
    halves._give = lambda keywords: give(keywords) * 1.01


@pytest.mark.parametrize("bug", [missing_layer, scaled_again])
def test_planted_bug_is_detected(bug: Any) -> None:
    """The check of the halves, which the test above makes without a bug, fails with it."""
    model = CachedModel(build("gemma3_text"), VOCABULARY, lean=False)
    assert isinstance(model.network, StockNetwork)
    bug(model.network._cut(2))
    with pytest.raises(AssertionError):
        check_halves(model, [2])


def test_layers_that_accelerate_has_spread_are_split_too() -> None:
    """It binds `forward` to each module, and has its own one back after every pass."""
    weights = deepcopy(tiny_weights("LlamaForCausalLM", 1, VOCABULARY, 4, 16, torch.float32))
    dispatch_model(weights, {"model": "cpu", "lm_head": "cpu"}, force_hooks=True)
    model = CachedModel(weights, VOCABULARY, lean=False)
    before = scored(weights, prompt())
    check_halves(model)
    assert torch.equal(scored(weights, prompt()), before)
    assert all("_old_forward" in vars(module) for module in weights.model.layers)


def test_looking_ahead_and_a_pass_that_does_not_follow_are_refused() -> None:
    """After looking ahead, a tree, fewer tokens, another depth or pending tokens raise an error."""
    model = CachedModel(network("LlamaForCausalLM", num_hidden_layers=4), SMALL)
    model.begin(20)
    for parents in ((-1, -1), None):
        model.look_ahead(ids(1, 2, 3), 2)
        with pytest.raises(PairError, match="were read ahead"):
            model.forward(ids(1, 2), parents=parents)
        model.keep([])
    model.look_ahead(ids(1), 2)
    with pytest.raises(PairError, match="cannot be read ahead"):
        model.look_ahead(ids(2), 3)
    model.keep([])
    model.forward(ids(1))
    with pytest.raises(PairError, match="1 are pending"):
        model.look_ahead(ids(2), 2)
