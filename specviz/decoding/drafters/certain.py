"""Drafts of tokens that were selected rather than drawn: every q is 1."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import widen
from specviz.trace.records import Match


def certain(
    tokens: Sequence[int],
    vocabulary: int,
    device: str | torch.device,
    dtype: torch.dtype = torch.float32,
    source: int | None = None,
    source_text: int | None = None,
    match: Match | None = None,
) -> Draft:
    """A chain of these tokens with one-hot distributions.

    Args:
        vocabulary, device: the target's.
        source, source_text, match: as in `Draft`.
    """
    ids = torch.tensor(list(tokens), dtype=torch.long, device=device)
    one_hot = torch.zeros(len(tokens), vocabulary, dtype=dtype, device=device)
    one_hot.scatter_(-1, ids.unsqueeze(-1), 1.0)
    return Draft(ids, tuple(range(-1, len(tokens) - 1)), one_hot, source=source, source_text=source_text, match=match)


def selected(tokens: Tensor, parents: tuple[int, ...], logits: Tensor) -> Draft:
    """A tree of tokens [m] that the scores [m, V] of a model selected."""
    one_hot = torch.zeros_like(widen(logits)).scatter_(-1, tokens.unsqueeze(-1), 1.0)
    return Draft(tokens, parents, one_hot, logits)
