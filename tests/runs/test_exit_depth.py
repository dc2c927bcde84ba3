"""A target that drafts for itself: as many layers as it was trained for, else a third of them."""

from typing import Any, cast

import pytest

from specviz.decoding.testing import ByteTokenizer
from specviz.errors import PairError
from specviz.models import CachedModel, Pair
from specviz.runs.build import build_drafter, exit_depth, first_step
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from tests.models.test_cached_model import network


def pair_of(weights: Any) -> Pair:
    target = CachedModel(weights, 257)
    one, text = ModelCard("tiny", "tiny", 1, 4, 32), cast(Any, ByteTokenizer())
    card = PairCard(one, one, DrafterCard("model", "draft model"), "cpu", "float32")
    return Pair("tiny", target, target, text, card)


def test_a_third_of_the_layers_drafts() -> None:
    """At least one, and never all; of a single one no early exit is made, with the reason."""
    for layers, exits_after in ((2, 1), (3, 1), (8, 3), (30, 10)):
        pair = pair_of(network("LlamaForCausalLM", num_hidden_layers=layers, vocab_size=257))
        assert first_step(pair, "early-exit") == "", "nothing is prepared"
        assert exit_depth(pair) == len(build_drafter(pair, "early-exit").layers) == exits_after
    with pytest.raises(PairError, match="has a single layer"):
        exit_depth(pair_of(network("LlamaForCausalLM", num_hidden_layers=1, vocab_size=257)))
