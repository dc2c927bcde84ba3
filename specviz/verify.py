"""The rules that keep the target's distribution: pure functions on tensors.

Chain rule (Leviathan et al., arXiv 2211.17192, section 2.3 and appendix A.1; Chen et al., arXiv 2302.01318,
algorithm 2): accept x with probability min(1, p(x)/q(x)); after the first rejection draw from
norm(max(0, p - q)); after a whole accepted draft draw from p.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from specviz.protocols import Draft
from specviz.sampling import Draws


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a rule decided about m drafted tokens, all of it still on the device.

    Attributes:
        accepted: [m] bool, true on the accepted path; rejected: [m] bool; neither means never judged.
        draft_prob, target_prob: [m] q and p of the drafted tokens.
        draws: [m] the numbers u, or None where none were drawn.
        closing: [] int64, the target's own token.
        closing_draw: [] the number that chose it, or None.
        closing_from: [V] the distribution it was drawn from.
        closing_row: [] int64, the row of the target's scores that it follows from.
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


class Rule(Protocol):
    """Decides about a draft, given [m + 1, V] target probabilities: row 0 follows the last committed token,
    row i + 1 follows drafted token i."""

    def __call__(self, draft: Draft, target: Tensor, draws: Draws) -> Judgement: ...


def judge_chain(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """Judge a chain from left to right up to the first rejection.

    Every drafted token has a number of its own; `u < p/q` is strict, so p = 0 is never accepted.

    Raises:
        ValueError: for a draft that is not a chain.
    """
    if not draft.is_chain:
        raise ValueError("the chain rule was given a draft that branches")
    count = draft.tokens.shape[0]
    rows = torch.arange(count, device=draft.tokens.device)
    target_prob = target[rows, draft.tokens]
    draft_prob = draft.probabilities[rows, draft.tokens]
    uniform = draws.uniform(count)
    ratio = target_prob / draft_prob
    passed = ratio > 0 if uniform is None else uniform < ratio
    accepted = passed.long().cumprod(dim=0)
    row = accepted.sum()
    closing_from = residual(target, draft.probabilities, row)
    closing = draws.token(closing_from)
    return Judgement(
        accepted=accepted.bool(),
        rejected=rows == row,
        draft_prob=draft_prob,
        target_prob=target_prob,
        draws=uniform,
        closing=closing.token,
        closing_draw=closing.uniform,
        closing_from=closing_from,
        closing_row=row,
    )


def residual(target: Tensor, draft: Tensor, row: Tensor) -> Tensor:
    """The [V] distribution of the token that closes a chain after `row` [] accepted tokens.

    norm(max(0, p - q)) where a draft was rejected, p itself behind a whole draft. A residual that is zero
    everywhere (p equals q within rounding) falls back to p.
    """
    at = row.unsqueeze(0)
    p = target.index_select(0, at)[0]
    q = torch.cat([draft, torch.zeros_like(target[:1])]).index_select(0, at)[0]
    rest = (p - q).clamp_min(0.0)
    total = rest.sum()
    return torch.where(total > 0, rest / total.clamp_min(torch.finfo(rest.dtype).tiny), p)
