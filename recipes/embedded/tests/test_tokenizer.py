"""The learnt tokenizer: nothing is unknown to it, digits stand alone, and its folder means the same to transformers."""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st
from tokenizers import Tokenizer
from transformers import AutoTokenizer

from recipes.embedded import architecture
from recipes.embedded import tokenizer as tokens
from recipes.embedded.mixture import GENERATED, Library
from recipes.embedded.recipe import Shape

VOCABULARY = 600
TEXTS = [
    "Dear Anna,\n\nThank you for your letter of 14 March 2025.",
    "  two spaces, a tab\tand a\nline\r\n",
    '[\n  {\n    "id": 42,\n    "price": 17.50\n  }\n]',
    "Counting in threes: 4, 7, 10, 1333, -5",
    "na\u00efve \u4f60\u597d \U0001f469\u200d\U0001f467 e\u0301 \u0000\u00a0\u2028\ufeff",
    "don't I'm  we'll they've ",
    "",
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    library = Library(None, GENERATED)
    return [text for kind in GENERATED for text in islice(library.stream(kind, "tokenizer"), 40)]


@pytest.fixture(scope="module")
def learnt(texts: list[str]) -> Tokenizer:
    return tokens.learn(texts, VOCABULARY)


def ids_of(tokenizer: Tokenizer, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False).ids)


def test_the_vocabulary_is_as_large_as_asked_for(texts: list[str]) -> None:
    """With text enough the vocabulary has exactly the entries asked for, numbered without a gap."""
    for vocabulary in (300, 384, VOCABULARY):
        tokenizer = tokens.learn(texts, vocabulary)
        assert tokenizer.get_vocab_size() == vocabulary
        assert sorted(tokenizer.get_vocab().values()) == list(range(vocabulary))


def test_little_text_gives_a_smaller_vocabulary() -> None:
    """With little text it has fewer entries, but a byte of every value and the end mark in any case."""
    tokenizer = tokens.learn(["abab abab"], 1000)
    assert 257 < tokenizer.get_vocab_size() < 300
    for text in TEXTS:
        assert tokenizer.decode(ids_of(tokenizer, text)) == text


def test_the_same_text_gives_the_same_tokenizer(texts: list[str], learnt: Tokenizer) -> None:
    """The same text always gives the same tokenizer, entry by entry and merge by merge."""
    assert tokens.learn(texts, VOCABULARY).to_str() == learnt.to_str()


@tries(max_examples=200, deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_comes_back(learnt: Tokenizer, text: str) -> None:
    """Any text, in any script, is written as ids within the vocabulary and comes back to the last byte."""
    ids = ids_of(learnt, text)
    assert all(0 < token < VOCABULARY for token in ids)
    assert learnt.decode(ids, skip_special_tokens=False).encode() == text.encode()


def test_it_has_learnt_from_the_text(texts: list[str], learnt: Tokenizer) -> None:
    """Text of the kind that it was learnt from takes far fewer ids than bytes."""
    other = [GENERATED[kind](Random(f"other {kind}")) for kind in GENERATED]  # noqa: S311
    assert sum(len(ids_of(learnt, text)) for text in other) < 0.6 * sum(len(text.encode()) for text in other)


@given(number=st.integers(min_value=0, max_value=10**12), before=st.sampled_from(["", " ", "a", "= ", "\n", "-", "("]))
def test_digits_stand_alone(learnt: Tokenizer, number: int, before: str) -> None:
    """Every digit is one id, the same one at every position."""
    ids = ids_of(learnt, before + str(number))
    assert ids[-len(str(number)) :] == [learnt.token_to_id(digit) for digit in str(number)]
    assert learnt.decode(ids) == before + str(number)


def test_no_entry_holds_a_digit_and_something_else(learnt: Tokenizer) -> None:
    """No entry but the ten digits themselves holds a digit."""
    held = {piece for piece in learnt.get_vocab() if any(digit in piece for digit in "0123456789")}
    assert held == set("0123456789")


def test_id_0_is_the_end_mark(texts: list[str], learnt: Tokenizer) -> None:
    """The end mark is id 0, no text of a corpus is ever written with it, and reading it leaves nothing in the text."""
    assert learnt.id_to_token(0) == tokens.END
    assert tokens.END_ID == learnt.token_to_id(tokens.END) == 0
    assert not any(0 in ids_of(learnt, text) for text in texts)
    assert learnt.decode([*ids_of(learnt, "The end."), 0]) == "The end."


def test_what_is_saved_is_loaded(learnt: Tokenizer, tmp_path: Path) -> None:
    """A saved tokenizer is the same after loading."""
    tokens.save(learnt, tmp_path / "new" / "folder")
    loaded = tokens.load(tmp_path / "new" / "folder")
    assert loaded.get_vocab() == learnt.get_vocab()
    for text in TEXTS:
        assert ids_of(loaded, text) == ids_of(learnt, text)


@pytest.mark.parametrize("beside_a_network", [False, True])
def test_transformers_reads_the_folder(learnt: Tokenizer, tmp_path: Path, beside_a_network: bool) -> None:
    """AutoTokenizer reads the folder, alone or beside a network, gives the same ids and texts, and knows the end mark."""
    if beside_a_network:
        shape = Shape(layers=1, width=16, heads=1, feed_forward=16)
        architecture.save(architecture.build(shape, VOCABULARY, 32, seed=0), learnt, tmp_path)
    else:
        tokens.save(learnt, tmp_path)
    loaded: Any = AutoTokenizer.from_pretrained(tmp_path, local_files_only=True)
    assert (len(loaded), loaded.eos_token_id, loaded.eos_token) == (VOCABULARY, 0, tokens.END)
    for text in TEXTS:
        ids = loaded(text)["input_ids"]
        assert ids == ids_of(learnt, text)
        assert loaded.decode(ids) == text
        assert loaded.decode([*ids, 0], skip_special_tokens=True) == text
