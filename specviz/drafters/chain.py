"""How a chain is drafted by anything that can read tokens and score the next one."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from specviz.policies import Policy
from specviz.protocols import Draft
from specviz.sampling import Draws, warp
from specviz.settings import Settings


@dataclass(frozen=True, slots=True)
class Chain:
    """A drafted chain, and how many of its tokens have been read already: all of them, or all but the last."""

    draft: Draft
    read: int


def draw_chain(
    read: Callable[[Tensor], Tensor],
    unread: Tensor,
    settings: Settings,
    draws: Draws,
    policy: Policy,
    limit: int,
    place: int,
) -> Chain | None:
    """Draw up to `limit` tokens one after the other, each from the very distribution that is handed to the rule as q.

    Args:
        read: reads [n] tokens and gives the [V] scores of what follows the last of them.
        unread: [n] the committed tokens that have not been read yet, one or more.
        policy: when to stop before `limit`.
        place: how many new tokens the text has before the first drafted one.

    Returns:
        The chain, or None where nothing was read or drawn. It may be empty although `unread` was read.
    """
    tokens: list[Tensor] = []
    probabilities: list[Tensor] = []
    logits: list[Tensor] = []
    passes, reading, wanted = 0, unread, policy.begin(limit)
    for drawn in range(wanted):
        row = read(reading)
        passes += 1
        if not policy.admits(row):
            break
        q = warp(row, settings, (place + drawn,))
        token = draws.token(q).token
        tokens.append(token)
        probabilities.append(q)
        logits.append(row)
        reading = token.reshape(1)
        if drawn + 1 < wanted and not policy.goes_on(row, token):
            break
    if not passes:
        return None
    if not tokens:
        none = row.new_zeros(0, row.shape[-1])
        return Chain(Draft(unread[:0], (), none, none), 0)
    count = len(tokens)
    draft = Draft(torch.stack(tokens), tuple(range(-1, count - 1)), torch.stack(probabilities), torch.stack(logits))
    return Chain(draft, passes - 1)
