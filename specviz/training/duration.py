"""How often a draft or a head can read its text in so many seconds."""

import time
from collections.abc import Callable, Sequence
from statistics import median

from torch import Tensor

TIMED = 5
"""Steps that are timed, after one that is not."""
_OPTIMISER = 1.15
"""The optimiser's own time, as a factor."""


def epochs_in(seconds: float, learn: Callable[[Tensor], Tensor], batches: Sequence[Tensor], rows: float) -> float:
    """Epochs that take about so many seconds where the target reads every batch again; where its states are kept they take less.

    Args:
        learn: reads a batch of rows and returns the loss.
        batches: the first one is not timed.
        rows: of an epoch.
    """
    costs = []
    for batch in batches:
        began = time.monotonic()
        loss = learn(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        loss.item()
        costs.append((time.monotonic() - began) / len(batch))
    return seconds / (_OPTIMISER * median(costs[1:] or costs) * rows)
