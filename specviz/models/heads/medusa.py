"""Medusa: several heads on the target's last state, each of which guesses one position further (Cai et al., arXiv 2401.10774).

The form in which the target stays frozen (Medusa-1) and each head is a residual block before the target's own output layer: with h the
state after the final normalisation, head i scores output(h + V_i SiLU(W_i h + b_i)). The paper's heads have no V_i but an output layer each: with the target's, SiLU alone
could hardly lower any part of the state.

The state h_t has read x_0 ... x_t, and the target's own scores there are about x_{t+1}. Head i (counted from 0) is trained for x_{t+2+i}.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from specviz.models.heads.frozen import Frozen
from specviz.models.heads.spec import Spec

AHEAD = 2  # head i at position t guesses the token at t + AHEAD + i
_MOST = 64


class MedusaHead(nn.Module):
    """All heads of one target. Raises ValueError if the spec is not one of such a head.

    Args:
        spec: with `options["heads"]`, how many there are.
    """

    def __init__(self, spec: Spec) -> None:
        super().__init__()
        count, width = spec.options["heads"], spec.shape.width
        if type(count) is not int or not 1 <= count <= _MOST:
            raise ValueError(f"heads is {count!r:.20}, not 1 to {_MOST}")
        if len(spec.taps) != 1:
            raise ValueError(f"taps are {len(spec.taps)} layers, not the last one alone")
        self.count = count
        self.blocks = nn.Linear(width, count * width)
        self.turns = nn.ParameterList(nn.Parameter(torch.zeros(width, width)) for _ in range(count))

    def forward(self, states: Tensor, frozen: Frozen, count: int | None = None) -> Tensor:
        """[..., count, V] logits of the first `count` heads (all by default) at states [..., width]."""
        width, heads = states.shape[-1], self.count if count is None else min(count, self.count)
        blocks: Tensor = self.blocks(states).unflatten(-1, (self.count, width))
        activations = functional.silu(blocks[..., :heads, :]).unbind(-2)
        moves = [functional.linear(block, turn) for block, turn in zip(activations, self.turns[:heads], strict=True)]
        return frozen.score(states.unsqueeze(-2) + torch.stack(moves, -2))
