"""figures_dial_text.ts: the figures in words. One steady count while a run plays, the speedup when it is final, and none that cannot be."""

import json
from dataclasses import replace
from typing import Any

from specviz.trace.conditions import beyond, most_words
from specviz.trace.metrics import most_possible, speedup
from specviz.trace.records import Trace
from tests.helpers.node import Node
from tests.helpers.views import DRAFT_S, MIXED, PLAIN_S, REST_S, VERIFY_S, live_of, plain_of, trace_of, view_of
from tests.javascript.views import GIVEN

FIGURES = ("speedup", "rate", "perPass", "accepted")
_ROUNDS = """(view, given) => {
    const run = readRun(view, given);
    return run.rounds.map((_, index) => headlineOf(run, { index, joined: true }));
}"""


def _headlines(js: Node, view: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = js.call(_ROUNDS, view, GIVEN)
    return found


def _slower(plain: Trace, factor: float) -> Trace:
    """The same plain run on a machine that something else slowed down."""
    rounds = tuple(replace(r, began_s=factor * r.began_s, ended_s=factor * r.ended_s) for r in plain.rounds)
    return replace(plain, rounds=rounds)


def test_one_steady_number_while_it_plays_and_the_ratio_at_the_end(js: Node) -> None:
    """Until the last round ended no ratio stands anywhere: passes are counted, and tokens ahead of plain decoding."""
    trace = trace_of(["rdd", "aaa", "aaa", "ard"])
    *playing, last = _headlines(js, view_of(trace, plain_of(trace)))
    assert [(one["speedup"]["value"], one["speedup"]["label"], one["speedup"]["small"]) for one in playing] == [
        ("1", "pass for 1 token", "level with plain"),
        ("2", "passes instead of 5", "3 tokens ahead of plain"),
        ("3", "passes instead of 9", "5 tokens ahead of plain"),
    ]
    assert {one["mood"] for one in playing} == {"count"}
    assert "×" not in json.dumps([[one[name] | {"how": ""} for name in FIGURES] for one in playing], ensure_ascii=False)
    ratio = 11 * PLAIN_S / (4 * (DRAFT_S + VERIFY_S + REST_S))
    assert (last["mood"], last["speedup"]["value"]) == ("faster", f"{ratio:.2f}×")
    assert last["perPass"]["small"] == "11 tokens in 4 passes"
    assert last["accepted"] | {"how": ""} == {
        "value": "7 of 9",
        "label": "guesses accepted (of those checked)",
        "small": "78%",
        "beside": "",
        "how": "",
    }


def test_the_ratio_waits_for_the_plain_run(js: Node) -> None:
    """A live run that is over, beside which plain decoding is still being measured, shows what is not yet known as such, and no
    ratio with another rate."""
    trace = trace_of(MIXED)
    live = live_of(trace, ended={"speculative": "length"}, plain=0)
    view = {"id": "x", "status": "running", "plain_rate": 100.0, "live": live, "recording": None}
    last = _headlines(js, view)[-1]["speedup"]
    assert (last["value"], last["label"]) == ("4", "passes instead of 10")
    assert (last["small"], last["beside"]) == ("against plain: not yet known", "")
    before = js.call(
        "(view, given) => headlineOf(readRun(view, given), { index: -1 })", {"id": "x", "status": "queued"}, GIVEN
    )
    assert {before[name]["value"] for name in FIGURES} == {"–"}
    assert all(before[name]["label"].endswith(": not yet known") for name in FIGURES)


def test_the_two_rates_give_the_speedup(js: Node) -> None:
    """Tokens a second of both sides are over the same tokens, also where plain decoding went on longer and slowed down."""
    trace = trace_of(MIXED)
    plain = plain_of(trace)
    slow = [replace(plain.rounds[-1], start=10 + i, began_s=1.0 + i, ended_s=2.0 + i) for i in range(5)]
    longer = replace(plain, rounds=(*plain.rounds, *slow))
    function = """(view, given) => {
        const run = readRun(view, given), f = figuresAt(run, { index: run.rounds.length - 1, joined: true });
        return [f.rate / f.plainRate, f.speedup];
    }"""
    by_rates, ratio = js.call(function, view_of(trace, longer), GIVEN)
    assert abs(by_rates - ratio) < 1e-9


def test_a_slowdown_says_by_how_much(js: Node) -> None:
    """Below 1 the headline says by how many per cent it is slower; behind plain it says so on the way."""
    trace = trace_of(["rdd"] * 4)
    shown = _headlines(js, view_of(trace, plain_of(trace)))
    assert shown[2]["speedup"]["small"] == "1 token behind plain"
    assert shown[3]["mood"] == "slower"
    assert shown[3]["speedup"]["small"].startswith("25% slower than plain")
    assert js.call("() => [0.91, 0.5, 0.999, 1.004, 1.2].map(paceWords)") == [
        "9% slower than plain",
        "50% slower than plain",
        "as fast as plain",
        "as fast as plain",
        "",
    ]


def test_a_speedup_that_cannot_be_is_no_headline(js: Node) -> None:
    """More than the tokens per pass allow: said instead of shown, in the words that Python has; a hair more is the clock's noise."""
    trace = trace_of(MIXED)
    plain = plain_of(trace)
    most = most_possible(plain, trace)
    for factor, mood in ((1.015, "faster"), (1.031, "busy"), (3.0, "busy")):
        slowed = _slower(plain, factor * most / speedup(plain, trace))
        last = _headlines(js, view_of(trace, slowed))[-1]
        assert last["mood"] == mood
        shown = last["speedup"]
        if mood == "busy":
            ratio = f"{speedup(slowed, trace):.2f}×"
            assert (shown["value"], shown["small"], shown["beside"]) == ("–", beyond(most), ratio)
            assert most_words(most) in shown["how"]
            assert last["rate"]["small"] == "not trusted"


def test_an_even_number_of_pairs_has_no_median_pair(js: Node) -> None:
    """The lower of the two in the middle is called that."""
    trace = trace_of(MIXED)
    for speedups, words in (([2.0, 2.1, 2.2], "the median of 3 pairs"), ([2.0, 2.2], "the lower of 2 pairs")):
        last = _headlines(js, view_of(trace, plain_of(trace), speedups=speedups, timed=len(speedups)))[-1]["speedup"]
        assert last["small"] == words
        assert words in last["how"]


def test_passes_that_save_nothing_are_not_called_a_saving(js: Node) -> None:
    """As many passes as tokens are counted for them, not "instead" of them; and plain decoding alone says that it is that."""
    trace = trace_of(["rdd", "rdd"])
    plain = plain_of(trace)
    for view, small in ((view_of(trace), "no plain run"), (view_of(plain), "plain decoding: nothing is drafted")):
        last = _headlines(js, view)[-1]["speedup"]
        assert (last["value"], last["label"], last["small"]) == ("2", "passes for 2 tokens", small)


def test_a_figure_of_a_busy_machine_says_so(js: Node) -> None:
    """It is a headline, with the words beneath and the grounds on hovering; times that are not trusted give a range beside it, and no speedup."""
    trace = trace_of(MIXED)
    timing = {"trusted": True, "why": "measured on a busy machine", "between": "", "grounds": "Measured in turn."}
    shown = _headlines(js, view_of(trace, plain_of(trace), timing=timing))[-1]["speedup"]
    assert shown["value"].endswith("×")
    assert shown["small"] == timing["why"]
    assert "Measured in turn." in shown["how"]
    timing = {**timing, "trusted": False, "between": "between 0.4× and 8.7×"}
    last = _headlines(js, view_of(trace, plain_of(trace), speedups=[8.69, 0.44, 0.49], timed=3, timing=timing))[-1]
    shown = last["speedup"]
    assert (shown["value"], shown["small"], shown["beside"]) == ("–", timing["why"], timing["between"])
    assert all("Measured in turn." in last[name]["how"] for name in ("speedup", "rate"))


def test_nothing_drafted_is_no_bonus(js: Node) -> None:
    """A token of a round without a draft, and every token of plain decoding, is the target's own; a bonus follows accepted guesses."""
    trace = trace_of(["aaa", "", "rdd"])
    function = """(view, given) => {
        const run = readRun(view, given);
        const hows = (rounds) => rounds.map((round) => round.closing.how);
        return [hows(run.rounds), hows(run.plain.rounds), summaryOf(run, given.looks, 1), closingReason(run, run.rounds[1])];
    }"""
    hows, plain, spoken, reason = js.call(function, view_of(trace, plain_of(trace)), GIVEN)
    assert (hows, set(plain)) == (["bonus", "own", "corrected"], {"own"})
    assert spoken == "Round 2: nothing drafted, target's own token: ·w9."
    assert (
        reason
        == "Nothing was drafted: one pass, one token, the target's own. It is the target's most likely token there."
    )
