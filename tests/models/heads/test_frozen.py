"""Claims about what a head borrows: it is the target's own, whatever runs the target."""

import pytest
import torch

from specviz.errors import PairError
from specviz.models import CachedModel, Pair
from specviz.models.heads.block import BlockReader
from specviz.models.heads.eagle import EagleReader
from specviz.models.heads.frozen import Frozen
from tests.helpers.architectures import build
from tests.helpers.heads import random_head
from tests.helpers.tiny_models import tiny

NAMES = ("llama", "gpt2", "gemma2", "granite", "falcon_h1", "gptj", "bert_decoder")
"""Factors, caps and biases; our decoder, transformers' modules and a recurrent state; an output layer that is a block."""


@pytest.mark.parametrize("name", NAMES)
def test_the_output_layer_gives_the_targets_scores(name: str) -> None:
    """Of the states after the final normalisation: for all ids and for some; and the embedding's rows."""
    model = build(name)
    target = CachedModel(model, model.config.get_text_config(decoder=True).vocab_size)
    ids = torch.tensor([[3, 9, 4, 17, 30, 5]])
    with torch.no_grad():
        passed = model(ids, use_cache=False, output_hidden_states=True)
    logits, states = passed.logits[0], passed.hidden_states[-1][0]
    some = torch.tensor([2, 7, 31])
    frozen = Frozen.of(target)
    torch.testing.assert_close(frozen.score(states), logits, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(frozen.score(states[None, :, None]), logits[None, :, None], rtol=1e-4, atol=1e-5)
    rows = model.get_input_embeddings().weight[ids]
    torch.testing.assert_close(frozen.embed(ids), rows.detach())
    frozen = Frozen.of(target, some)
    scored = frozen.score(states)
    torch.testing.assert_close(scored, logits[:, some], rtol=1e-4, atol=1e-5)
    q = frozen.full(scored).softmax(dim=-1)
    torch.testing.assert_close(q[:, some], scored.softmax(dim=-1))
    assert not q.index_fill(1, some, 0.0).any()


def test_ids_that_the_target_lacks() -> None:
    """They have probability 0 and are read as the last id that there is, as in the target's own passes."""
    target = tiny("LlamaForCausalLM", 1, vocabulary=50, head=40)
    frozen = Frozen.of(target)
    scored = frozen.score(torch.randn(2, 16))
    assert scored.shape == (2, 50)
    assert not scored.softmax(dim=-1)[:, 40:].any()
    assert torch.equal(frozen.embed(torch.tensor([39])), frozen.embed(torch.tensor([49])))


@pytest.mark.parametrize(("kind", "reader"), [("eagle3", EagleReader), ("dflash", BlockReader)])
def test_an_embedding_of_another_width_is_refused_in_a_sentence(
    kind: str, reader: type[EagleReader] | type[BlockReader]
) -> None:
    """RemBERT embeds tokens in fewer numbers than its states have: before the first pass it is said."""
    model = build("rembert")
    head = random_head(CachedModel(model, model.config.vocab_size), kind)
    with pytest.raises(PairError, match=r"256 wide and its states are 32: .* Choose another drafter\."):
        reader(head.network, head.frozen).begin(8)  # type: ignore[arg-type]  # each of its own kind


def test_on_the_embedded_pair_it_needs_no_second_copy(embedded: Pair) -> None:
    """Its weights were freed after loading, and stay freed: the numbers are our decoder's own."""
    frozen = Frozen.of(embedded.target)
    with torch.inference_mode():
        embedded.target.tap((embedded.target.network.depth,))
        embedded.target.begin(8)
        passed = embedded.target.forward(torch.tensor([5, 9, 100]))
        embedded.target.tap(())
        embedded.target.begin(0)
        assert passed.states is not None
        torch.testing.assert_close(frozen.score(passed.states[:, 0]), passed.logits)
    assert frozen.embed(torch.tensor([[5]])).isfinite().all()
