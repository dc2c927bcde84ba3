"""How long passes of a model take, measured on a text that says nothing: what it says does not change what a pass costs."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import torch
from torch import Tensor

from specviz.decoding.clock import wait
from specviz.models.cached_model import CachedModel

_PASSES = 5
"""Passes of one length in a row; the middle one counts, so that a hiccup of the machine is no cost."""


def fill(model: CachedModel, length: int, spare: int) -> None:
    """An arbitrary text of `length` tokens in the model's cache, with room for `spare` more."""
    model.begin(length + spare)
    model.forward(torch.arange(length, device=model.device) % model.vocabulary, rows=1)
    model.keep(range(length))


def pass_seconds(
    model: CachedModel, tokens: int, *, in_a_row: int = 1, read: Callable[[Tensor], object] | None = None
) -> float:
    """Median seconds of a pass over so many tokens behind what the cache holds, each taken back off the clock.

    Args:
        in_a_row: this many passes, one behind the other with one wait behind them, are timed as one.
        read: how the tokens are read; by default a forward pass of the model.
    """
    ids = torch.arange(1, tokens + 1, device=model.device) % model.vocabulary
    reading = model.forward if read is None else read
    times = []
    for _ in range(_PASSES):
        wait(model.device)
        began = perf_counter()
        for _ in range(in_a_row):
            reading(ids)
        wait(model.device)
        times.append(perf_counter() - began)
        model.keep([])
    return median(times)
