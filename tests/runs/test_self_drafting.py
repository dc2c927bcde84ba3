"""A target that drafts for itself: its layers are chosen once per pair, before the run, and the run says what to expect."""

from copy import deepcopy
from typing import Any, cast

import pytest
import torch

from specviz.decoding.testing import ByteTokenizer
from specviz.errors import PairError
from specviz.models import CachedModel, Pair
from specviz.models.networks.layers import layer_stack
from specviz.runs import examination
from specviz.runs.prepare import PairKit, drafter_for, notes_of, preparation
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from tests.helpers.architectures import build
from tests.helpers.rounds import text_of

EARLY, SKIP = Settings(drafter="early-exit", max_new_tokens=12), Settings(drafter="layer-skip", max_new_tokens=12)
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
    """Both drafters share the text that the target wrote, write the plain text, and note that no speedup can be expected."""
    pair = pair_of(build("helium"))
    for settings, what in ((EARLY, "choosing the layers to draft with"), (SKIP, "choosing the layers to leave out")):
        assert preparation(pair, settings) == what
        run = Run(pair, PROMPT, settings)
        assert preparation(pair, settings) is None
        assert text_of(list(run)) == plain(pair)
        assert notes_of(pair, run.drafter)[0].startswith("No choice of layers promises more than 1.0x here")
    kit, own = PairKit(pair), pair.own_text
    assert (kit.exit_depth, kit.kept_layers, kit.fewer) == (kit.exit_depth, kit.kept_layers, pair.fewer)
    assert pair.own_text is own
    assert notes_of(pair, drafter_for(pair, Settings(drafter="ngram"))) == ()


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
        for settings in (EARLY, SKIP):
            rounds = list(Run(pair, PROMPT, settings))
            assert text_of(rounds) == plain(pair), (name, settings.drafter)


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
    """One sentence for both drafters; the same pair still decodes with others."""
    weights = build("phimoe")
    weights.model.layers = torch.nn.Sequential(*weights.model.layers)
    pair = pair_of(deepcopy(weights))
    for settings in (EARLY, SKIP):
        with pytest.raises(PairError, match="PhimoeForCausalLM does not keep its layers in one list"):
            Run(pair, "Once upon", settings)
    assert Run(pair, "Once upon", Settings(drafter="ngram", max_new_tokens=3)).finish().rounds


def test_an_examination_goes_on_where_layers_cannot_be_run_separately(monkeypatch: pytest.MonkeyPatch) -> None:
    """The layer skip is one finding with the reason, and others follow."""
    monkeypatch.setattr(examination, "_NEW_TOKENS", 6)
    findings = examination.examine(pair_of(build("hrm_text")), lambda what: None)
    skip = next(finding for finding in findings if finding.name == "layer skip")
    assert skip.outcome is examination.CheckOutcome.SET_ASIDE
    assert "does not keep its layers in one list" in skip.note
    assert next(findings).name.startswith("text of")
