"""Several texts in one pass: every text has the scores that it has alone, and a fault is found before anything is measured."""

import pytest
import torch

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import ready_for_batches
from specviz.models.checks.paths import check_batches
from specviz.models.networks.batched import LeanBatch, StockBatch, batch_of
from specviz.models.networks.lean import LeanDecoder
from specviz.models.pair import Pair
from tests.helpers.tiny_models import TINY, fresh_logits, tiny

TEXTS = torch.tensor([[(7 * row + 3 * column) % 60 for column in range(14)] for row in range(3)])


@pytest.mark.parametrize("kind", TINY)
def test_every_text_has_its_own_scores(kind: str) -> None:
    """A prompt, several tokens and one token of three texts score as in a pass of each text alone; then the first two of them alone do."""
    model = tiny(kind, 5)
    batch = batch_of(model.network, model.model, 3)
    assert isinstance(batch, LeanBatch if isinstance(model.network, LeanDecoder) else StockBatch)
    for texts in (TEXTS, TEXTS[:2]):
        batch.begin(14)
        alone = torch.stack([fresh_logits(model, row) for row in texts.tolist()])
        for first, end in ((0, 6), (6, 10), (8, 13), (13, 14)):
            if first == 8:
                batch.read_texts(texts[:, 8:10] * 0, 8)  # rolled back: written over by the next pass
            found = batch.read_texts(texts[:, first:end], first)
            assert torch.allclose(found, alone[:, first:end], atol=2e-4), (kind, first)


def test_the_engines_own_cache_is_left_alone() -> None:
    """A batch shares the weights of the decoder, not its buffers."""
    model = tiny("LlamaForCausalLM", 5)
    model.begin(14)
    model.forward(TEXTS[0, :10])
    model.keep(range(10))
    batch = batch_of(model.network, model.model, 2)
    batch.begin(64)
    batch.read_texts(TEXTS[1:, :12], 0)
    assert torch.allclose(model.forward(TEXTS[0, 10:]).logits, fresh_logits(model, TEXTS[0].tolist())[10:], atol=2e-4)


def test_a_batch_is_compared_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check passes as it is, and fails where one text reads the cache of another."""
    model = tiny("LlamaForCausalLM", 5)
    assert check_batches(model).passed
    mix = LeanBatch._mix

    def mixed(self, queries, keys, values, view):  # type: ignore[no-untyped-def]
        return mix(self, queries, keys[: self._groups].repeat(keys.shape[0] // self._groups, 1, 1), values, view)

    monkeypatch.setattr(LeanBatch, "_mix", mixed)
    assert not check_batches(model).passed


def test_what_cannot_be_batched_is_one_sentence(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model with a recurrent state is refused with the reason, and its pair has no note of it that every run would show."""

    def refused(*_: object) -> None:
        raise PairError("Mamba keeps a recurrent state, and only caches of keys and values are batched")

    monkeypatch.setattr("specviz.models.checks.paths.batch_of", refused)
    monkeypatch.delitem(embedded.checks, "batches on the target", raising=False)
    notes = embedded.card.notes
    with pytest.raises(PairError, match=r"keeps a recurrent state.*: Measure another pair|Measure another pair\.$"):
        ready_for_batches(embedded, "target")
    assert embedded.card.notes == notes


def test_a_recurrent_model_is_refused() -> None:
    """Only caches of keys and values are batched."""
    import transformers

    config = transformers.MambaConfig(vocab_size=64, hidden_size=16, num_hidden_layers=1, state_size=4)
    weights = transformers.MambaForCausalLM(config).eval()
    model = CachedModel(weights, 64)
    with pytest.raises(PairError, match="recurrent state"):
        batch_of(model.network, model.model, 2)
