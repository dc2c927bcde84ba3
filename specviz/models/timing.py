"""How long a model's passes take, measured on arbitrary tokens: the cost of a pass does not depend on the text."""

from statistics import median
from time import perf_counter

import torch

from specviz.decoding.clock import wait
from specviz.decoding.protocols import LanguageModel

_PASSES = 5  # passes of one length; the median is used, so that a pause of the machine does not count as cost


def fill(model: LanguageModel, length: int, spare: int) -> None:
    """Put an arbitrary text of `length` tokens into the model's cache, with room for `spare` more."""
    model.begin(length + spare)
    model.forward(torch.arange(length, device=model.device) % model.vocabulary, rows=1)
    model.keep(range(length))


def pass_seconds(model: LanguageModel, tokens: int, *, in_a_row: int = 1) -> float:
    """Median seconds of a pass over `tokens` tokens after the cached text. Each pass is rolled back, outside the measured time.

    Args:
        in_a_row: time this many consecutive passes together, with one device synchronisation at their end.
    """
    ids, seconds = torch.arange(1, tokens + 1, device=model.device) % model.vocabulary, []
    for _ in range(_PASSES):
        wait(model.device)
        began = perf_counter()
        for _ in range(in_a_row):
            model.forward(ids)
        wait(model.device)
        seconds.append(perf_counter() - began)
        model.keep([])
    return median(seconds)
