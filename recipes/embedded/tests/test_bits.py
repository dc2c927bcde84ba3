"""Bits a byte, against sums made by hand."""

import math

import pytest
import torch
from tokenizers import Tokenizer

from recipes.embedded import architecture, bits, held_out_texts
from recipes.embedded import tokenizer as tokens
from recipes.embedded.answers import Pupil
from recipes.embedded.recipe import Shape
from specviz.known_pairs import embedded_folder

TEXTS = ["The cat sat on the mat.\n", "Grüße aus Köln: 12 €", "a"]
SMALL = Shape(layers=2, width=32, heads=1, feed_forward=64)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return tokens.learn(["the cat sat on the mat, " * 20], 270)


def beginner(tokenizer: Tokenizer) -> Pupil:
    return Pupil(architecture.build(SMALL, tokenizer.get_vocab_size(), 128, seed=1).eval(), tokenizer)


def test_a_network_that_knows_nothing_pays_for_every_token_alike(tokenizer: Tokenizer) -> None:
    """Where every token is equally likely, a text costs log2(vocabulary) bits a token, spread over its UTF-8 bytes."""
    pupil = beginner(tokenizer)
    with torch.no_grad():
        pupil.model.get_input_embeddings().weight.zero_()
    count = sum(len(tokenizer.encode(text).ids) for text in TEXTS)
    size = sum(len(text.encode()) for text in TEXTS)
    assert count < size
    assert bits.bits_per_byte(pupil, TEXTS) == pytest.approx(
        math.log2(tokenizer.get_vocab_size()) * count / size, rel=1e-5
    )


def test_every_token_is_paid_for_given_those_before(tokenizer: Tokenizer) -> None:
    """The figure is minus log2 of each token's probability after the end mark and all before it, summed, over bytes."""
    pupil = beginner(tokenizer)
    with torch.no_grad():
        for weight in pupil.model.parameters():
            weight.mul_(3)
    spent = 0.0
    for text in TEXTS:
        before = [tokens.END_ID]
        for token in tokenizer.encode(text).ids:
            with torch.inference_mode():
                scores = pupil.model(input_ids=torch.tensor([before])).logits[0, -1].double()
            spent -= math.log2(scores.softmax(-1)[token].item())
            before.append(token)
    size = sum(len(text.encode()) for text in TEXTS)
    assert bits.bits_per_byte(pupil, TEXTS) == pytest.approx(spent / size, rel=1e-4)


def test_training_lowers_the_bits() -> None:
    """A network trained on records needs far fewer bits for new ones than one of the same shape that was not."""
    trained = Pupil.of(embedded_folder() / "target")
    untrained = Pupil(
        architecture.build(SMALL, trained.tokenizer.get_vocab_size(), 128, seed=1).eval(), trained.tokenizer
    )
    records = held_out_texts.texts(None, 3)["JSON"]
    assert bits.bits_per_byte(trained, records) < 0.7 * bits.bits_per_byte(untrained, records)


def test_only_the_first_512_tokens_are_read() -> None:
    """A longer text counts with its first 512 tokens, and with their bytes."""
    letters = tokens.learn([], 257)
    pupil = beginner(letters)
    long = "".join(chr(97 + place * place % 26) for place in range(700))
    assert bits.bits_per_byte(pupil, [long]) == bits.bits_per_byte(pupil, [long[:512]])
    assert bits.bits_per_byte(pupil, [long]) != bits.bits_per_byte(pupil, [long[:511]])


def test_nothing_costs_nothing(tokenizer: Tokenizer) -> None:
    """No documents, no bits."""
    assert bits.bits_per_byte(beginner(tokenizer), []) == 0
