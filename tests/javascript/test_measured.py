"""The measured pictures' pure parts: what is drawn and said follows from the measurement by sums that a reader can repeat."""

import random
from typing import Any

import pytest

from specviz.trace import theory
from tests.helpers.node import Node

MODULES = (
    "lessons/common/scales",
    "lessons/common/quantities",
    "lessons/measured/measured_read",
    "lessons/measured/measured_text",
    "lessons/passes/pass_cost",
    "lessons/roofline/roofline",
    "lessons/surface/surface",
    "lessons/surface/surface_text",
)
SOURCE = {"target": "a model", "device": "cpu", "dtype": "float32", "disturbed": False, "measured_at": "now"}
BATCH = {
    **SOURCE,
    "kind": "batch cost",
    "context": 64,
    "points": [
        {"guests": guests, "tokens": tokens, "pass_s": ms / 1000, "low_s": ms / 1100, "high_s": ms / 900}
        for guests, tokens, ms in ((4, 1, 20), (1, 1, 10), (1, 2, 11), (1, 4, 13), (4, 2, 36), (4, 4, 70))
    ],
    "draft_pass_s": [{"guests": 4, "pass_s": 0.002}, {"guests": 1, "pass_s": 0.001}],
}
"""One guest: checking is nearly free. Four: each token costs. A draft pass is a tenth of a plain one."""


def _roof(passes: list[tuple[int, float, float, float]]) -> dict[str, Any]:
    """A machine that reads 20 and computes 200 billion in a second, with passes of (tokens, seconds, operations, bytes)."""
    return {
        **SOURCE,
        "kind": "bandwidth",
        "weights_bytes": 2e9,
        "pass_s": passes[0][1],
        "pass_low_s": passes[0][1],
        "pass_high_s": passes[0][1],
        "operations": passes[0][2],
        "reading_bytes_per_s": 20e9,
        "operations_per_s": 200e9,
        "points": [dict(zip(("tokens", "pass_s", "operations", "bytes"), one, strict=True)) for one in passes],
    }


def _curve(*costs: tuple[int, float]) -> list[dict[str, float]]:
    return [{"tokens": n, "pass_s": v / 100, "v": v, "low": v, "high": v} for n, v in costs]


def test_the_roof_is_memory_then_arithmetic(js: Node) -> None:
    """Left of 200 / 20 = 10 operations a byte the memory limits, right of it the arithmetic; the dots have the shares that follow."""
    result = _roof([(1, 0.2, 1e9, 2e9), (40, 0.25, 40e9, 2e9)])
    found = js.call("(result) => rooflineOf(result)", result)
    assert found["ridge"] == 10
    one, many = found["dots"]
    assert (one["intensity"], one["rate"], one["arithmetic"], one["reading"]) == pytest.approx((0.5, 5e9, 0.025, 0.5))
    assert (many["intensity"], many["arithmetic"], many["reading"]) == pytest.approx((20, 0.8, 0.4))
    assert js.call("(result) => [0.5, 10, 20].map((at) => roofAt(at, result))", result) == [10e9, 200e9, 200e9]
    for axis, values in (("x", (0.5, 10, 20)), ("y", (5e9, 160e9, 200e9))):
        assert found[axis][0] < min(values)
        assert found[axis][1] > max(values)
    words = js.call("(result) => arithmeticWords(result, rooflineOf(result))", result)
    assert words["figure"] == "2.5%"
    assert "5 billion operations a second" in words["how"]
    said = js.call(
        "(result) => readingWords(result, rooflineOf(result)).map((part) => part.text ?? part).join('')", result
    )
    assert said.startswith("It reads 2 GB of weights in 200 ms: 10 GB a second.")
    assert said.endswith("A pass over 40 tokens uses 80% of the arithmetic.")


def test_a_dot_above_the_roof_is_explained(js: Node) -> None:
    """Above the slanted roof a cache is named, above the flat one the test of the arithmetic; noise of a hundredth is nothing."""
    above = "(result) => aboveWords(rooflineOf(result))"
    assert js.call(above, _roof([(1, 0.0995, 1e9, 2e9)])) == ""
    assert js.call(above, _roof([(1, 0.05, 1e9, 2e9)])).startswith("The dot for 1 token lies above the slanted roof")
    both = js.call(above, _roof([(1, 0.05, 1e9, 2e9), (2, 0.05, 2e9, 2e9), (60, 0.25, 60e9, 2e9)]))
    assert both.startswith("The dots for 1 and 2 tokens lie above the slanted roof")
    assert "The dot for 60 tokens lies above the flat roof" in both


def test_where_the_curve_bends(js: Node) -> None:
    """Where one more token begins to cost half of a one-token pass, and goes on so; a single slow pass bends nothing."""
    for curve, bend in (
        (_curve((1, 1), (2, 1.1), (4, 1.2), (8, 1.6)), None),
        (_curve((1, 1), (2, 1.1), (4, 1.2), (8, 3.6), (16, 8.6)), 4),
        (_curve((1, 1), (2, 1.1), (4, 1.2), (8, 3.6), (16, 2.4)), None),
        (_curve((1, 1), (2, 1.6), (4, 1.7), (8, 1.9)), None),
        (_curve((1, 1), (2, 1.7), (4, 3.1)), 1),
        (_curve((1, 1), (2, 1.4), (3, 1.9)), 2),
        (_curve((1, 1)), None),
    ):
        assert js.call("(curve) => bendOf(curve)", curve) == bend, curve
        words = js.call("(curve, bend) => bendWords(curve, bend)", curve, bend)
        assert ("costs more than half" in words) is (bend is not None)


def test_the_sentence_of_v(js: Node) -> None:
    """One pass over n tokens, n passes over one, and v(n), the ratio of the two times that were measured."""
    result = {
        **SOURCE,
        "kind": "pass cost",
        "context": 0,
        "points": [
            {"tokens": 6, "pass_s": 0.0091, "low_s": 0.0089, "high_s": 0.0096},
            {"tokens": 1, "pass_s": 0.0045, "low_s": 0.0044, "high_s": 0.0047},
            {"tokens": 2, "pass_s": 0.0099, "low_s": 0.0097, "high_s": 0.0101},
        ],
    }
    script = """(result, index) => { const read = readMeasured(result).result, curve = curveOf(read.points);
        return [costParts(read, curve, index).map((part) => part.text ?? part).join(""), costParts(read, curve, index)[1].how,
            gapWords(curve[index]).text]; }"""
    said, how, gap = js.call(script, result, 2)
    assert said == "One pass over 6 tokens: 9.1 ms. Six passes over one token: 27.0 ms. v(6) = 2.02."
    assert "half of them took 8.9 ms to 9.6 ms. Measured on this machine: a model, float32, cpu, now." in how
    assert gap == "✓ saved: 4.0 passes"
    assert js.call(script, result, 0)[0].endswith("v(1) = 1.")
    assert js.call(script, result, 1)[2] == "✕ lost: 0.2 passes"
    assert js.call("(result) => nearestPoint(curveOf(readMeasured(result).result.points), 5)", result) == 2


def test_the_best_draft_length_for_so_many_guests(js: Node) -> None:
    """By hand: one guest, α = 0.5: k = 1 gives 1.5 / (0.1 + 1.1) = 1.25 and k = 3 1.875 / (0.3 + 1.3). Two guests lie on the straight
    line between one and four. Of equal lengths the shortest is the best."""
    best = "(result, guests, alpha) => bestAt(surfaceOf(readMeasured(result).result), guests, alpha)"
    one = js.call(best, BATCH, 1, 0.5)
    assert (one["k"], one["speedup"]) == (1, pytest.approx(1.25))
    sure = js.call(best, BATCH, 1, 1)
    assert (sure["k"], sure["speedup"]) == (3, pytest.approx(4 / (0.3 + 1.3)))
    equal = js.call(best, BATCH, 4, 1)
    assert (equal["k"], equal["speedup"]) == (1, pytest.approx(2 / 1.9))
    two = js.call(best, BATCH, 2, 0.5)
    plain, check, draft = 10 + 10 / 3, 11 + 25 / 3, 1 + 1 / 3
    assert (two["k"], two["speedup"]) == (1, pytest.approx(1.5 * plain / (draft + check)))
    assert js.call(best, BATCH, 5, 0.5) is None
    assert js.call(best, {**BATCH, "draft_pass_s": []}, 1, 0.5) is None


def test_the_surface_is_the_engines_formula(js: Node) -> None:
    """On random surfaces the best length is the one that the engine's own formula ranks first, from the measured passes alone."""
    source = random.Random(4)  # noqa: S311  # nothing here is secret
    for _ in range(100):
        tokens = [1, *sorted(source.sample(range(2, 12), 4))]
        times = {n: source.uniform(1, 4) for n in tokens}
        draft, alpha = source.uniform(0.05, 0.5), source.random()
        result = {
            **BATCH,
            "points": [{"guests": 3, "tokens": n, "pass_s": s, "low_s": s, "high_s": s} for n, s in times.items()],
            "draft_pass_s": [{"guests": 3, "pass_s": draft}],
        }
        speeds = {n - 1: theory.speedup(alpha, n - 1, draft / times[1], times[n] / times[1]) for n in tokens[1:]}
        found = js.call("(result, alpha) => bestAt(surfaceOf(result), 3, alpha)", result, alpha)
        assert found["speedup"] == pytest.approx(max(speeds.values()))
        assert speeds[found["k"]] == pytest.approx(max(speeds.values()))


def test_when_to_switch_it_off(js: Node) -> None:
    """The first number of guests from which on no length pays; a dip before it is named, and nothing is claimed beyond the last one."""
    words = "(result, alpha) => { const at = surfaceOf(readMeasured(result).result); return [switchOff(at, alpha).from, switchWords(at, alpha)]; }"
    assert js.call(words, BATCH, 0.5) == [2, "Switch it off from about 2 guests on."]
    assert js.call(words, BATCH, 1) == [None, "It pays up to 4 guests, the most that were measured."]
    assert js.call(words, BATCH, 0.1) == [1, "It pays for no number of guests here: leave it switched off."]
    assert js.call(words, {**BATCH, "draft_pass_s": []}, 0.5)[1].startswith("No pass of a draft was measured")
    dip = {
        **BATCH,
        "points": [
            {"guests": guests, "tokens": tokens, "pass_s": ms / 1000}
            for guests, tokens, ms in ((1, 1, 10), (1, 2, 30), (2, 1, 10), (2, 2, 11), (3, 1, 10), (3, 2, 40))
        ],
        "draft_pass_s": [{"guests": guests, "pass_s": 0.001} for guests in (1, 2, 3)],
    }
    assert js.call(words, dip, 0.5) == [3, "Switch it off from 3 guests on. It does not pay for 1 either."]
    between = "(result, guests) => betweenWords(surfaceOf(readMeasured(result).result), guests)"
    assert js.call(between, BATCH, 4) == "Calculated from measured passes."
    assert "between 1 and 4 guests on a straight line" in js.call(between, BATCH, 3)


def test_each_task_is_routed_by_its_own_rate(js: Node) -> None:
    """Acceptance rates come from the lesson's recordings by name, else they are called assumed; each task gets its own advice."""
    dots = [{"name": "lighthouse", "alpha": 0.312}, {"name": "letter", "alpha": 0.9666}, None]
    tasks = js.call("(dots) => tasksOf(dots)", dots)
    assert tasks == [
        {"task": "letters", "alpha": 0.97, "recorded": True},
        {"task": "stories", "alpha": 0.31, "recorded": True},
    ]
    unknown = js.call("() => tasksOf(undefined).map((task) => taskWords(task).text)")
    assert all(text.endswith("assumed") for text in unknown)
    assert js.call("(tasks) => tasks.map((task) => taskWords(task).text)", tasks) == [
        "letters: α = 0.97",
        "stories: α = 0.31",
    ]
    route = "(result, alpha) => routeWords(bestAt(surfaceOf(readMeasured(result).result), 4, alpha)).text"
    assert js.call(route, BATCH, 1) == "✓ use k = 1: 1.05×"
    assert js.call(route, BATCH, 0.31) == "✕ no draft: at best 0.69×"


def test_quantities_are_written_for_people(js: Node) -> None:
    """At most three digits, a unit, and no figure that rounds into another unit."""
    times = [2.5e-6, 0.00041, 0.0091, 0.027, 0.0999, 0.12, 0.9999, 1.5]
    assert js.call("(all) => all.map(timeWords)", times) == [
        "2.5 µs", "0.41 ms", "9.1 ms", "27.0 ms", "99.9 ms", "120 ms", "1.00 s", "1.50 s",
    ]  # fmt: skip
    assert js.call("() => [538e6, 9.7e9, 24.2e9].map(bytesWords)") == ["538 MB", "9.7 GB", "24.2 GB"]
    assert js.call("() => [310e9, 1.24e12, 900].map(spelledWords)") == ["310 billion", "1.24 trillion", "900"]
    assert js.call("() => [0.5, 10, 2e9].map(scaleWords)") == ["0.5", "10", "2 G"]
    shares = [0.0004, 0.0042, 0.04, 0.961, 1.04]
    assert js.call("(all) => all.map(shareWords)", shares) == ["less than 0.1%", "0.4%", "4.0%", "96%", "104%"]


def test_a_broken_measurement_is_a_sentence(js: Node) -> None:
    """Points that cannot be drawn are left out; without a pass over one token, or without a figure, one sentence says so."""
    read = "(result) => readMeasured(result)"
    assert js.call(read, None) == {"result": None, "problem": ""}
    good = _roof([(1, 0.2, 1e9, 2e9)])
    points = [*good["points"], {"tokens": 4}, None, {"tokens": 2, "pass_s": -1, "operations": 1, "bytes": 1}]
    assert len(js.call(read, {**good, "points": points})["result"]["points"]) == 1
    assert js.call(read, {**good, "points": []})["result"]["points"][0]["bytes"] == 2e9
    spread = {"kind": "pass cost", "points": [{"tokens": 1, "pass_s": 2, "low_s": 3, "high_s": "x"}]}
    assert js.call(read, spread)["result"]["points"] == [{"tokens": 1, "pass_s": 2, "low_s": 2, "high_s": 2}]
    bad: list[Any] = [
        {**good, "operations_per_s": 0},
        {**good, "reading_bytes_per_s": None},
        {**good, "kind": "other"},
        {**BATCH, "points": "none"},
        {"kind": "pass cost", "points": [{"tokens": 2, "pass_s": 1}]},
        [],
        "text",
    ]
    for result in bad:
        found = js.call(read, result)
        assert found["result"] is None
        assert found["problem"].startswith("This measurement cannot be shown")
    long = js.call(read, {**good, "target": "w" * 500, "device": 7})["result"]
    assert len(long["target"]) == 80
    assert long["device"] == ""
    assert js.call("() => [measuredKindOf(null, 'pass cost'), measuredKindOf({ kind: 'batch cost' }, 'pass cost'), measuredKindOf(null, 'x')]") == [
        "pass cost", "batch cost", "bandwidth",
    ]  # fmt: skip
