"""A target that drafts for itself: its layers are chosen once per pair, before the run, and the run says what to expect."""

from copy import deepcopy
from typing import Any, cast

import pytest
import torch

from specviz.decoding.testing import ByteTokenizer
from specviz.errors import PairError
from specviz.models import CachedModel, Pair
from specviz.models.networks.layers import layer_stack
from specviz.runs.prepare import PairKit, drafter_for, notes_of, preparation
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from tests.helpers.architectures import build
from tests.helpers.rounds import text_of

EARLY = Settings(drafter="early-exit", max_new_tokens=12)
PROMPT = "The old dog saw the old cat"
"""Longer than the windows of the table."""


def pair_of(weights: Any) -> Pair:
    target = CachedModel(weights, 257)
    one, text = ModelCard("tiny", "tiny", 1, 4, 32), cast(Any, ByteTokenizer())
    card = PairCard(one, one, DrafterCard("model", "draft model"), "cpu", "float32")
    return Pair("tiny", target, target, text, card)


def plain(pair: Pair) -> tuple[int, ...]:
    return text_of(list(Run(pair, PROMPT, EARLY, plain=True)))


def test_a_pair_chooses_once_and_says_where_nothing_pays() -> None:
    """The run writes the plain text, and notes that no speedup can be expected."""
    pair = pair_of(build("helium"))
    assert preparation(pair, EARLY) == "choosing the layers to draft with"
    run = Run(pair, PROMPT, EARLY)
    assert preparation(pair, EARLY) is None
    assert text_of(list(run)) == plain(pair)
    assert notes_of(pair, run.drafter)[0].startswith("No choice of layers promises more than 1.0x here")
    kit, own = PairKit(pair), pair.own_text
    assert kit.exit_depth == len(run.drafter.layers)
    assert pair.own_text is own
    assert notes_of(pair, drafter_for(pair, Settings(drafter="ngram"))) == ()


@pytest.mark.slow
def test_the_text_is_the_plain_text_past_a_window() -> None:
    """On architectures whose halves used to give other scores: windows, a rotary base for each kind of layer, scaled embeddings, learnt
    positions; with drafts that are accepted and drafts that are not."""
    for name in ("gemma3_text", "granite", "xglm"):
        weights = build(name)
        with torch.no_grad():  # damped, so that fewer layers are sometimes right
            for layer in list(layer_stack(weights).layers)[1:]:
                for weight in layer.module.parameters():
                    weight.mul_(0.8)
        pair = pair_of(weights)
        assert text_of(list(Run(pair, PROMPT, EARLY))) == plain(pair), name


def test_a_target_trained_for_an_exit_keeps_it() -> None:
    """Nothing is measured then, and nothing is said."""
    weights = build("llama")
    weights.config.early_exit_layer = 3
    pair = pair_of(weights)
    assert preparation(pair, EARLY) is None
    assert PairKit(pair).exit_depth == 3
    assert not pair.own_text
    assert notes_of(pair, drafter_for(pair, EARLY)) == ()


def test_layers_that_cannot_be_run_separately_are_refused_before_the_run() -> None:
    """One sentence; the same pair still decodes with others."""
    weights = build("phimoe")
    weights.model.layers = torch.nn.Sequential(*weights.model.layers)
    pair = pair_of(deepcopy(weights))
    with pytest.raises(PairError, match="PhimoeForCausalLM does not keep its layers in one list"):
        Run(pair, "Once upon", EARLY)
    assert Run(pair, "Once upon", Settings(drafter="ngram", max_new_tokens=3)).finish().rounds
