"""replan.js: the same text with another draft length has the rounds that the engine would have had."""

import pytest

from specviz.runs.replan import replan
from tests.helpers.node import Node


def test_another_draft_length_is_replanned_from_the_matches(js: Node) -> None:
    """At each start min(k, remaining - 1) are drafted, the run of matches is accepted, one token closes the round."""
    for matches, k, rounds in (
        ("", 3, []),
        ("1", 3, [(0, 0, 0)]),
        ("1111", 3, [(0, 3, 3)]),
        ("11111", 3, [(0, 3, 3), (4, 0, 0)]),
        ("0000", 2, [(0, 2, 0), (1, 2, 0), (2, 1, 0), (3, 0, 0)]),
        ("110111", 3, [(0, 3, 2), (3, 2, 2)]),
        ("110111", 1, [(0, 1, 1), (2, 1, 0), (3, 1, 1), (5, 0, 0)]),
        ("101", 16, [(0, 2, 1), (2, 0, 0)]),
    ):
        found = js.call("(matches, k) => replan(matches, k)", [m == "1" for m in matches], k)
        assert [(r["start"], r["drafted"], r["accepted"]) for r in found] == rounds


def test_a_text_that_ended_by_itself_is_replanned_as_the_engine_plans_it(js: Node) -> None:
    """Drafts go past the end of the text, and a round that accepts its last token has no closing one."""
    for matches in ("1111", "11101", "0", "1", "1101100111"):
        agreed = [m == "1" for m in matches]
        for k in (1, 3, 16):
            for limit in (len(matches), len(matches) + 1, 64):
                found = js.call("(matches, k, limit) => replan(matches, k, limit)", agreed, k, limit)
                expected = [(r.start, r.drafted, r.accepted, r.closing is not None) for r in replan(agreed, k, limit)]
                assert [(r["start"], r["drafted"], r["accepted"], r["closed"]) for r in found] == expected


def test_replanned_times_are_priced(js: Node) -> None:
    """A round of n drafts takes n·c + v[n] of the target's pass over one token; after the list's end its last value holds."""
    costs = {"c": 0.25, "v": [1.0, 1.5, 1.75], "pass_s": 0.01}
    for drafted, verify in ((0, 0.01), (1, 0.015), (2, 0.0175), (7, 0.0175)):
        price = js.call("(n, costs) => priceOf(n, costs)", drafted, costs)
        assert price == {"draft": pytest.approx(drafted * 0.0025), "verify": pytest.approx(verify)}
