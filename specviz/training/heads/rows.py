"""Rows of text for heads: every row is one text from its beginning, so that the target reads it as it would alone."""

from random import Random

import torch
from torch import Tensor

from specviz.training.drafts.settings import Effort
from specviz.training.drafts.store import OwnText

_SORTED = 16
"""Batches among which texts of similar length are gathered, so that little of a batch is padding."""


def rows(own: OwnText, longest: int, batch: int, seed: str, epochs: float = 1.0) -> Tensor:
    """One row for each text and epoch: int32 [rows, 1 + length], at least one row.

    Column 0 is the row's own number, from which random anchors and noise follow. The others are indices into `own.ids`, then -1. Texts of
    similar length are in one batch; which ones, and the order of the batches, change from epoch to epoch.

    Args:
        longest: tokens of a text that are read; the rest of it is left out.
        batch: rows of a batch.
        epochs: how often every text is read.
    """
    lengths = own.lengths.clamp(max=longest).tolist()
    random = Random(seed)  # noqa: S311  # text, not secrets
    count = max(1, round(epochs * len(lengths)))
    order: list[int] = []
    while len(order) < count:
        order += _epoch(lengths, batch, random)
    starts, columns = own.starts, torch.arange(max(lengths))
    chosen = torch.tensor(order[:count])
    length = torch.tensor(lengths)[chosen]
    index = torch.where(columns < length[:, None], starts[chosen, None] + columns, -1)
    return torch.cat([torch.arange(count)[:, None], index], 1).to(torch.int32)


def _epoch(lengths: list[int], batch: int, random: Random) -> list[int]:
    """All texts once: batches of similar lengths, in random order; a last batch that is not full comes last."""
    texts = list(range(len(lengths)))
    random.shuffle(texts)
    step = batch * _SORTED
    texts = [
        text for at in range(0, len(texts), step) for text in sorted(texts[at : at + step], key=lengths.__getitem__)
    ]
    full = len(texts) // batch * batch
    batches = [texts[at : at + batch] for at in range(0, full, batch)]
    random.shuffle(batches)
    return [text for one in batches for text in one] + texts[full:]


def batch_of(own: OwnText, effort: Effort) -> tuple[int, int]:
    """The mean length of a text, and how many texts are in a batch."""
    usual = max(1, round(float(own.lengths.clamp(max=effort.context).float().mean())))
    return usual, max(1, min(effort.batch // usual, len(own.starts)))
