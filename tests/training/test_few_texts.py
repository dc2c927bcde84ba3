"""Packing a few texts that are read many times."""

import torch

from specviz.training.drafts.distil import rows
from specviz.training.drafts.store import OwnText


def test_all_of_a_few_texts_is_read_alike() -> None:
    """Six times each, or nearly: short texts and the ends of long ones are not left out. What fills the ends of rows is read more often."""
    lengths = torch.tensor([121, 95, 47, 47, 41, 167, 89, 88, 137, 73, 174, 163, 44])
    count = int(lengths.sum())
    none = torch.empty(0, 1)
    own = OwnText(
        torch.zeros(count, dtype=torch.int32),
        lengths.cumsum(0) - lengths,
        torch.zeros(count),
        none,
        none,
        torch.full((13,), -1),
    )
    read = torch.bincount(rows(own, 96, "seed", 6.0).flatten(), minlength=count)
    assert int(read.min()) >= 4
    assert int(read.max()) <= 12
