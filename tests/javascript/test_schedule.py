"""schedule.ts, position.ts and playhead.ts: what is shown is a pure function of (run, clock)."""

from itertools import pairwise
from typing import Any

import pytest

from tests.helpers.node import Node
from tests.helpers.views import MIXED, plain_of, trace_of, view_of
from tests.javascript.views import EIGHT, GIVEN, view


def _at(js: Node, shown: dict[str, Any], clock: float, pace: str = "lesson") -> dict[str, Any]:
    function = """(view, given, clock, pace) => {
        const run = readRun(view, given), plan = schedule(run, pace);
        return { ...positionAt(run, plan, clock < 0 ? -clock * plan.end : clock), end: plan.end };
    }"""
    found: dict[str, Any] = js.call(function, shown, GIVEN, clock, pace)
    return found


def test_the_factor_of_a_run_is_one_number(js: Node) -> None:
    """That of the whole run: 1 in real time, below 1 where a run took longer than it is shown for, and none of an empty run, which has a position too."""
    factor = "(view, given, pace) => { const run = readRun(view, given); return slowdownOf(run, schedule(run, pace)); }"
    assert js.call(factor, view(EIGHT), GIVEN, "real") == pytest.approx(1)
    assert js.call(factor, view(EIGHT), GIVEN, "hand") == pytest.approx((3 * 1.6 + 0.72 * 1.6) / 0.032)
    slow = view(["aaa"])
    slow["live"]["rounds"][0] |= {"draft_s": 1.0, "verify_s": 3.0, "ended_s": 5.0}
    assert js.call(factor, slow, GIVEN, "hand") == pytest.approx(1.6 / 5)
    assert js.call(factor, view(), GIVEN, "lesson") is None
    nowhere = _at(js, view(), 3.0)
    assert (nowhere["index"], nowhere["committed"], nowhere["end"]) == (-1, 0, 0)


def test_tokens_and_engine_time_never_run_back(js: Node) -> None:
    """As the viewer's clock goes on, neither the committed tokens nor the engine's clock go back."""
    function = """(view, given, pace) => {
        const run = readRun(view, given), plan = schedule(run, pace);
        let tokens = 0, engine = 0;
        for (let i = 0; i <= 1000; i += 1) {
            const p = positionAt(run, plan, i * plan.end / 1000);
            if (p.committed < tokens || p.engine < engine - 1e-9) return false;
            tokens = p.committed; engine = p.engine;
        }
        return tokens === 8;
    }"""
    for pace in ("lesson", "real"):
        assert js.call(function, view(EIGHT), GIVEN, pace)


def test_a_change_of_pace_keeps_the_moment(js: Node) -> None:
    """Changing the pace leaves the viewer in the same round and phase."""
    function = """(view, given) => {
        const run = readRun(view, given), a = schedule(run, "lesson"), b = schedule(run, "slow");
        const clock = a.starts[2] + 0.5 * (a.starts[3] - a.starts[2]);
        const p = positionAt(run, a, clock), q = positionAt(run, b, carryOver(a, b, clock));
        return [p.index === q.index, p.phase === q.phase];
    }"""
    assert js.call(function, view(EIGHT), GIVEN) == [True, True]


def test_a_run_plays_to_its_end_in_twenty_seconds(js: Node) -> None:
    """At the pace with which a run opens two rounds are for reading and take most of the time, the others are ever faster; in a short run
    these two have the time of Lesson, as far as there is so much; every phase of every round can still be stepped to."""
    function = """(view, given) => {
        const run = readRun(view, given), head = new Playhead(run, () => null), seen = [];
        const { starts, end } = head.plan;
        for (let i = 0; i < 4 * starts.length; i += 1) { head.phase(1); seen.push([head.position.index, head.position.phase].join()); }
        return { pace: head.pace, starts, end, lesson: schedule(run, "lesson").end, phases: new Set(seen).size };
    }"""
    for rounds in (1, 2, 3, 8, 43, 300):
        found = js.call(function, view(["ard"] * rounds), GIVEN)
        took = [after - start for start, after in pairwise([*found["starts"], found["end"]])]
        assert found["pace"] == "quick"
        assert found["end"] <= 20 + 1e-6
        assert found["end"] == pytest.approx(min(20, found["lesson"]) if rounds < 3 else 20, abs=2)
        assert all(later <= before + 1e-9 for before, later in pairwise(took))
        assert sum(took[:2]) >= min(15 - 1e-6, found["lesson"])
        assert found["phases"] == 4 * rounds


def test_engine_seconds_and_clock_are_inverse(js: Node) -> None:
    """The clock of an engine moment shows that moment, anywhere in the run, at every pace."""
    function = """(view, given, pace) => {
        const run = readRun(view, given), plan = schedule(run, pace), end = laneEnds(run).speculative;
        let worst = 0;
        for (let i = 0; i <= 300; i += 1) {
            const clock = clockAtEngine(run, plan, (i * end) / 300);
            worst = Math.max(worst, Math.abs(positionAt(run, plan, clock).engine - (i * end) / 300));
        }
        return worst;
    }"""
    trace = trace_of(MIXED)
    for pace in ("slow", "lesson", "quick", "real", "hand"):
        assert js.call(function, view_of(trace, plain_of(trace)), GIVEN, pace) < 2e-4


def _playhead(js: Node, function: str, rounds: list[str] | None = None) -> Any:
    build = """(view, given) => {
        const run = readRun(view, given), stops = [];
        const head = new Playhead(run, (from, to) => stops.find((at) => at >= from && at <= to) ?? null);
        return (%s)(head, run, stops);
    }"""
    return js.call(build % function, view(rounds or EIGHT), GIVEN)


def test_phases_are_stepped_forwards_and_back(js: Node) -> None:
    """Each step on goes to the end of the next phase, each step back to the same moments; a round without drafts has two phases."""
    function = """(head) => {
        const walk = (by) => { const seen = []; for (let i = 0; i < 15; i += 1) { head.phase(by); seen.push([head.position.index, head.position.phase]); } return seen; };
        return [walk(1), walk(-1)];
    }"""
    ahead, back = _playhead(js, function)
    phases = ["draft", "verify", "judge", "commit"]
    expected = [[round_, phase] for round_ in range(3) for phase in phases] + [[3, "verify"], [3, "commit"]]
    assert ahead == [*expected, [3, "commit"]]
    assert back[:13] == expected[-2::-1]


def test_play_stops_where_the_clock_must_wait_and_goes_on_from_there(js: Node) -> None:
    """No frame, jump or step leads past an open bet; `resume` goes on, and a single phase stops at its end."""
    function = """(head, run, stops) => {
        const at = clockOf(head.plan, 1, "judge") - HAIR, seen = [];
        stops.push(at);
        const note = () => seen.push([Math.abs(head.clock - at) < 1e-9, head.playing]);
        head.seek(0, true); head.advance(60); note();
        head.seek(0); head.seekOn(head.plan.end); note();
        head.seek(0); head.step(1); head.step(1); note();
        head.resume(); head.advance(60); note();
        head.setPace("hand"); head.seek(0); head.toggle(); head.advance(60);
        return [...seen, [head.position.phase, head.position.index, head.playing]];
    }"""
    *seen, phase = _playhead(js, function)
    assert seen == [[True, False], [True, False], [True, False], [False, True]]
    assert phase == ["draft", 0, False]


def test_rounds_that_come_leave_the_clock_where_it_was(js: Node) -> None:
    """At the end of what there was it stays at the end of that round, elsewhere it keeps its round and phase."""
    function = """(head, run) => {
        const part = { ...run, rounds: run.rounds.slice(0, 2) }, seen = [];
        for (const clock of [Infinity, 1]) {
            head.open(part, { clock: 0, playing: false, pace: "lesson" });
            head.seek(clock);
            const before = head.position;
            head.extend(run);
            seen.push([before.index === head.position.index, before.phase === head.position.phase]);
        }
        return seen;
    }"""
    assert _playhead(js, function) == [[True, True], [True, True]]


def test_no_two_nodes_of_a_tree_share_a_cell(js: Node) -> None:
    """A first child is in its parent's row, each further one in a row of its own."""
    for parents, expected in (
        ((-1, 0, 1), [(0, 0), (1, 0), (2, 0)]),
        ((-1, -1, -1), [(0, 0), (0, 1), (0, 2)]),
        ((-1, 0, 0, 1, 2), [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)]),
        ((), []),
    ):
        found = js.call("(parents) => layoutOf(parents.map((parent) => ({ parent }))).nodes", list(parents))
        assert [(node["depth"], node["row"]) for node in found] == expected
