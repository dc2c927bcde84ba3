"""Block verification (Sun et al., arXiv 2403.10444, algorithm 2): a chain is judged as a whole, and its longest prefix that passes is kept.

The token rule gives up at the first token for which p(x) is too small. This one lets what later tokens have in excess make up for it: with
w_0 = 1 and w_i = min(1, w_{i-1} p(x_i)/q(x_i)), the prefix of i tokens passes when u_i < h_i, where h_i = r_i / (r_i + 1 - w_i) with
r_i = sum max(0, w_i p - q) over the tokens that could follow, and h_i = w_i for the whole chain. The longest prefix that passes is kept, and
the closing token is drawn from norm(max(0, w_i p - q)), or from p after the whole chain. This keeps the target's distribution, and on average
no exact rule accepts more of a chain (theorem 2 there); where every distribution is one-hot it is the token rule.
"""

import torch
from torch import Tensor

from specviz.decoding.judge.judgement import Judgement, leftover, of_chain
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws


def judge_block(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """Judge a chain from right to left, down to the longest prefix that passes.

    Every prefix has its own uniform number u, and `Judgement.bounds` are the h that it is compared with. Raises
    ValueError if the draft is not a chain.
    """
    rows, draft_prob, target_prob = of_chain(draft, target)
    count = len(rows)
    weights = _weights(target_prob / draft_prob)
    following = torch.cat([draft.probabilities, torch.zeros_like(target[:1])])
    excess = (weights.unsqueeze(-1) * target - following).clamp_min(0.0)
    rest = excess.sum(dim=-1)[1:]
    short = 1.0 - weights[1:]
    bounds = torch.where(short > 0, rest / (rest + short), 1.0)
    bounds = torch.where(rows == count - 1, weights[1:], bounds)
    uniform = draws.uniform(count)
    passed = bounds > 0 if uniform is None else uniform < bounds
    row = (passed * (rows + 1)).amax(dim=0) if count else rows.sum()
    at = row.unsqueeze(0)
    closing_from = leftover(
        weights.index_select(0, at)[0] * target.index_select(0, at)[0], following.index_select(0, at)[0]
    )
    closing = draws.token(closing_from)
    return Judgement(
        accepted=rows < row,
        rejected=rows == row,
        draft_prob=draft_prob,
        target_prob=target_prob,
        draws=uniform,
        closing=closing.token,
        closing_draw=closing.uniform,
        closing_from=closing_from,
        closing_row=row,
        bounds=bounds,
    )


def _weights(ratios: Tensor) -> Tensor:
    """[m + 1] w of every prefix, the empty one first: a running product that is capped at 1 after every token."""
    capped = [torch.ones_like(ratios[:1]) if len(ratios) else ratios.new_ones(1)]
    for ratio in torch.split(ratios, 1):
        capped.append((capped[-1] * ratio).clamp_max(1.0))
    return torch.cat(capped)
