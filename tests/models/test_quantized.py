"""The target in 8 bits as its own draft: what it stores, what it writes, and the sentences where it cannot be made."""

from dataclasses import replace
from statistics import mean

import pytest
import torch

from specviz.errors import PairError
from specviz.models import Pair
from specviz.models.checks.first_use import copy_check, quantized_copy
from specviz.models.networks.packing import EightBitMatrix
from specviz.models.quantized import quantized
from specviz.runs.choose import choose
from specviz.runs.costs import PassCosts, copy_cost
from specviz.runs.run import Run
from specviz.settings import AUTO, Settings
from tests.architectures.examination import pair_of
from tests.helpers.architectures import build
from tests.helpers.tiny_models import tiny

pytestmark = pytest.mark.slow

PROMPT = "The capital of France is"
SETTINGS = Settings(k=4, max_new_tokens=12, drafter="quantized")


def test_it_drafts_for_the_target(embedded: Pair) -> None:
    """Nearly every token is the target's own, the text is the plain one, and a read of the copy's matrices is half of the target's."""
    plain = Run(embedded, PROMPT, replace(SETTINGS, drafter="ngram"), plain=True).finish()
    trace = Run(embedded, PROMPT, SETTINGS).finish()
    assert trace.token_ids == plain.token_ids
    drafted = [token for round_ in trace.rounds for token in round_.drafted]
    assert mean(token.verdict == "accepted" for token in drafted) > 0.8
    assert all(token.draft_top.logits[0] != token.target_top.logits[0] for token in drafted), "its scores are its own"
    assert copy_check(embedded).passed
    assert quantized_copy(embedded).network.kind == embedded.target.network.kind == "own"


def test_a_product_in_8_bits_is_near_and_knows_no_other_row() -> None:
    """Also with the largest weights and states, where sums of 16 bits overflow, with a few large states, a bias, and a row of zeros."""
    torch.manual_seed(0)
    weight, rows, bias = torch.randn(300, 512), torch.randn(5, 512), torch.randn(300)
    rows[1, 7], rows[3] = 300.0, 0.0
    matrix = EightBitMatrix([weight[:100], weight[100:]], bias)
    wanted = rows @ weight.T + bias
    assert ((matrix(rows) - wanted).norm(dim=1) <= 0.012 * wanted.norm(dim=1)).all()
    assert torch.equal(matrix(rows), torch.cat([matrix(row[None]) for row in rows]))
    ones = torch.ones(64, 512)
    assert torch.allclose(EightBitMatrix([ones])(ones[:2]), torch.full((2, 64), 512.0))


def test_the_target_stays_as_it_is() -> None:
    """Its weights are those before, and the copy's scores are near its own."""
    target = tiny("LlamaForCausalLM", 1)
    before = {name: weight.clone() for name, weight in target.model.state_dict().items()}
    copied, texts = quantized(target), torch.arange(12) % target.vocabulary
    for model in (target, copied):
        model.begin(16)
    own, other = target.forward(texts).logits, copied.forward(texts).logits
    assert 0 < float((own - other).norm() / own.norm()) < 0.1
    after = target.model.state_dict()
    assert after.keys() == before.keys()
    assert all(torch.equal(after[name], before[name]) for name in before)


def test_a_copy_that_is_no_faster_is_labelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run's card says what a pass of the copy costs, as measured in turn with the target's own; no other drafter's card does."""
    for slower in (False, True):
        pair = pair_of("llama", build("llama"))  # of which nothing was measured
        seconds = {True: 4e-3, False: 3e-3}
        target = pair.target
        monkeypatch.setattr(
            "specviz.runs.costs.pass_seconds",
            lambda model, _: seconds[(model is not target) == slower],  # noqa: B023
        )
        notes = Run(pair, PROMPT, SETTINGS).finish().card.notes
        assert ["1.33 of the target's own" in note for note in notes if "8 bits" in note] == [True] * slower
        assert copy_cost(pair) == pytest.approx(4 / 3 if slower else 3 / 4)
        other = Run(pair, PROMPT, replace(SETTINGS, drafter="ngram")).finish().card.notes
        assert not any("8 bits" in note for note in other)


def test_a_large_target_alone_is_helped_by_its_copy(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a guess costs as little as it does there; not where it costs more, nor on a pair that has a draft model."""
    monkeypatch.setattr("specviz.runs.choose._LARGE", 1)
    measured = PassCosts((1.0,) * 17, measured=True, machine="here")
    monkeypatch.setattr("specviz.runs.choose.pass_costs", lambda _: measured)
    alone = replace(embedded, name="alone", draft=None, head_folders={}, heads={})
    for c, expected in ((0.5, "quantized"), (2.0, "ngram")):
        costs = {"quantized": c}
        monkeypatch.setattr("specviz.runs.choose.guess_cost", lambda _, name, nodes, costs=costs: costs.get(name))
        choice = choose(alone, Settings(drafter=AUTO, k=0))
        assert choice.settings.drafter == expected
    assert choose(replace(embedded, name="other"), Settings(drafter=AUTO, k=0)).settings.drafter != "quantized"


def test_where_it_cannot_be_made_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels are missing, the memory does not suffice, a kernel refuses, our own decoder does not run the target."""
    with pytest.raises(PairError, match="needs our own decoder, and this target runs on transformers' own modules"):
        quantized(tiny("GPTNeoXForCausalLM", 1))
    target = tiny("LlamaForCausalLM", 1)
    for name, value, sentence in (
        ("half_is_fast", lambda: False, r"FBGEMM, .* and this target runs on a processor without it: choose another"),
        ("memory_free", lambda _: 5, r"takes 0\.0 GB of memory, and 0\.0 GB are free: choose another"),
        ("LeanDecoder", None, r"LlamaForCausalLM cannot be quantised to 8 bits \(.*\): choose another"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"specviz.models.quantized.{name}", value)
            with pytest.raises(PairError, match=sentence):
                quantized(target)
