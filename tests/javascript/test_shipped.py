"""Python and JavaScript read a recording alike: on every recording that comes with the project each figure is computed twice."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specviz.trace.files import dump, read_file
from specviz.trace.metrics import (
    divergence,
    middle_words,
    most_possible,
    speedup,
    speedup_with_prompt,
    summarise,
)
from specviz.trace.records import Stop, Trace
from tests.helpers.node import Node
from tests.helpers.views import view_of
from tests.javascript.views import GIVEN

TRACES = sorted((Path(__file__).parents[2] / "assets" / "traces").glob("*.json"))

_WATCH = """(view, given) => {
    const run = readRun(view, given), plan = schedule(run, "real");
    const f = figuresAt(run, positionAt(run, plan, plan.end));
    const divergence = divergenceOf(run);
    return { ...f, ids: run.ids, plainIds: run.plain.ids, ends: run.ends, divergence,
        gap: divergence !== null && divergence > -1 ? gapOf(run.plain.rounds[divergence].closing.residual_top) : null,
        after: run.rounds.map((_, index) => figuresAt(run, { index, joined: true }).speedup),
        aheadAfter: run.rounds.map((_, index) => figuresAt(run, { index, joined: true }).ahead),
        counts: run.rounds.map((round) => [round.drafted.length, judgedOf(round), round.accepted.length]) };
}"""
_RACE = """(view) => {
    const course = readCourse(view);
    return course.lanes.map((lane) => ({ ...laneAt(course, lane, course.known), ids: lane.ids }));
}"""


def _lane(kind: str, trace: dict[str, Any]) -> dict[str, Any]:
    source = {name: trace[name] for name in ("prompt_ids", "tokens", "rounds", "prefill")}
    words = {"name": kind, "words": "", "say": "", "how": "", "busy": "", "badge": None, "prompt": ""}
    return {**words, "kind": kind, "state": "done", "asked": 1, "source": source}


def _pair(path: Path) -> tuple[Trace, Trace]:
    speculative, plain = read_file(path)
    return speculative, plain


def _after(plain: Trace, speculative: Trace) -> list[Any]:
    """The speedup after each round."""
    rounds = speculative.rounds
    runs = [replace(speculative, rounds=rounds[:count]) for count in range(1, len(rounds) + 1)]
    return [pytest.approx(speedup(plain, run), rel=1e-12) for run in runs]


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_watch_has_the_figures_of_the_metrics(js: Node, path: Path) -> None:
    """Tokens, counts of every round, α, tokens a pass, rate and speedup at the end are what `specviz.trace.metrics` says."""
    speculative, plain = _pair(path)
    summary = summarise(speculative)
    shown = js.call(_WATCH, view_of(speculative, plain), GIVEN)
    assert tuple(shown["ids"]) == summary.token_ids
    assert tuple(shown["plainIds"]) == plain.token_ids
    assert shown["ends"] == [round_.ended_s for round_ in speculative.rounds]
    assert shown["counts"] == [[len(r.drafted), r.judged, len(r.accepted)] for r in speculative.rounds]
    assert (shown["tokens"], shown["passes"]) == (len(summary.token_ids), summary.rounds)
    assert (shown["judged"], shown["accepted"]) == (summary.judged, summary.accepted)
    alpha = shown["accepted"] / shown["judged"] if shown["judged"] else None
    assert alpha == summary.acceptance_rate
    assert shown["perPass"] == pytest.approx(summary.tokens_per_round, rel=1e-12)
    assert shown["rate"] == pytest.approx(summary.tokens_per_second, rel=1e-12)
    assert shown["plainRate"] == pytest.approx(summarise(plain).tokens_per_second, rel=1e-12)
    assert (shown["plainIs"], shown["seconds"]) == ("measured", summary.seconds)
    assert shown["speedup"] == pytest.approx(speedup(plain, speculative), rel=1e-12)
    assert shown["after"] == _after(plain, speculative)
    assert shown["aheadAfter"] == [_ahead_after(plain, speculative, n + 1) for n in range(summary.rounds)]
    assert shown["most"] == pytest.approx(most_possible(plain, speculative), rel=1e-12)
    assert shown["withPrompt"] == pytest.approx(speedup_with_prompt(plain, speculative), rel=1e-12)
    assert shown["withPrompt"] != shown["speedup"], "the shipped recordings have the time to read the prompt"


def _ahead_after(plain: Trace, speculative: Trace, rounds: int) -> int:
    """How many more tokens than plain decoding the run had when so many rounds had ended."""
    ended_s = speculative.rounds[rounds - 1].ended_s
    own = sum(len(round_.tokens) for round_ in speculative.rounds[:rounds])
    return own - sum(len(round_.tokens) for round_ in plain.rounds if round_.ended_s <= ended_s + 1e-9)


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_watch_finds_the_divergence_of_the_metrics(js: Node, path: Path) -> None:
    """Where the texts must agree, the first index at which they differ, and the gap of the two highest logits, are Python's; so
    they are for a text that is changed in the middle."""
    speculative, plain = _pair(path)
    must_agree = speculative.settings.certain and not speculative.settings.lossy
    for shift in (0, 1):
        recording = dump((speculative, plain))
        middle = len(plain.rounds) // 2
        if shift:
            closing = recording["traces"][1]["rounds"][middle]["closing"]
            closing["token"] = next(i for i in map(int, recording["traces"][1]["tokens"]) if i != closing["token"])
        shown = js.call(_WATCH, {"id": "x", "status": "done", "recording": recording}, GIVEN)
        if not must_agree:
            assert shown["divergence"] is None
            continue
        found = divergence(plain, speculative)
        assert found is None, "the shipped recordings agree"
        assert shown["divergence"] == (middle if shift else -1)
        if shift:
            logits = sorted(plain.rounds[middle].closing.residual_top.logits, reverse=True)  # type: ignore[union-attr]
            assert shown["gap"] == pytest.approx(logits[0] - logits[1], rel=1e-12)


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_race_has_the_figures_of_the_metrics(js: Node, path: Path) -> None:
    """At the end of the clock each lane's tokens, passes, rate and speedup are what `specviz.trace.metrics` says."""
    speculative, plain = _pair(path)
    recorded = dump((speculative, plain))["traces"]
    lanes = [_lane("plain", recorded[1]), _lane("speculative", recorded[0])]
    view = {"id": "x", "race": True, "live": False, "note": "", "hint": "", "plain_rate": None, "lanes": lanes}
    for shown, trace in zip(js.call(_RACE, view), (plain, speculative), strict=True):
        summary = summarise(trace)
        assert shown["finished"]
        assert tuple(shown["ids"]) == summary.token_ids
        assert (shown["tokens"], shown["passes"]) == (len(summary.token_ids), summary.rounds)
        assert shown["rate"] == pytest.approx(summary.tokens_per_second, rel=1e-12)
    raced = js.call(_RACE, view)[1]
    assert raced["speedup"] == pytest.approx(speedup(plain, speculative), rel=1e-12)
    assert raced["withPrompt"] == pytest.approx(speedup_with_prompt(plain, speculative), rel=1e-12)


@pytest.mark.parametrize("path", TRACES[:3], ids=lambda path: path.stem)
def test_a_plain_run_that_is_shorter_is_compared_as_far_as_it_goes(js: Node, path: Path) -> None:
    """Watch and Race take the times for as many tokens as both have, as the metrics do; one that was stopped is no measure."""
    speculative, plain = _pair(path)
    half = len(plain.rounds) // 2
    for stop, known in ((Stop.END_OF_TEXT, True), (Stop.CANCELLED, False)):
        short = replace(plain, rounds=plain.rounds[:half], stop=stop)
        shown = js.call(_WATCH, view_of(speculative, short), GIVEN)
        assert shown["divergence"] is None, "one text ends inside the other"
        recorded = dump((speculative, short))["traces"]
        lanes = [_lane("plain", recorded[1]), _lane("speculative", recorded[0])]
        lanes[0]["state"] = "done" if known else "stopped"
        view = {"id": "x", "race": True, "live": False, "note": "", "hint": "", "plain_rate": None, "lanes": lanes}
        raced = js.call(_RACE, view)[1]
        if known:
            expected = pytest.approx(speedup(short, speculative), rel=1e-12)
            assert (shown["plainIs"], shown["speedup"], raced["speedup"]) == ("measured", expected, expected)
        else:
            assert (shown["plainIs"], shown["speedup"], raced["speedup"]) == ("none", None, None)


def test_the_middle_pair_has_one_name(js: Node) -> None:
    """Which of several timed pairs is shown is said alike: the lower of the two in the middle is nowhere called the median."""
    counts = list(range(1, 9))
    said = [middle_words(count) for count in counts]
    assert js.call("(counts) => counts.map(middleWords)", counts) == said
    assert ["median" in words for words in said] == [count % 2 == 1 for count in counts]
