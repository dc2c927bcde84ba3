"""Tokenizes documents and packs them into the rows that a network of the pair learns from."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random

import torch
from tokenizers import Tokenizer

from specviz.training.packing import packed

_AT_ONCE = 2000
"""Documents that are tokenized together."""


def rows(
    texts: Iterable[str],
    tokenizer: Tokenizer,
    *,
    context: int,
    count: int,
    cut: float,
    seed: str,
    end: int,
    report: Callable[[int], object] = lambda done: None,
) -> torch.Tensor:
    """Tokenize documents and pack them into `count` rows.

    A row begins at the beginning of a document whenever documents fit into it, so that a network learns how texts start: every prompt is a
    start. Complete documents are combined so that they fill the row; the last few positions take the beginning of another document.

    Args:
        texts: an endless stream of documents.
        context: tokens that a network reads at once; a row has one more, the last one to predict.
        cut: share of the documents that are cut in two before they are tokenized.
        seed: for the cuts and for the order of the rows.
        end: the token id that ends each document.
        report: callback with the number of rows done.

    Returns:
        int16 tensor [count, context + 1]; so the vocabulary must be smaller than 32,768.

    Raises:
        ValueError: there were too few documents to fill the rows.
    """
    random = Random(seed)  # noqa: S311  # text, not secrets
    return fill(encoded(texts, tokenizer, cut, random, end), context=context, count=count, random=random, report=report)


def fill(
    documents: Iterable[list[int]],
    *,
    context: int,
    count: int,
    random: Random,
    report: Callable[[int], object] = lambda done: None,
) -> torch.Tensor:
    """As `rows`, from documents that are token ids already; `random` decides the order of the rows."""
    filled = torch.empty(count, context + 1, dtype=torch.int16)
    index = -1
    for index, row in enumerate(islice(packed(documents, context + 1), count)):
        filled[index] = torch.tensor(row, dtype=torch.int16)
        if index % 200 == 0:
            report(index)
    if index + 1 < count:
        raise ValueError(f"the documents filled {index + 1} rows, but {count} were requested: pass more documents")
    order = list(range(count))
    random.shuffle(order)
    report(count)
    return filled[order]


def encoded(texts: Iterable[str], tokenizer: Tokenizer, cut: float, random: Random, end: int) -> Iterator[list[int]]:
    """Yield the token ids of each document, followed by the end mark."""
    endless = iter(texts)
    while batch := list(islice(endless, _AT_ONCE)):
        parts: list[str] = []
        sizes = []
        for text in batch:
            pieces = _pieces(text, random) if random.random() < cut else [text]
            parts += pieces
            sizes.append(len(pieces))
        ids = iter(tokenizer.encode_batch(parts, add_special_tokens=False))
        for size in sizes:
            yield [token for piece in islice(ids, size) for token in piece.ids] + [end]


def _pieces(text: str, random: Random) -> list[str]:
    """The text cut in two: half of the time next to white space, else anywhere, also inside a word."""
    offset = random.randrange(1, len(text)) if len(text) > 1 else 0
    if random.random() < 0.5:
        while 0 < offset < len(text) and not text[offset].isspace():
            offset += 1
        while random.random() < 0.5 and offset < len(text) and text[offset].isspace():
            offset += 1
    return [piece for piece in (text[:offset], text[offset:]) if piece]
