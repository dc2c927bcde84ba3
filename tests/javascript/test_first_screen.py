"""The recorded run with which the page opens: what its first rounds show, and that its headline is steady."""

from dataclasses import replace
from typing import Any

import pytest

from app import saved
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.trace.files import load
from specviz.trace.metrics import speedup
from tests.helpers.node import Node
from tests.javascript.views import GIVEN

FAMILIES = (EMBEDDED, CHAT)


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
    assert speedup(plain, replace(speculative, rounds=speculative.rounds[:3])) > 1.2


@pytest.mark.parametrize("family", FAMILIES)
def test_its_headline_is_steady(js: Node, family: str) -> None:
    """At 60 frames a second and the pace with which it opens: passes are counted one by one, it is never behind plain decoding, no
    ratio is shown on the way, and at the end it is that of the metrics."""
    view = {**saved.read_first(family), "status": "opened"}
    script = """(view, given) => {
        const run = readRun(view, given), plan = schedule(run, "lesson"), shown = [];
        const at = (clock) => headlineOf(run, positionAt(run, plan, clock)).speedup;
        for (let clock = 0; clock < plan.end; clock += 1 / 60) shown.push(at(clock));
        return { shown, end: at(plan.end), last: clockOf(plan, run.rounds.length - 1, "commit") };
    }"""
    found: dict[str, Any] = js.call(script, view, GIVEN)
    speculative, plain = load(view["recording"])
    counts = [one["value"] for one in found["shown"] if one["value"] not in ("–", found["end"]["value"])]
    assert list(dict.fromkeys(counts)) == [str(n) for n in range(1, len(speculative.rounds))]
    assert counts == sorted(counts, key=int)
    assert not any("×" in one["value"] for one in found["shown"][: int(60 * found["last"])])
    assert not any("behind" in one["small"] for one in found["shown"])
    assert found["end"]["value"] == f"{speedup(plain, speculative):.2f}×"
