"""Makes a recording smaller for a page that contains it: fewer alternatives, shorter numbers, nothing else.

Everything else stays: every token, verdict, time and draw, and p and q as the rule used them. The alternatives beside each token
lose digits (four are left) and, where that is not enough, only the top n are kept; of the plain run's at most the top 2, whose
gap is shown where the texts differ; those of tokens that were never judged go last. The result is a recording like any other.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from specviz.trace.records import NO_TOP, ClosingToken, Drafted, Round, Top, Trace, Verdict


def thinned(traces: Sequence[Trace], count: int) -> tuple[Trace, ...]:
    """The runs with the top `count` alternatives beside each token, by the draft's ranking and by the target's, and the token itself."""
    return tuple(
        trace.with_rounds(
            tuple(_round(r, count if trace.drafts else min(count, 2)) for r in trace.rounds), trace.earlier
        )
        for trace in traces
    )


def within(limit: int, text_of: Callable[[int], str]) -> str:
    """The text with all alternatives, else with the top 3, 2, 1 or none, where that is what keeps it within this length."""
    text = ""
    for count in (1_000_000, 3, 2, 1, 0):
        text = text_of(count)
        if len(text) <= limit:
            break
    return text


def _round(round_: Round, count: int) -> Round:
    closing = round_.closing and _closing(round_.closing, count)
    return replace(round_, drafted=tuple(_drafted(d, count) for d in round_.drafted), closing=closing)


def _drafted(drafted: Drafted, count: int) -> Drafted:
    if drafted.verdict is Verdict.DISCARDED and not count:
        return replace(drafted, draft_top=NO_TOP, target_top=NO_TOP)
    tops = (drafted.draft_top, drafted.target_top)
    ids = {drafted.token}.union(*(top.tokens[:count] for top in tops))
    draft, target = (_top(top, ids) for top in tops)
    return replace(drafted, draft_top=draft, target_top=target)


def _closing(closing: ClosingToken, count: int) -> ClosingToken:
    top = closing.residual_top
    by_rule = sorted(range(len(top.tokens)), key=lambda index: -top.rule[index])[:count]
    ids = {closing.token, *top.tokens[:count], *(top.tokens[index] for index in by_rule)}
    return replace(closing, residual_top=_top(top, ids))


def _top(top: Top, ids: set[int]) -> Top:
    rows = [row for row in zip(top.tokens, top.logits, top.probabilities, top.rule, strict=True) if row[0] in ids]
    if not rows:
        return NO_TOP
    tokens, *columns = zip(*rows, strict=True)
    return Top(tuple(tokens), *(tuple(float(f"{value:.4g}") for value in column) for column in columns))
