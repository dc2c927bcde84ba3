"""A target that drafts for itself: as many layers as it was trained for, else a third of them."""

from typing import Any, cast

import pytest

from specviz.decoding.testing import ByteTokenizer
from specviz.errors import PairError
from specviz.models import CachedModel, Pair
from specviz.runs.build import exit_depth, first_step
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from tests.helpers.architectures import build
from tests.helpers.rounds import text_of
from tests.models.test_cached_model import network

EARLY = Settings(drafter="early-exit", max_new_tokens=12)
PROMPT = "The old dog saw the old cat"
"""Longer than the windows of the table."""


def pair_of(weights: Any) -> Pair:
    target = CachedModel(weights, 257)
    one, text = ModelCard("tiny", "tiny", 1, 4, 32), cast(Any, ByteTokenizer())
    card = PairCard(one, one, DrafterCard("model", "draft model"), "cpu", "float32")
    return Pair("tiny", target, target, text, card)


def test_a_third_of_the_layers_drafts() -> None:
    """At least one, and never all; of a single one no early exit is made, with the reason."""
    for layers, exits_after in ((2, 1), (3, 1), (8, 3), (30, 10)):
        weights = network("LlamaForCausalLM", num_hidden_layers=layers, vocab_size=257)
        assert exit_depth(pair_of(weights)) == exits_after
    with pytest.raises(PairError, match="has a single layer"):
        exit_depth(pair_of(network("LlamaForCausalLM", num_hidden_layers=1, vocab_size=257)))


def test_a_run_has_its_layers_and_prepares_nothing() -> None:
    """It writes the plain text, whatever the shallower model is worth."""
    pair = pair_of(build("helium"))
    assert first_step(pair, "early-exit") == ""
    run = Run(pair, PROMPT, EARLY)
    assert text_of(list(run)) == text_of(list(Run(pair, PROMPT, EARLY, plain=True)))
    assert exit_depth(pair) == len(run.drafter.layers)
    assert run.prepared.notes == ()
