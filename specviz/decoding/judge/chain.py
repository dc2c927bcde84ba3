"""The chain rule (Leviathan et al., arXiv 2211.17192, section 2.3 and appendix A.1; Chen et al., arXiv 2302.01318,
algorithm 2): accept x with probability min(1, p(x)/q(x)); after the first rejection draw from
norm(max(0, p - q)); after a fully accepted draft draw from p. This keeps the target's distribution.
"""

import torch
from torch import Tensor

from specviz.decoding.judge.judgement import Judgement, leftover, of_chain
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws


def judge_chain(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """Judge a chain from left to right up to the first rejection.

    Every drafted token has its own uniform number u; `u < p/q` is strict, so p = 0 is never accepted. Raises ValueError
    if the draft is not a chain.
    """
    rows, draft_prob, target_prob = of_chain(draft, target)
    count = len(rows)
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

    norm(max(0, p - q)) where a token was rejected, p itself after a fully accepted draft.
    """
    at = row.unsqueeze(0)
    p = target.index_select(0, at)[0]
    q = torch.cat([draft, torch.zeros_like(target[:1])]).index_select(0, at)[0]
    return leftover(p, q)
