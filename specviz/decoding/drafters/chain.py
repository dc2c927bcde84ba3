"""Drafting a chain with anything that can read tokens and score the next one."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from specviz.decoding.policies import Policy
from specviz.decoding.protocols import Draft, LanguageModel, Pick
from specviz.decoding.sampling import Draws, coldest, softened, token_at, warp
from specviz.settings import AUTO, Settings

# After a fully accepted draft so many committed tokens have not been read; after rounds without a draft there are
# more.
_UNREAD = 2


@dataclass(frozen=True, slots=True)
class Chain:
    """A drafted chain, and how many of its tokens have been read already: all of them, or all but the last one."""

    draft: Draft
    read: int


def draw_chain(
    read: Callable[[Tensor], Tensor],
    unread: Tensor,
    settings: Settings,
    draws: Draws,
    policy: Policy,
    limit: int,
    offset: int,
    reader: LanguageModel | None = None,
) -> Chain | None:
    """Draw up to `limit` tokens one after the other, each from the distribution that the rule gets as q.

    Args:
        read: reads [n] tokens and returns the [V] scores of the token after the last of them.
        unread: [n] the committed tokens that have not been read yet, at least one.
        policy: when to stop before `limit`.
        offset: how many new tokens the text has before the first drafted one.
        reader: the model that `read` uses, if it can make a full draft at once: of `settings.k` tokens, and of any number with the policy
            "auto". The random numbers drawn are the same.

    Returns:
        The chain, or None if nothing was read or drawn. It may be empty although `unread` was read.
    """
    tokens: list[Tensor] = []
    probabilities: list[Tensor] = []
    logits: list[Tensor] = []
    passes, reading, count = 0, unread, policy.begin(limit)
    if (
        reader is not None
        and reader.drafts_at_once
        and policy.blind
        and (count == settings.k or (count and settings.policy == AUTO))
        and not settings.shared_noise
    ):
        if len(unread) > _UNREAD:  # rounds without a draft came before
            read(unread[:-1])
            return _at_once(reader, unread[-1:], settings, draws, count)
        return _at_once(reader, unread, settings, draws, count)
    for index in range(count):
        row = read(reading)
        passes += 1
        if not policy.admits(row):
            break
        q = warp(row, settings, (offset + index,))
        token = draws.token(q).token
        tokens.append(token)
        probabilities.append(q)
        logits.append(row)
        reading = token.reshape(1)
        if index + 1 < count and not policy.continues(row, token):
            break
    if not passes:
        return None
    if not tokens:
        none = row.new_zeros(0, row.shape[-1])
        return Chain(Draft(unread[:0], (), none, none), 0)
    draft = Draft(
        torch.stack(tokens), tuple(range(-1, len(tokens) - 1)), torch.stack(probabilities), torch.stack(logits)
    )
    return Chain(draft, passes - 1)


def _at_once(reader: LanguageModel, unread: Tensor, settings: Settings, draws: Draws, count: int) -> Chain:
    """A chain of `count` tokens like that of `draw_chain`, with all passes and draws on the device."""
    uniforms = [number for _ in range(count) if (number := draws.uniform(1)) is not None]
    numbers = _numbers(torch.cat(uniforms), settings) if uniforms else None
    kind = () if settings.greedy else (settings.top_k, settings.top_p < 1)
    tokens, probabilities, logits = reader.draft(unread, count, _pick(settings), kind, numbers)
    return Chain(Draft(tokens, tuple(range(-1, count - 1)), probabilities, logits), count - 1)


def _numbers(uniforms: Tensor, settings: Settings) -> Tensor:
    """[count, 3] for every token its uniform random number, the temperature and top-p, all on the device: `_pick` is the same for
    every value of them."""
    same = [torch.full_like(uniforms, value) for value in (coldest(settings), settings.top_p)]
    return torch.stack([uniforms, *same], dim=-1)


def _pick(settings: Settings) -> Pick:
    """How a token is drawn from its scores and its row of `_numbers`, as `SeededDraws` and `CertainDraws` do."""
    top_k, nucleus = settings.top_k, settings.top_p < 1

    def pick(logits: Tensor, numbers: Tensor | None) -> tuple[Tensor, Tensor]:
        if numbers is None or settings.greedy:
            q = warp(logits, settings)
            return q.argmax(dim=-1), q
        uniform, temperature, top_p = numbers.unbind(dim=-1)
        q = softened(logits, temperature[0], top_k, top_p[0] if nucleus else None)
        return token_at(q, uniform), q

    return pick
