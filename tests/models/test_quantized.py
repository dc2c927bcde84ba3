"""The target in 8 bits as its own draft: what it stores, what it writes, and the sentences where it cannot be made."""

import sys
from dataclasses import replace
from typing import Any

import pytest
import torch

from specviz.errors import PairError
from specviz.models import Pair
from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import copy_check, quantized_copy
from specviz.runs.costs import copy_cost
from specviz.runs.run import Run
from specviz.settings import Settings

pytestmark = pytest.mark.slow

SETTINGS = Settings(k=4, max_new_tokens=12, drafter="quantized")


def _bytes_of(copied: CachedModel) -> int:
    """Bytes of its weights as they are stored: torchao's are made of whole numbers and factors."""
    parts: list[torch.Tensor] = []
    for weight in copied.model.parameters():
        names = weight.data.__tensor_flatten__()[0] if type(weight.data) is not torch.Tensor else []
        inner = [getattr(weight.data, name) for name in names]
        parts += [one for one in inner if isinstance(one, torch.Tensor)] if names else [weight]
    return sum(part.numel() * part.element_size() for part in parts)


def test_it_drafts_for_the_target(embedded: Pair) -> None:
    """Nearly every token is the target's own, the text is the plain one, and its matrices are whole numbers of one byte."""
    plain = Run(embedded, "The capital of France is", replace(SETTINGS, drafter="ngram"), plain=True).finish()
    trace = Run(embedded, "The capital of France is", SETTINGS).finish()
    assert trace.token_ids == plain.token_ids
    drafted = [d for r in trace.rounds for d in r.drafted]
    assert sum(d.verdict == "accepted" for d in drafted) > 0.7 * len(drafted)
    assert all(d.draft_top.logits[0] != d.target_top.logits[0] for d in drafted), "its scores are its own"
    assert copy_check(embedded).passed
    copied = quantized_copy(embedded)
    full = sum(w.numel() * w.element_size() for w in embedded.target.model.parameters())
    assert 0.2 < _bytes_of(copied) / full < 0.5


def test_a_copy_that_is_slower_is_labelled(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run's card says what a pass of the copy costs, as measured in turn with the target's own."""
    pair = replace(embedded)  # of which nothing was measured
    monkeypatch.setattr("specviz.runs.costs.pass_seconds", lambda model, _: (3 if model is pair.target else 4) / 1e3)
    notes = Run(pair, "Once upon a time", SETTINGS).finish().card.notes
    (said,) = [note for note in notes if "8 bits" in note]
    assert "a pass of the copy takes 1.33 of the target's own pass" in said
    assert copy_cost(pair) == pytest.approx(4 / 3)


def test_without_the_package_one_sentence_says_so(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the run begins, with what to install."""
    absent: Any = None
    for name in [name for name in sys.modules if name.split(".")[0] == "torchao"] + ["torchao", "torchao.quantization"]:
        monkeypatch.setitem(sys.modules, name, absent)
    with pytest.raises(PairError, match=r"needs the package torchao, .*`pip install torchao==0\.18\.0`, or choose"):
        Run(replace(embedded), "Once upon a time", SETTINGS)
