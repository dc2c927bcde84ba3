"""A recording made smaller for a page that carries it: fewer alternatives, shorter numbers, nothing else.

Kept whole: every token, verdict, time and draw, and p and q as the rule used them. The alternatives beside each token
lose digits (four are left) and, where that is not enough, all but the likeliest; of the plain run's only the two best
are ever kept, whose gap is told where the texts part; those of tokens that were never judged go last. What comes out is a recording like any other.
"""

from collections.abc import Sequence
from dataclasses import replace

from specviz.trace.records import NO_TOP, ClosingToken, Drafted, Round, Top, Trace, Verdict, ids_in


def thinned(traces: Sequence[Trace], likeliest: int) -> tuple[Trace, ...]:
    """The same runs with so many alternatives at each place, by the draft's ranking and by the target's, and the token itself."""
    return tuple(_trace(trace, likeliest) for trace in traces)


def _trace(trace: Trace, likeliest: int) -> Trace:
    drafts = any(round_.drafted for round_ in trace.rounds)
    rounds = tuple(_round(round_, likeliest if drafts else min(likeliest, 2)) for round_ in trace.rounds)
    kept = ids_in(trace.prompt_ids, rounds)
    return replace(trace, rounds=rounds, tokens={i: trace.tokens[i] for i in sorted(kept)})


def _round(round_: Round, likeliest: int | None) -> Round:
    closing = round_.closing and _closing(round_.closing, likeliest)
    return replace(round_, drafted=tuple(_drafted(d, likeliest) for d in round_.drafted), closing=closing)


def _drafted(drafted: Drafted, likeliest: int | None) -> Drafted:
    tops = (drafted.draft_top, drafted.target_top)
    unjudged = drafted.verdict is Verdict.DISCARDED and not likeliest
    kept = _kept(drafted.token, None if unjudged else likeliest, *(top.tokens for top in tops))
    draft, target = (_top(top, kept) for top in tops)
    return replace(drafted, draft_top=draft, target_top=target)


def _closing(closing: ClosingToken, likeliest: int | None) -> ClosingToken:
    top = closing.residual_top
    by_rule = sorted(range(len(top.tokens)), key=lambda place: -top.rule[place])
    kept = _kept(closing.token, likeliest, top.tokens, [top.tokens[place] for place in by_rule])
    return replace(closing, residual_top=_top(top, kept))


def _kept(own: int, likeliest: int | None, *rankings: Sequence[int]) -> set[int]:
    return set() if likeliest is None else {own}.union(*(ranking[:likeliest] for ranking in rankings))


def _top(top: Top, kept: set[int]) -> Top:
    rows = [row for row in zip(top.tokens, top.logits, top.probabilities, top.rule, strict=True) if row[0] in kept]
    if not rows:
        return NO_TOP
    tokens, *columns = zip(*rows, strict=True)
    return Top(tuple(tokens), *(tuple(float(f"{value:.4g}") for value in column) for column in columns))
