"""figures.ts: what was measured by a moment, live and recorded, and the boxes of the time lanes."""

from typing import Any

import pytest

from tests.helpers.node import Node
from tests.helpers.views import DRAFT_S, MIXED, PLAIN_S, REST_S, VERIFY_S, plain_of, trace_of, view_of
from tests.javascript.views import EIGHT, GIVEN, view


def _figures(js: Node, shown: dict[str, Any], share: float) -> dict[str, Any]:
    function = """(view, given, share) => {
        const run = readRun(view, given), plan = schedule(run, "lesson");
        return figuresAt(run, positionAt(run, plan, share * plan.end));
    }"""
    found: dict[str, Any] = js.call(function, shown, GIVEN, share)
    return found


def test_the_speedup_does_not_grow_when_plain_rounds_run_out(js: Node) -> None:
    """After the plain tokens that have come so far, and before the first, the rate of the load is used instead, and is said to be."""
    for plain in ([0.006, 0.012], None):
        figures = _figures(js, view(EIGHT, plain, rate=250.0), 1.0)
        assert figures["plainIs"] == "load"
        assert figures["speedup"] == pytest.approx(8 / (250 * 0.032))


def test_the_prompt_is_not_counted_while_the_run_goes_on(js: Node) -> None:
    """What it took is known at the end; then it is that of the metrics, see test_shipped.py."""
    assert _figures(js, view(EIGHT, [0.006 * (i + 1) for i in range(8)]), 1.0)["withPrompt"] is None


def test_the_lanes_are_the_recorded_times(js: Node) -> None:
    """Every pass is a box at its recorded time; drafting is one box with k ticks."""
    trace = trace_of(MIXED)
    boxes = js.call("(view, given) => boxesOf(readRun(view, given))", view_of(trace, plain_of(trace)), GIVEN)
    assert [(box["from"], box["to"]) for box in boxes if box["lane"] == 0] == [
        (pytest.approx(i * PLAIN_S), pytest.approx((i + 1) * PLAIN_S)) for i in range(len(trace.token_ids))
    ]
    whole = DRAFT_S + VERIFY_S + REST_S
    assert [(box["from"], box["to"], box["ticks"]) for box in boxes if box["kind"] == "draft"] == [
        (pytest.approx(i * whole), pytest.approx(i * whole + DRAFT_S), len(v)) for i, v in enumerate(MIXED)
    ]
    passes = [box for box in boxes if box["lane"] == 1 and box["kind"] == "target"]
    assert [box["to"] - box["from"] for box in passes] == [pytest.approx(VERIFY_S)] * 4


@pytest.mark.parametrize(("drafter", "done"), [("early-exit", 3 / 12), ("my-own", 0)])
def test_a_part_of_the_target_is_drawn_as_the_layers_it_is(js: Node, drafter: str, done: float) -> None:
    """The boxes and the stack have the layers of the card; after an early exit the target's pass does not repeat them."""
    layers = (0, 1, 2) if drafter == "early-exit" else (0, 5, 11)
    trace = trace_of(MIXED, drafter=drafter, label=drafter, layers=layers, of=12)
    boxes = js.call("(view, given) => boxesOf(readRun(view, given))", view_of(trace, plain_of(trace)), GIVEN)
    drafts = [box for box in boxes if box["kind"] == "draft"]
    assert drafts
    assert all(box["layers"] == {"used": list(layers), "of": 12} for box in drafts)
    assert {box["done"] for box in boxes if box["kind"] == "target" and box["lane"] == 1} == {done}
    assert not any(box.get("done") for box in boxes if box["lane"] == 0)
