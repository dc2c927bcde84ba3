"""What a network writes after many prompts at once is what it writes after each alone."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from recipes.embedded import architecture
from recipes.embedded import tokenizer as tokens
from recipes.embedded.answers import Pupil
from recipes.embedded.recipe import Shape

PROMPTS = ("b", "The capital", "x = 1", '{"name": ', "Once upon a time there was", "Dear Anna,\n\n", "2, 4, 6,", "zz")
MOST = 16


def talkative() -> Pupil:
    """A network of random weights, large enough that it writes many different letters, and that never ends a text."""
    tokenizer = tokens.learn([], 257)
    model = architecture.build(Shape(layers=2, width=32, heads=1, feed_forward=64), 257, 256, seed=3).eval()
    letters = {id_ for piece, id_ in tokenizer.get_vocab().items() if piece.isascii() and len(piece) == 1}
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.ndim == 2 and "embed" not in name:
                weight.mul_(10)
        others = [row for row in range(257) if row not in letters]
        model.get_input_embeddings().weight[others] = 0
    return Pupil(model, tokenizer)


def alone(pupil: Pupil, prompt: str, most: int) -> list[int]:
    """The greedy ids after one prompt, end mark included, each from a whole pass without cache or padding."""
    ids: list[int] = pupil.tokenizer.encode(prompt, add_special_tokens=False).ids
    start = len(ids)
    with torch.inference_mode():
        while len(ids) - start < most and tokens.END_ID not in ids[start:]:
            ids = [*ids, int(pupil.model(input_ids=torch.tensor([ids])).logits[0, -1].argmax())]
    return ids[start:]


def written(pupil: Pupil, ids: Sequence[int]) -> str:
    text: str = pupil.tokenizer.decode([token for token in ids if token != tokens.END_ID])
    return text


@pytest.fixture(scope="module")
def pupil() -> Pupil:
    """One that ends some of its texts early and others not: where it would write a certain letter, it stops."""
    pupil = talkative()
    table = pupil.model.get_input_embeddings().weight
    used = {token for prompt in PROMPTS for token in alone(pupil, prompt, MOST)[2:]}
    for letter in sorted(used):
        with torch.no_grad():
            table[tokens.END_ID] = 1.5 * table[letter]
        stopped = [tokens.END_ID in alone(pupil, prompt, MOST)[3:] for prompt in PROMPTS]
        if any(stopped) and not all(stopped):
            return pupil
    raise AssertionError("no letter ends some texts and not others")


def test_a_batch_is_read_as_each_prompt_alone(pupil: Pupil) -> None:
    """Prompts of many lengths together give, in their order, the greedy texts that whole passes give one by one."""
    expected = [written(pupil, alone(pupil, prompt, MOST)) for prompt in PROMPTS]
    assert len(set(expected)) > len(PROMPTS) // 2
    assert pupil.continuations(PROMPTS, MOST) == expected
    assert [pupil.continuations([prompt], MOST)[0] for prompt in PROMPTS] == expected


def test_transformers_own_generation_agrees(pupil: Pupil) -> None:
    """For a single prompt, `generate` as anybody would call it writes the same."""
    for prompt in PROMPTS[:4]:
        ids = torch.tensor([pupil.tokenizer.encode(prompt).ids])
        found = pupil.model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=MOST,
            do_sample=False,
            eos_token_id=tokens.END_ID,
            pad_token_id=tokens.END_ID,
        )
        assert pupil.continuations([prompt], MOST) == [written(pupil, found[0, ids.shape[1] :].tolist())]


def test_a_text_stops_at_the_end_mark(pupil: Pupil) -> None:
    """A text that ends early contains neither the end mark nor anything after it; the others have all their tokens."""
    for prompt, text in zip(PROMPTS, pupil.continuations(PROMPTS, MOST), strict=True):
        ids = alone(pupil, prompt, MOST)
        ended = ids[-1] == tokens.END_ID
        assert len(text) == len(ids) - ended == (len(text) if ended else MOST)
        assert tokens.END not in text


def test_many_prompts_keep_their_order(pupil: Pupil) -> None:
    """More prompts than are read together, long and short mixed, are answered each in its place."""
    prompts = [PROMPTS[(5 * place) % len(PROMPTS)] + str(place) for place in range(230)]
    together = pupil.continuations(prompts, 3)
    assert len(together) == 230
    some = range(0, 230, 11)
    assert [together[place] for place in some] == [written(pupil, alone(pupil, prompts[place], 3)) for place in some]
    assert len({together[place] for place in some}) > 3


def test_nothing_asked_nothing_written(pupil: Pupil) -> None:
    """No prompts give no texts."""
    assert pupil.continuations([], 5) == []


def test_a_folder_is_read_as_it_was_saved(pupil: Pupil, tmp_path: Path) -> None:
    """A network read back from its folder computes in float32, with the weights rounded as they were saved."""
    architecture.save(pupil.model, pupil.tokenizer, tmp_path / "network")
    read = Pupil.of(tmp_path / "network")
    assert {weight.dtype for weight in read.model.parameters()} == {torch.float32}
    assert not read.model.training
    for prompt in PROMPTS:
        assert read.tokenizer.encode(prompt).ids == pupil.tokenizer.encode(prompt).ids
    for name, weight in pupil.model.named_parameters():
        assert torch.equal(read.model.get_parameter(name), weight.to(torch.bfloat16).float())
