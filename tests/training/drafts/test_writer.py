"""Writing in batches: each text is the one that the target writes alone, whatever kind of cache it has."""

from collections.abc import Sequence

import pytest
import torch
from transformers import PreTrainedModel

from specviz.errors import TrainingError
from specviz.training.drafts import writer as module
from specviz.training.drafts.own_text import check
from specviz.training.drafts.writer import TOP, Writer
from tests.helpers.architectures import build

MOST = 8
PROMPTS = ([5, 6, 7], [9], [3, 4, 8, 10, 11, 12], [7, 7])
SHARING = ([5, 6, 7, 4, 3], [5, 6, 8, 8, 4], [5, 6, 7, 8, 9, 10, 11, 12, 3], [5, 6, 9, 9, 10, 11, 12, 3])
"""All begin with the same two ids; the padding of the last is shorter than these, that of the first two is longer."""


def alone(model: PreTrainedModel, prompt: Sequence[int], vocabulary: int, ends: Sequence[int]) -> list[int]:
    """The greedy text by passes without padding and cache."""
    ids = list(prompt)
    for _ in range(MOST):
        with torch.inference_mode():
            scores = model(torch.tensor([ids]), use_cache=False).logits[0, -1, :vocabulary]
        ids.append(int(scores.argmax()))
        if ids[-1] in ends:
            break
    return ids


@pytest.mark.parametrize("prompts", [PROMPTS, SHARING], ids=["apart", "sharing"])
@pytest.mark.parametrize("name", ["llama", "mistral_sliding", "gemma3n_text", "gpt2", "bloom", "mamba", "jamba"])
def test_a_batch_writes_what_each_prompt_gives_alone(name: str, prompts: Sequence[Sequence[int]]) -> None:
    """Greedy texts of prompts of several lengths, some of which end early, equal those written alone, also where all prompts begin with the same
    ids, which are read once; so do the kept probabilities."""
    model = build(name, seed=2)
    vocabulary = model.get_output_embeddings().weight.shape[0] - 3
    free = alone(model, prompts[0], vocabulary, [])
    ends = {free[len(prompts[0]) + 4]}  # the first text ends at its fifth token or earlier, and leaves the batch
    generator = torch.Generator().manual_seed(1)
    texts = Writer(model, vocabulary).write(prompts, MOST, [0.0] * len(prompts), generator, ends)
    for prompt, text in zip(prompts, texts, strict=True):
        assert text.ids == alone(model, prompt, vocabulary, list(ends))
        assert (text.start, text.ended) == (len(prompt), text.ids[-1] in ends)
        with torch.inference_mode():
            scores = model(torch.tensor([text.ids]), use_cache=False).logits[0, text.start - 1 : -1, :vocabulary]
        logs = scores.log_softmax(-1).gather(-1, text.top_ids.long())
        assert text.top_ids.shape == (len(text.ids) - text.start, min(TOP, vocabulary))
        assert torch.allclose(logs, text.top_logs.float(), atol=0.02)
        assert text.top_ids[:, 0].tolist() == text.ids[text.start :]
    assert texts[0].ended
    check(Writer(model, vocabulary), texts)


def test_half_is_sampled_at_its_own_temperature() -> None:
    """In one batch, rows at temperature 0 are greedy, and the others follow the target's probabilities at their temperature."""
    model = build("llama", seed=2)
    vocabulary = model.get_output_embeddings().weight.shape[0]
    heat = 0.6
    count = 1500
    generator = torch.Generator().manual_seed(5)
    texts = Writer(model, vocabulary).write([[5, 6]] * (2 * count), 1, [0.0, heat] * count, generator, set())
    with torch.inference_mode():
        scores = model(torch.tensor([[5, 6]])).logits[0, -1]
    assert {text.ids[-1] for text in texts[::2]} == {int(scores.argmax())}
    top = scores.topk(min(TOP, vocabulary))
    wanted = torch.zeros(vocabulary).scatter(0, top.indices, (top.values / heat).softmax(-1))
    found = torch.bincount(torch.tensor([text.ids[-1] for text in texts[1::2]]), minlength=vocabulary) / count
    assert float((wanted - found).abs().sum() / 2) < 0.05


def test_no_prompt_gives_no_text() -> None:
    """An empty batch is an empty list."""
    assert Writer(build("llama"), 10).write([], 4, [], torch.Generator(), set()) == []


def test_a_batch_that_differs_from_a_plain_pass_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """If padding were visible, the comparison with a plain pass would say so."""
    model = build("llama", seed=2)
    unmasked = module._Attending.read
    monkeypatch.setattr(module._Attending, "read", lambda self, ids, mask: unmasked(self, ids, torch.ones_like(mask)))
    texts = Writer(model, 20).write(PROMPTS, MOST, [0.0] * 4, torch.Generator(), set())
    with pytest.raises(TrainingError, match="batch"):
        check(Writer(model, 20), texts)
