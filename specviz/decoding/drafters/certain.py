"""Drafts of tokens that were selected rather than drawn: every q is 1."""

from collections.abc import Sequence

import torch

from specviz.decoding.protocols import Draft


def certain(
    tokens: Sequence[int],
    parents: Sequence[int] | None,
    vocabulary: int,
    device: str | torch.device,
    dtype: torch.dtype = torch.float32,
    source: int | None = None,
) -> Draft:
    """A draft of these tokens with one-hot distributions.

    Args:
        parents: as in `Draft.parents`; None is a chain.
        vocabulary, device: the target's.
        source: as in `Draft.source`.
    """
    ids = torch.tensor(list(tokens), dtype=torch.long, device=device)
    one_hot = torch.zeros(len(tokens), vocabulary, dtype=dtype, device=device)
    one_hot.scatter_(-1, ids.unsqueeze(-1), 1.0)
    return Draft(ids, tuple(range(-1, len(tokens) - 1) if parents is None else parents), one_hot, source=source)
