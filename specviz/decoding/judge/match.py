"""Sample and match: the target draws its own token at every position, and a drafted one is accepted if it is the same.

Lossless without any algebra, since every token of the text is one that the target drew itself; and wasteful: a token that was drawn from q
is accepted with probability sum p q instead of sum min(p, q). Engines that only compare tokens verify like this above temperature 0.
"""

import torch
from torch import Tensor

from specviz.decoding.judge.judgement import Judgement, of_chain
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws


def judge_match(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
    """Compare a chain with the target's own draws, from left to right up to the first difference.

    Raises:
        ValueError: the draft is not a chain.
    """
    rows, draft_prob, target_prob = of_chain(draft, target)
    count = len(rows)
    drawn = [draws.token(row) for row in target]
    own = torch.stack([each.token for each in drawn])
    numbers = [each.uniform for each in drawn]
    uniform = torch.stack([each for each in numbers if each is not None]) if numbers[0] is not None else None
    row = (own[:count] == draft.tokens).long().cumprod(dim=0).sum()
    at = row.unsqueeze(0)
    return Judgement(
        accepted=rows < row,
        rejected=rows == row,
        draft_prob=draft_prob,
        target_prob=target_prob,
        draws=None if uniform is None else uniform[:count],
        closing=own.index_select(0, at)[0],
        closing_draw=None if uniform is None else uniform.index_select(0, at)[0],
        closing_from=target.index_select(0, at)[0],
        closing_row=row,
    )
