"""The interface of a rule, its result, and the residual distribution after a rejection."""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws


@dataclass(frozen=True, slots=True)
class Judgement:
    """A rule's decision about m drafted tokens, still on the device.

    Attributes:
        accepted: [m] bool, true on the accepted path; rejected: [m] bool; a token with neither was never judged.
        draft_prob, target_prob: [m] q and p of the drafted tokens, as the rule used them when it judged each.
        draws: [m] the uniform numbers u, or None where none were drawn.
        closing: [] int64, the target's own token.
        closing_draw: [] the uniform number that chose it, or None.
        closing_from: [V] the distribution it was drawn from.
        closing_row: [] int64, the row of the target's scores that it was drawn from.
        judged_by: [m, V] the p that each token was judged by: after a rejected sibling it is the residual, not the
            target's own row. None for a chain, which has no siblings.
        bounds: [m] what each u is compared with, where that is not p/q and every token is judged; else None.
    """

    accepted: Tensor
    rejected: Tensor
    draft_prob: Tensor
    target_prob: Tensor
    draws: Tensor | None
    closing: Tensor
    closing_draw: Tensor | None
    closing_from: Tensor
    closing_row: Tensor
    judged_by: Tensor | None = None
    bounds: Tensor | None = None


class Rule(Protocol):
    """Judges a draft, given [m + 1, V] target probabilities: row 0 follows the last committed token,
    row i + 1 follows drafted token i."""

    def __call__(self, draft: Draft, target: Tensor, draws: Draws) -> Judgement: ...


def of_chain(draft: Draft, target: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The indices [m] of a chain's tokens, and their q and p [m]. Raises ValueError if the draft is not a chain."""
    if not draft.is_chain:
        raise ValueError("a rule for chains was given a tree: use judge_tree")
    rows = torch.arange(draft.tokens.shape[0], device=draft.tokens.device)
    return rows, draft.probabilities[rows, draft.tokens], target[rows, draft.tokens]


def leftover(p: Tensor, q: Tensor) -> Tensor:
    """[V] norm(max(0, p - q)): the residual distribution after a token drawn from q was rejected.

    Where it is zero everywhere (p equals q within rounding) it falls back to p.
    """
    rest = (p - q).clamp_min(0.0)
    total = rest.sum()
    return torch.where(total > 0, rest / total.clamp_min(torch.finfo(rest.dtype).tiny), p)
