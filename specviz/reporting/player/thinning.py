"""A recording made smaller for a page that contains it: fewer alternatives, shorter numbers, nothing else.

Kept in full: every token, verdict, time and draw, and p and q as the rule used them. The alternatives beside each token
lose digits (four are left) and, where that is not enough, only the top n are kept; of the plain run's at most the top 2, whose
gap is shown where the texts differ; those of tokens that were never judged go last. The result is a recording like any other.
"""

from collections.abc import Sequence
from dataclasses import replace

from specviz.trace.records import (
    NO_TOP,
    ClosingToken,
    Drafted,
    Round,
    Top,
    Trace,
    Verdict,
    ids_in,
)


def thinned(traces: Sequence[Trace], count: int) -> tuple[Trace, ...]:
    """The same runs with the top n alternatives beside each token, by the draft's ranking and by the target's, and the token itself."""
    return tuple(_trace(trace, count) for trace in traces)


def _trace(trace: Trace, count: int) -> Trace:
    drafts = any(round_.drafted for round_ in trace.rounds)
    rounds = tuple(_round(round_, count if drafts else min(count, 2)) for round_ in trace.rounds)
    kept = ids_in(trace.prompt_ids, rounds, trace.earlier)
    return replace(trace, rounds=rounds, tokens={i: trace.tokens[i] for i in sorted(kept)})


def _round(round_: Round, count: int | None) -> Round:
    closing = round_.closing and _closing(round_.closing, count)
    return replace(round_, drafted=tuple(_drafted(d, count) for d in round_.drafted), closing=closing)


def _drafted(drafted: Drafted, count: int | None) -> Drafted:
    tops = (drafted.draft_top, drafted.target_top)
    unjudged = drafted.verdict is Verdict.DISCARDED and not count
    kept = _kept(drafted.token, None if unjudged else count, *(top.tokens for top in tops))
    draft, target = (_top(top, kept) for top in tops)
    return replace(drafted, draft_top=draft, target_top=target)


def _closing(closing: ClosingToken, count: int | None) -> ClosingToken:
    top = closing.residual_top
    by_rule = sorted(range(len(top.tokens)), key=lambda index: -top.rule[index])
    kept = _kept(closing.token, count, top.tokens, [top.tokens[index] for index in by_rule])
    return replace(closing, residual_top=_top(top, kept))


def _kept(own: int, count: int | None, *rankings: Sequence[int]) -> set[int]:
    return set() if count is None else {own}.union(*(ranking[:count] for ranking in rankings))


def _top(top: Top, kept: set[int]) -> Top:
    rows = [row for row in zip(top.tokens, top.logits, top.probabilities, top.rule, strict=True) if row[0] in kept]
    if not rows:
        return NO_TOP
    tokens, *columns = zip(*rows, strict=True)
    return Top(tuple(tokens), *(tuple(float(f"{value:.4g}") for value in column) for column in columns))
