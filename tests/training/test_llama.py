"""The hidden states of a Llama network against transformers' own forward pass."""

from copy import deepcopy

import torch

from specviz.training import llama
from tests.training.helpers import Shape, roughened

SHAPES = [
    Shape(layers=1, width=16, heads=1, feed_forward=24),
    Shape(layers=3, width=16, heads=2, feed_forward=40),
    Shape(layers=4, width=24, heads=3, feed_forward=32),
]
IDS = torch.randint(0, 50, (3, 9), generator=torch.Generator().manual_seed(0))


def test_the_last_states_give_the_scores_of_transformers() -> None:
    """The head on the last states gives the logits of transformers' own forward pass."""
    for shape in SHAPES:
        model = roughened(shape)
        with torch.no_grad():
            own = model.lm_head(llama.hidden(model, IDS)[0])
            wanted = model(IDS).logits
        torch.testing.assert_close(own, wanted, rtol=1e-5, atol=1e-5)
        assert wanted.std() > 0.5


def test_the_early_states_are_those_of_a_shorter_network() -> None:
    """The states after n layers are the output of transformers' network with only its first n layers; the last ones are unchanged by asking."""
    for shape in SHAPES[1:]:
        model = roughened(shape)
        with torch.no_grad():
            last, none = llama.hidden(model, IDS)
            assert none is None
            for depth in range(1, shape.layers + 1):
                short = deepcopy(model)
                short.model.layers = short.model.layers[:depth]
                again, early = llama.hidden(model, IDS, depth)
                assert early is not None
                torch.testing.assert_close(early, short.model(IDS).last_hidden_state, rtol=1e-5, atol=1e-5)
                assert torch.equal(again, last)
                assert torch.allclose(early, last, atol=1e-2) == (depth == shape.layers)
