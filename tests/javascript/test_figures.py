"""figures.js: what was measured by a moment, live and recorded, and the boxes of the time lanes."""

from dataclasses import replace
from typing import Any

import pytest

from specviz.trace.records import Prefill
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


def test_the_speedup_is_the_ratio_of_two_times(js: Node) -> None:
    """For the tokens written so far: plain seconds over the seconds of these rounds."""
    trace = trace_of(["aaa", "rdd", "aar", "ard"])
    plain = plain_of(trace)
    script = """(view, given) => {
        const run = readRun(view, given);
        return run.rounds.map((_, index) => figuresAt(run, { index, joined: true }).speedup);
    }"""
    whole = DRAFT_S + VERIFY_S + REST_S
    assert js.call(script, view_of(trace, plain), GIVEN) == [
        pytest.approx(4 * PLAIN_S / whole),
        pytest.approx((4 + 1) * PLAIN_S / (2 * whole)),
        pytest.approx((4 + 1 + 3) * PLAIN_S / (3 * whole)),
        pytest.approx((4 + 1 + 3 + 2) * PLAIN_S / (4 * whole)),
    ]


def test_the_speedup_does_not_grow_when_plain_rounds_run_out(js: Node) -> None:
    """After the plain tokens that have come so far, the rate of the load is used instead, and is said to be."""
    figures = _figures(js, view(EIGHT, [0.006, 0.012], rate=250.0), 1.0)
    assert figures["plainIs"] == "load"
    assert figures["speedup"] == pytest.approx(8 / (250 * 0.032))


def test_without_a_plain_run_the_rate_of_the_load_is_used_and_named(js: Node) -> None:
    """Until the plain run is there the speedup rests on the rate measured at load, and says so."""
    figures = _figures(js, view(EIGHT, rate=250.0), 1.0)
    assert figures["plainIs"] == "load"
    assert figures["speedup"] == pytest.approx(8 / (250 * 0.032))


def test_a_slowdown_is_below_one(js: Node) -> None:
    """A fast plain run gives a speedup below 1: nothing hides it."""
    assert _figures(js, view(["rdd"], [0.0035 * (i + 1) for i in range(12)]), 1.0)["speedup"] < 1


def test_the_prompt_counts_on_both_sides_from_the_start(js: Node) -> None:
    """With the prompt, both clocks start before it is read: a ratio of sums, on the way and at the end."""
    trace = replace(trace_of(MIXED), prefill=Prefill(0.010, 0.006))
    plain = replace(plain_of(trace), prefill=Prefill(0.010, 0.0))
    tokens, rounds = len(trace.token_ids), len(MIXED)
    whole = DRAFT_S + VERIFY_S + REST_S
    end = _figures(js, view_of(trace, plain), 1.0)
    assert end["speedup"] == pytest.approx(tokens * PLAIN_S / (rounds * whole))
    assert end["withPrompt"] == pytest.approx((0.010 + tokens * PLAIN_S) / (0.016 + rounds * whole))
    function = "(view, given, now) => { const r = readRun(view, given); return speedupWithPrompt(r.plain, r, now); }"
    third = sum(len(round_.tokens) for round_ in trace.rounds[:3])
    now = 3
    expected = (0.010 + third * PLAIN_S) / (0.016 + 3 * whole)
    assert js.call(function, view_of(trace, plain), GIVEN, now) == pytest.approx(expected)
    assert _figures(js, view(EIGHT, [0.006 * (i + 1) for i in range(8)]), 1.0)["withPrompt"] is None, (
        "not known while live"
    )


def test_only_judged_drafts_count(js: Node) -> None:
    """Accepted / judged leaves out the drafts after a rejection."""
    figures = _figures(js, view(EIGHT), 1.0)
    assert (figures["accepted"], figures["judged"]) == (4, 6)


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


@pytest.mark.parametrize(("drafter", "done"), [("early-exit", 3 / 12), ("layer-skip", 0)])
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
