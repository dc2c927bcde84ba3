"""The recorded run with which the page opens: what its first rounds show, and how its headline moves."""

import itertools
from typing import Any

import pytest

from app import saved
from specviz.offers import CHAT, EMBEDDED
from specviz.trace.files import load
from specviz.trace.metrics import SETTLED_ROUNDS, speedup_after
from tests.helpers.node import Node
from tests.javascript.views import GIVEN

FAMILIES = (EMBEDDED, CHAT)
LARGEST_STEP = 0.1
"""By how much the headline may change from one frame to the next."""


@pytest.mark.parametrize("family", FAMILIES)
def test_its_first_rounds_show_the_idea(family: str) -> None:
    """Two full drafts are accepted, then, before anybody looks away, a draft is rejected and corrected; it pays."""
    speculative, plain = load(saved.read_first(family)["recording"])
    full = [len(round_.accepted) == len(round_.drafted) for round_ in speculative.rounds]
    assert full[:2] == [True, True]
    rejected = full.index(False)
    assert rejected <= 5
    assert speculative.rounds[rejected].closing is not None
    assert len(speculative.rounds[rejected].drafted) > len(speculative.rounds[rejected].accepted)
    first = speedup_after(plain, speculative, SETTLED_ROUNDS)
    assert first is not None
    assert first > 1.2


@pytest.mark.parametrize("family", FAMILIES)
def test_its_headline_settles_and_never_jumps(js: Node, family: str) -> None:
    """At 60 frames a second and the pace with which it opens: nothing before round three, never a slowdown on the way, no step of
    more than a tenth, and at the end the figure of the metrics."""
    view = {**saved.read_first(family), "status": "opened"}
    script = """(view, given) => {
        const run = readRun(view, given), plan = schedule(run, "lesson"), drawn = [];
        for (let clock = 0; clock < plan.end; clock += 1 / 60) drawn.push(movingSpeedup(run, positionAt(run, plan, clock)));
        return { drawn, shown: drawn.findIndex((value) => value !== null) / 60, third: clockOf(plan, 2, "commit"),
            end: movingSpeedup(run, positionAt(run, plan, plan.end)) };
    }"""
    found: dict[str, Any] = js.call(script, view, GIVEN)
    assert found["shown"] >= found["third"]
    values = [value for value in found["drawn"] if value is not None]
    assert min(values) > 1
    assert max(abs(after - before) for before, after in itertools.pairwise(values)) <= LARGEST_STEP
    speculative, plain = load(view["recording"])
    assert found["end"] == pytest.approx(speedup_after(plain, speculative, len(speculative.rounds)))
