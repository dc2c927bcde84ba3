"""Rows: documents packed whole, each from its beginning, with nothing lost and nothing twice."""

from collections import Counter
from collections.abc import Iterator
from itertools import count as numbers
from itertools import islice, product
from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from recipes.embedded.batches import _pieces, rows
from recipes.embedded.tokenizer import END_ID, learn
from specviz.training import packing

CONTEXT = 64
COUNT = 120
WORDS = (
    "the",
    "little",
    "fox",
    "looked",
    "at",
    "a",
    "moon",
    "and",
    "said",
    "winter",
    "would",
    "whoever",
    "friend",
    "cold",
)


def short_texts() -> Iterator[str]:
    """Texts without end, no two alike, the longest well inside a row."""
    random = Random("texts")  # noqa: S311
    for number in numbers():
        yield f"{number}: " + " ".join(random.choices(WORDS, k=random.randint(1, 40))) + "."


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    found = learn(islice(short_texts(), 200), 400)
    assert max(len(found.encode(text).ids) for text in islice(short_texts(), 4000)) < CONTEXT
    return found


def packed(tokenizer: Tokenizer, *, cut: float = 0.0, seed: str = "rows", count: int = COUNT) -> list[list[int]]:
    found = rows(short_texts(), tokenizer, context=CONTEXT, count=count, cut=cut, seed=seed, end=END_ID)
    return [list(map(int, row)) for row in found]


def split(row: list[int]) -> tuple[list[list[int]], list[int]]:
    """The complete documents of a row, and what follows the last end mark."""
    documents: list[list[int]] = [[]]
    for token in row:
        if token == END_ID:
            documents.append([])
        else:
            documents[-1].append(token)
    return documents[:-1], documents[-1]


def test_rows_are_full(tokenizer: Tokenizer) -> None:
    """There are as many rows as asked for, each one id longer than the context, and every id is in the vocabulary."""
    for context, count in product((24, 63, 200), (1, 7, 50)):
        found = rows(short_texts(), tokenizer, context=context, count=count, cut=0.35, seed="full", end=END_ID)
        assert found.shape == (count, context + 1), (context, count)
        assert found.dtype == torch.int16
        assert 0 <= int(found.min()) <= int(found.max()) < tokenizer.get_vocab_size()
        assert len({tuple(map(int, row)) for row in found}) == count


def test_rows_begin_where_documents_begin(tokenizer: Tokenizer) -> None:
    """Where documents fit into a row, each row opens with the first word of a document and each end mark is followed by another."""
    texts = set(islice(short_texts(), 4000))
    beginnings = {tuple(tokenizer.encode(text).ids[:3]) for text in texts}
    for row in packed(tokenizer):
        whole, borrowed = split(row)
        assert whole
        for document in (*whole, *([borrowed] if len(borrowed) >= 3 else [])):
            assert tuple(document[:3]) in beginnings


def test_no_document_is_split_lost_or_doubled(tokenizer: Tokenizer) -> None:
    """Uncut, the tokens between end marks are a complete document, only once; every document before the last opener is there."""
    order = {text: place for place, text in enumerate(islice(short_texts(), 4000))}
    seen: Counter[int] = Counter()
    openers = []
    for row in packed(tokenizer):
        whole, borrowed = split(row)
        places = [order[tokenizer.decode(document)] for document in whole]
        openers.append(places[0])
        seen.update(places)
        assert not borrowed or any(text.startswith(tokenizer.decode(borrowed)) for text in order)
    assert max(seen.values()) == 1
    assert set(range(max(openers) + 1)) <= set(seen)
    assert len(seen) > 2 * COUNT


def test_little_of_a_row_is_borrowed(tokenizer: Tokenizer) -> None:
    """Whole documents fill nearly all of the rows: what is borrowed from the next document is less than a twentieth."""
    borrowed = [len(split(row)[1]) for row in packed(tokenizer)]
    assert sum(borrowed) < 0.05 * COUNT * (CONTEXT + 1)


def test_cut_documents_hold_the_same_text(tokenizer: Tokenizer) -> None:
    """Documents that were cut before they were tokenized read the same: each whole one decodes to a text of the stream, once."""
    for cut in (0.35, 1.0):
        texts = set(islice(short_texts(), 4000))
        whole = [tokenizer.decode(document) for row in packed(tokenizer, cut=cut) for document in split(row)[0]]
        assert set(whole) <= texts, cut
        assert len(whole) == len(set(whole))


def test_the_cut_is_the_share_of_documents_cut(tokenizer: Tokenizer) -> None:
    """With no cut every document is tokenized unchanged; the share that is not rises with the cut, in proportion."""

    def unlike(cut: float) -> float:
        whole = [document for row in packed(tokenizer, cut=cut, count=400) for document in split(row)[0]]
        return sum(tokenizer.encode(tokenizer.decode(ids)).ids != ids for ids in whole) / len(whole)

    most = unlike(1.0)
    assert unlike(0.0) == 0
    assert most > 0.3
    assert unlike(0.35) / most == pytest.approx(0.35, abs=0.1)


def test_the_seed_decides(tokenizer: Tokenizer) -> None:
    """The same seed gives the same rows; another one gives another order, and uncut the same rows in it."""
    first, again, other = (packed(tokenizer, seed=seed) for seed in ("a", "a", "b"))
    assert first == again != other
    assert sorted(first) == sorted(other)
    cut = [packed(tokenizer, seed=seed, cut=0.5) for seed in ("a", "a", "b")]
    assert cut[0] == cut[1]
    assert sorted(cut[0]) != sorted(cut[2])


def test_the_order_is_not_the_streams(tokenizer: Tokenizer) -> None:
    """Rows do not come in the order of the text they are made from."""
    openers = [int(tokenizer.decode(row).split(":")[0]) for row in packed(tokenizer)]
    assert openers != sorted(openers)


def test_progress_is_reported(tokenizer: Tokenizer) -> None:
    """The callback gets the number of finished rows from zero to all of them, never decreasing."""
    told: list[int] = []
    rows(short_texts(), tokenizer, context=CONTEXT, count=450, cut=0, seed="told", end=END_ID, report=told.append)
    assert told[0] == 0
    assert told[-1] == 450
    assert told == sorted(told)
    assert len(told) > 2


def test_ids_of_long_documents_are_kept() -> None:
    """Documents of any length: each id is packed once in its place; only a row's last stretch is borrowed and comes again whole."""
    for longest, seed in product((9, 40, 100), range(3)):
        width = 16
        random = Random(seed)  # noqa: S311
        documents, parts, arrival = [], {}, {}
        for place in range(2000):
            ids = list(range(1000 * place, 1000 * place + random.randint(2, longest)))
            documents.append(ids)
            for start in range(0, len(ids), width):
                parts[ids[start]] = tuple(ids[start : start + width])
                arrival[ids[start]] = place
        whole: Counter[int] = Counter()
        latest = 0
        for row in packing.packed(documents, width):
            assert len(row) == width
            at = 0
            while at < width:
                part = parts[row[at]]  # whatever stands here must be the beginning of a part
                stretch = row[at : at + len(part)]
                assert tuple(stretch) == part[: len(stretch)], (longest, seed)
                if len(stretch) == len(part):
                    whole[part[0]] += 1
                    latest = max(latest, arrival[part[0]]) if at == 0 and len(part) < width else latest
                at += len(part)
        assert max(whole.values()) == 1
        assert latest > 1000
        assert {first for first, place in arrival.items() if place <= latest} <= set(whole)


@given(text=st.text(max_size=30), seed=st.integers(0, 10**6))
def test_a_cut_loses_nothing(text: str, seed: int) -> None:
    """The pieces of a text are at most two, none is empty, and together they are the text."""
    pieces = _pieces(text, Random(seed))  # noqa: S311
    assert "".join(pieces) == text
    assert len(pieces) <= 2
    assert all(pieces)


def test_a_cut_falls_anywhere() -> None:
    """Every place between two characters is cut sooner or later; about half of the cuts lie beside white space, on both its sides."""
    text = "somewhere over  the\nrainbow there"
    cuts = Counter(len(_pieces(text, Random(seed))[0]) for seed in range(6000))  # noqa: S311
    assert set(range(1, len(text))) <= set(cuts)
    beside = {at for at in range(1, len(text)) if text[at].isspace() or text[at - 1].isspace()}
    inside = sum(cuts[at] for at in range(1, len(text)) if at not in beside)
    assert 0.25 < inside / 6000 < 0.5
    assert cuts[text.index(" ")] > 3 * cuts[2]
    assert cuts[text.index(" ") + 1] > 3 * cuts[2]
