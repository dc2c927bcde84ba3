"""Turns documents into the rows of tokens that one optimiser step after another reads."""

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random

import torch
from tokenizers import Tokenizer

_AT_ONCE = 2000
_SHELF = 256


def rows(
    texts: Iterable[str],
    tokenizer: Tokenizer,
    *,
    context: int,
    count: int,
    cut: float,
    seed: str,
    end: int,
    told: Callable[[int], object] = lambda done: None,
) -> torch.Tensor:
    """Fill `count` rows.

    A row begins where a document begins, whenever documents fit in it: so a network learns how texts start, which is where every prompt
    stands. Whole documents are put together so that they fill the row; the last few places take the beginning of another.

    Args:
        texts: documents, without end.
        context: tokens a network reads at once; a row holds one more, the last one to predict.
        cut: share of the documents cut in two before they are tokenized.
        seed: of the cuts and of the order of the rows.
        end: the token that ends each document.
        told: called with the number of rows done.

    Returns:
        int16 tensor [count, context + 1]; vocabularies here stay under 32,768.

    Raises:
        ValueError: the texts ended before the rows were full.
    """
    random = Random(seed)  # noqa: S311  # text, not secrets
    return fill(encoded(texts, tokenizer, cut, random, end), context=context, count=count, random=random, told=told)


def fill(
    documents: Iterable[list[int]],
    *,
    context: int,
    count: int,
    random: Random,
    told: Callable[[int], object] = lambda done: None,
) -> torch.Tensor:
    """The same from documents that are tokens already; `random` gives the order of the rows."""
    filled = torch.empty(count, context + 1, dtype=torch.int16)
    place = -1
    for place, row in enumerate(islice(_packed(documents, context + 1), count)):
        filled[place] = torch.tensor(row, dtype=torch.int16)
        if place % 200 == 0:
            told(place)
    if place + 1 < count:
        raise ValueError(f"the texts filled {place + 1} rows, but {count} were asked for")
    order = list(range(count))
    random.shuffle(order)
    told(count)
    return filled[order]


def encoded(texts: Iterable[str], tokenizer: Tokenizer, cut: float, random: Random, end: int) -> Iterator[list[int]]:
    """Token ids of each document, the end mark behind them."""
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
    """The text cut in two: half of the time beside some white space, else anywhere, inside a word too."""
    place = random.randrange(1, len(text)) if len(text) > 1 else 0
    if random.random() < 0.5:
        while 0 < place < len(text) and not text[place].isspace():
            place += 1
        while random.random() < 0.5 and place < len(text) and text[place].isspace():
            place += 1
    return [piece for piece in (text[:place], text[place:]) if piece]


def _packed(documents: Iterable[list[int]], width: int) -> Iterator[list[int]]:
    """Rows of exactly `width` ids, as long as documents come."""
    endless = iter(documents)
    shelf: list[tuple[int, int, list[int]]] = []  # by length, then by arrival
    arrived = 0
    row: list[int] = []
    while True:
        while len(shelf) < (1 if row else _SHELF):
            document = next(endless, None)
            if document is None:
                return
            while len(document) >= width:
                yield document[:width]
                document = document[width:]
            arrived += 1
            if document:
                insort(shelf, (len(document), arrived, document))
        if not row:
            oldest = min(range(len(shelf)), key=lambda place: shelf[place][1])
            row = list(shelf.pop(oldest)[2])
        elif place := bisect_right(shelf, width - len(row), key=lambda item: item[0]):
            row += shelf.pop(place - 1)[2]
        else:  # nothing fits: the beginning of the longest; it stays on the shelf and comes whole later
            row += shelf[-1][2][: width - len(row)]
        if len(row) == width:
            yield row
            row = []
