"""Broken rules: the acceptance test, or the distribution that the closing token is drawn from."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from specviz.audit.subject import DecoderParts
from specviz.decoding.judge import (
    EXACT,
    Criterion,
    Judgement,
    Rule,
    judge,
    judge_block,
    judge_tree,
    leftover,
    lenient,
    typical,
)
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Drawn, Draws, token_at

TOSSES = 64
"""How many values the coin of `inclusive_coin` has. The one in the report had 2^24, so that its bug showed once in millions of tokens."""


def always_accepted(parts: DecoderParts) -> DecoderParts:
    """The random number of the test is always 0: whatever the target could write at all is accepted."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        judged = judge_tree(draft, target, draws, Criterion(lambda p, px, qx: 2.0 * (px > 0), leftover))
        return judged if judged.draws is None else replace(judged, draws=torch.zeros_like(judged.draws))

    return replace(parts, rule=rule)


def inclusive_coin(parts: DecoderParts) -> DecoderParts:
    """`u <= p/q` where u can be 0: a token that the target never writes is accepted now and then."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        if draws.uniform(0) is None:
            return judge(draft, target, draws)
        bound = Criterion(lambda p, px, qx: px / qx + 1e-12, leftover)
        return judge_tree(draft, target, _Coarse(draws), bound)

    return replace(parts, rule=rule)


class _Coarse:
    """A random source whose uniform numbers have `TOSSES` values, 0 among them; tokens are drawn as before."""

    def __init__(self, honest: Draws) -> None:
        self._honest = honest

    def uniform(self, count: int) -> Tensor | None:
        numbers = self._honest.uniform(count)
        return None if numbers is None else (numbers * TOSSES).floor() / TOSSES

    def token(self, probabilities: Tensor) -> Drawn:
        return self._honest.token(probabilities)


def first_unchecked(parts: DecoderParts) -> DecoderParts:
    """The first drafted token joins the text whatever the target says."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        if not draft.parents:
            return judge(draft, target, draws)
        certain = target.clone()
        certain[0] = torch.zeros_like(target[0]).scatter_(0, draft.tokens[:1], 1.0)
        judged = judge(draft, certain, draws)
        shown = judged.target_prob.clone()
        shown[0] = target[0, draft.tokens[0]]
        return replace(judged, target_prob=shown)

    return replace(parts, rule=rule)


def always_greedy(parts: DecoderParts) -> DecoderParts:
    """The target's side always takes its most likely token, whatever the temperature."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        best = target.argmax(dim=-1, keepdim=True)
        return judge(draft, torch.zeros_like(target).scatter_(-1, best, 1.0), draws)

    return replace(parts, rule=rule)


def redrawn_from_p(parts: DecoderParts) -> DecoderParts:
    """After a rejection the next token comes from p itself, not from norm(max(0, p - q))."""
    return replace(parts, rule=partial(judge_tree, criterion=Criterion(EXACT.bound, lambda p, q: p)))


def only_one_subtracted(parts: DecoderParts) -> DecoderParts:
    """After a rejection q is subtracted from p at the rejected token only."""

    def closing(draft: Draft, target: Tensor, judged: Judgement, row: int) -> Tensor:
        rest, x = target[row].clone(), draft.tokens[row]
        rest[x] = (rest[x] - draft.probabilities[row, x]).clamp_min(0.0)
        return rest / rest.sum()

    return replace(parts, rule=_closing_of_rejected(closing))


def block_then_token_residual(parts: DecoderParts) -> DecoderParts:
    """A chain is judged as a block, and what replaces its end is drawn as if it had been judged token by token."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        judged = judge_block(draft, target, draws)
        row = rejected_row(draft, judged)
        if row is None:
            return judged
        return closed(judged, leftover(target[row], draft.probabilities[row]), judged.closing_draw)

    return replace(parts, rule=rule)


def coin_used_twice(parts: DecoderParts) -> DecoderParts:
    """The number that rejected a token also chooses the token in its place."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        judged = judge(draft, target, draws)
        row = rejected_row(draft, judged)
        if row is None or judged.draws is None:
            return judged
        return closed(judged, judged.closing_from, judged.draws[row])

    return replace(parts, rule=rule)


def _closing_of_rejected(closing: Callable[[Draft, Tensor, Judgement, int], Tensor]) -> Rule:
    """The exact rule, except that a chain's token after a rejection comes from another distribution."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        judged = judge(draft, target, draws)
        row = rejected_row(draft, judged)
        return judged if row is None else closed(judged, closing(draft, target, judged, row), judged.closing_draw)

    return rule


def rejected_row(draft: Draft, judged: Judgement) -> int | None:
    """The index of a chain's rejected token; None where there is none, or no chain."""
    row = int(judged.closing_row)
    return row if draft.is_chain and row < len(draft.parents) else None


def closed(judged: Judgement, distribution: Tensor, uniform: Tensor | None) -> Judgement:
    """The same judgement with the closing token that `uniform` chooses from another distribution."""
    token = distribution.argmax() if uniform is None else token_at(distribution, uniform.reshape(1))
    return replace(judged, closing=token, closing_from=distribution, closing_draw=uniform)


def typical_acceptance(parts: DecoderParts) -> DecoderParts:
    """The shipped lossy rule: what the target finds plausible is accepted."""
    return replace(parts, rule=_lossy(typical()))


def lenience(parts: DecoderParts) -> DecoderParts:
    """The shipped lossy rule: accept when u < p/(l·q), with l = 0.5."""
    return replace(parts, rule=_lossy(lenient(0.5)))


def _lossy(criterion: Criterion) -> Rule:
    """The criterion where something is drawn; where every distribution is one-hot these settings are refused, and the exact rule holds."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        if draws.uniform(0) is None:
            return judge(draft, target, draws)
        return judge_tree(draft, target, draws, criterion)

    return rule
