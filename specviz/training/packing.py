"""Packs documents into rows of tokens, of which the training loop reads a batch at each step."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator

SHELF = 256
"""Documents among which the next one for a row is chosen, where there are many."""


def packed(documents: Iterable[list[int]], width: int, shelf_size: int = SHELF) -> Iterator[list[int]]:
    """Yield rows of exactly `width` ids until the documents end.

    Args:
        shelf_size: documents among which the next one for a row is chosen. Until there are as many, only documents longer than a row are
            yielded: a few documents that are repeated need a small one.
    """
    endless = iter(documents)
    shelf: list[tuple[int, int, list[int]]] = []  # by length, then by arrival
    arrived = 0
    row: list[int] = []
    while True:
        while len(shelf) < (1 if row else shelf_size):
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
            oldest = min(range(len(shelf)), key=lambda index: shelf[index][1])
            row = list(shelf.pop(oldest)[2])
        elif fitting := bisect_right(shelf, width - len(row), key=lambda item: item[0]):
            row += shelf.pop(fitting - 1)[2]
        else:  # nothing fits: take the beginning of the longest, which stays on the shelf and is used completely later
            row += shelf[-1][2][: width - len(row)]
        if len(row) == width:
            yield row
            row = []
