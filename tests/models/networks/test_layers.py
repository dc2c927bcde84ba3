"""A model's first layers, its last ones, and some of them left out: each part scores as the same layers of the whole do."""

import random
from typing import Any

import pytest
import torch

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.networks.layers import part_of
from tests.models.test_cached_model import VOCABULARY, buffers, fresh, ids, network

DEPTH = 5
KINDS = ["LlamaForCausalLM", "Qwen3ForCausalLM", "GPT2LMHeadModel", "GPTNeoXForCausalLM"]
EVERY = [*((kind, True) for kind in KINDS), ("LlamaForCausalLM", False), ("Qwen3ForCausalLM", False)]


def cached(kind: str, lean: bool = True) -> CachedModel:
    return CachedModel(network(kind, num_hidden_layers=DEPTH), VOCABULARY, lean=lean)


def scored(weights: Any, text: list[int]) -> torch.Tensor:
    with torch.inference_mode():
        logits: torch.Tensor = weights(torch.tensor([text]), use_cache=False).logits[0]
    return logits


def alike(one: torch.Tensor, other: torch.Tensor) -> None:
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4 * float(other.abs().max()))


@pytest.mark.parametrize(("kind", "lean"), EVERY)
@pytest.mark.parametrize("depth", [1, 3, 4])
def test_looking_ahead_scores_as_the_first_layers_do_and_the_rest_goes_on_there(
    kind: str, lean: bool, depth: int
) -> None:
    """Tokens read by the first layers one after the other score as a model of these layers alone; the whole pass behind them, over
    as many tokens or more, scores as a fresh pass; so does everything later, whatever was kept."""
    chance = random.Random(depth)  # noqa: S311  # a test repeats itself on purpose
    model = cached(kind, lean)
    below = part_of(model.model, range(depth))
    model.begin(120)
    kept = [chance.randrange(VOCABULARY) for _ in range(4)]
    model.forward(ids(*kept))
    model.keep(range(4))
    for _ in range(8):
        line = [chance.randrange(VOCABULARY) for _ in range(chance.randint(1, 5))]
        ahead = chance.randint(0, len(line))
        for index in range(ahead):
            row = model.look_ahead(ids(line[index]), depth, 1)[0]
            alike(row, scored(below, [*kept, *line[: index + 1]])[-1])
        assert model.length == len(kept), "what is ahead is no part of the text"
        if chance.random() < 0.2:
            model.drop_ahead()
        alike(model.forward(ids(*line)).logits, fresh(model, [*kept, *line])[-len(line) :])
        path = range(chance.randint(0, len(line)))
        model.keep(path)
        kept += line[: len(path)]


def test_nothing_is_computed_twice() -> None:
    """After looking ahead the pass runs the first layers only over the tokens that they have not read."""
    model = cached("LlamaForCausalLM", lean=False)
    model.begin(20)
    model.forward(ids(1, 2))
    model.keep(range(2))
    for token in (3, 4):
        model.look_ahead(ids(token), 2, 1)
    read: dict[int, list[int]] = {}
    hooks = [
        layer.register_forward_pre_hook(
            lambda _, given, index=index: read.setdefault(index, []).append(given[0].shape[1])
        )
        for index, layer in enumerate(model.model.model.layers)
    ]
    model.forward(ids(3, 4, 5))
    for hook in hooks:
        hook.remove()
    assert read == {0: [1], 2: [3], 3: [3], 4: [3]} | {1: read.get(1, [1])}


@pytest.mark.parametrize(("kind", "lean"), EVERY)
@pytest.mark.parametrize("skipped", [(1,), (0, 3), (1, 2, 3)])
def test_a_model_that_skips_layers_scores_as_those_left(kind: str, lean: bool, skipped: tuple[int, ...]) -> None:
    """Fewer layers, shared weights, buffers of its own; the whole model beside it is not disturbed."""
    model = cached(kind, lean)
    fewer = model.skipping(skipped)
    weights = part_of(model.model, [index for index in range(DEPTH) if index not in skipped])
    for one in (model, fewer):
        one.begin(40)
        one.forward(ids(1, 2, 3, 4))
        one.keep(range(4))
    alike(fewer.forward(ids(5, 6)).logits, scored(weights, [1, 2, 3, 4, 5, 6])[-2:])
    alike(model.forward(ids(5, 6)).logits, fresh(model, [1, 2, 3, 4, 5, 6])[-2:])
    assert not set(buffers(model)) & set(buffers(fewer))


def test_looking_ahead_and_a_pass_that_does_not_follow_are_refused() -> None:
    """A tree behind what was looked ahead at, fewer tokens than that, another depth, or pending tokens."""
    model = cached("LlamaForCausalLM")
    model.begin(20)
    for parents in ((-1, -1), None):
        model.look_ahead(ids(1, 2, 3), 2)
        with pytest.raises(PairError, match="looked ahead"):
            model.forward(ids(1, 2), parents=parents)
        model.keep([])
    model.look_ahead(ids(1), 2)
    with pytest.raises(PairError, match="cannot be looked ahead"):
        model.look_ahead(ids(2), 3)
    model.keep([])
    model.forward(ids(1))
    with pytest.raises(PairError, match="1 are pending"):
        model.look_ahead(ids(2), 2)
