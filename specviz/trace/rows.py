"""Rounds as light rows: what a viewer needs while a run is live, small enough to send again and again.

A row is [start, drafted, accepted, closing, began_s, draft_s, verify_s, ended_s], and for a draft that was copied its source, with each drafted token as
[token, parent, draft_prob, target_prob, draw, verdict] and the closing one as [token, how, draw] or None.
Alternatives are left out: they come with the whole trace. Standard library only.
"""

from typing import Any

from specviz.trace.records import Round

Row = list[Any]


def row_of(round_: Round) -> Row:
    """One round as a row of plain JSON values; times in seconds to the microsecond."""
    closing = round_.closing
    return [
        round_.start,
        [
            [d.token, d.parent, _short(d.draft_prob), _short(d.target_prob), _short(d.draw), d.verdict.value]
            for d in round_.drafted
        ],
        list(round_.accepted),
        None if closing is None else [closing.token, closing.how.value, _short(closing.draw)],
        *(round(t, 6) for t in (round_.began_s, round_.draft_s, round_.verify_s, round_.ended_s)),
        *([] if round_.source is None else [round_.source]),
    ]


def _short(probability: float | None) -> float | None:
    return None if probability is None else float(f"{probability:.4g}")
