"""The layers that draft: chosen by measured agreement, in few passes, with a sentence where none can pay."""

from collections.abc import Collection
from typing import Any

import pytest
import torch

from specviz.decoding.protocols import Scores
from specviz.errors import PairError
from specviz.models import CachedModel
from specviz.models.layer_choice import LayerChoice, exit_depth
from specviz.trace.theory import tokens_per_pass
from tests.helpers.architecture_rows import VOCABULARY
from tests.helpers.architectures import build, prompt
from tests.models.networks.test_layers import scored, scored_without
from tests.models.test_cached_model import network

DEPTH = 8


def model_with(idle: Collection[int] = (), depth: int = DEPTH, lean: bool = True) -> CachedModel:
    """A model in which these layers change nothing."""
    weights = network("LlamaForCausalLM", num_hidden_layers=depth, vocab_size=VOCABULARY)
    with torch.no_grad():
        for index in idle:
            weights.model.layers[index].self_attn.o_proj.weight.zero_()
            weights.model.layers[index].mlp.down_proj.weight.zero_()
    return CachedModel(weights, VOCABULARY, lean=lean)


def agreement(weights: Any, kept: Collection[int], depth: int, text: list[int]) -> float:
    full = scored(weights, text).softmax(-1)
    fewer = scored_without(weights, [index for index in range(depth) if index not in kept], text).softmax(-1)
    return float(torch.minimum(full, fewer).sum(-1).mean())


@pytest.mark.parametrize("lean", [True, False])
def test_an_early_exit_leaves_where_the_other_layers_change_nothing(lean: bool) -> None:
    """Not after a third of the layers: after layer 5 of 8 if the last three are idle, after layer 1 if all later ones are."""
    for first_idle in (1, 5):
        choice = exit_depth(model_with(range(first_idle, DEPTH), lean=lean), prompt())
        assert choice.layers == tuple(range(first_idle))
        assert choice.agreement == pytest.approx(1.0, abs=1e-4)
        assert choice.note == ""


def test_the_prediction_is_the_formula_with_passes_priced_by_weights() -> None:
    """At the best draft length: tokens per pass over the draft passes, the verify pass and the last token's pass through the first layers."""
    model, text = model_with(), prompt()
    layer = sum(weight.numel() for weight in model.model.model.layers[0].parameters())
    head = model.model.lm_head.weight.numel()
    full = DEPTH * layer + head + model.model.model.norm.weight.numel()
    choice = exit_depth(model, text)
    kept = len(choice.layers)
    alpha = agreement(model.model, choice.layers, DEPTH, text)
    draft, rest = kept * layer + head, (DEPTH - kept) * layer + head
    wanted = max(tokens_per_pass(alpha, k) * full / (k * draft + draft + rest) for k in range(1, 17))
    assert choice.speedup == pytest.approx(wanted, rel=1e-3)


def test_a_choice_takes_few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 30 layers: two."""
    read: list[int] = []
    forward = CachedModel.forward

    def counted(self: CachedModel, *given: Any, **named: Any) -> Scores:
        read.append(1)
        return forward(self, *given, **named)

    monkeypatch.setattr(CachedModel, "forward", counted)
    exit_depth(model_with((), depth=30), prompt())
    assert len(read) == 1, "and one that gives the scores after every layer"


def test_where_nothing_pays_the_note_says_so() -> None:
    """In a model of random layers that all matter no choice promises anything, and the sentence has the estimate."""
    model = CachedModel(build("helium"), VOCABULARY)
    choice = exit_depth(model, prompt())
    assert choice.speedup is not None
    assert choice.speedup < 1
    assert choice.note == f"No choice of layers promises more than 1.0x here: best estimate {choice.note[-6:-2]}x."
    assert 0 <= choice.speedup - float(choice.note[-6:-2]) < 0.01
    assert LayerChoice((0,), 0.9, 1.2).note == ""
    assert LayerChoice((0,)).note == "", "not measured: the target was trained for this exit"


def test_a_model_that_cannot_be_split_is_refused() -> None:
    weights = build("llama")
    weights.model.layers = torch.nn.Sequential(*weights.model.layers)
    model = CachedModel(weights, VOCABULARY, lean=False)
    with pytest.raises(PairError, match="in one list"):
        exit_depth(model, prompt())
