"""The visit's list and what the lanes are given, from real runs of the embedded pair; no browser, no Streamlit."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from app.server.job import Job, Status
from app.stage import chart, lanes, recordings, tables, visit
from app.stage.visit import Visit
from specviz.models import Pair
from specviz.reporting.player.provenance import badge as badge_of
from specviz.reporting.player.provenance import busy, spread
from specviz.reporting.run_figures import Same, figures_of
from specviz.request import PairRequest, Request
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.trace.files import dumps, load
from specviz.trace.metrics import speedup, summarise
from specviz.trace.records import Stop, Trace
from specviz.wire import RunPrompt
from tests.app.conftest import PROMPT
from tests.helpers.views import MIXED, english, plain_of, trace_of

SETTINGS = Settings(k=4, max_new_tokens=20)

_BUSY = Conditions(False, 3, 0, compared=True, low=0.44, high=8.69, waited=0.5, others=1.3, cores=2, threads=1, usual_threads=1)  # fmt: skip
_ALONE = replace(_BUSY, trusted=True, compared=False, low=19.0, high=23.0, waited=0.0, others=0.0)
Both = tuple[Trace, Trace]


@pytest.fixture(scope="module")
def both(embedded: Pair) -> Both:
    """A speculative run and its plain one, with the times of an idle machine: one second a pass of the target, a quarter for a draft."""
    speculative, plain = (Run(embedded, PROMPT, SETTINGS, plain=one).finish() for one in (False, True))
    return _timed(speculative, draft_s=0.25), _timed(plain, draft_s=0.0)


def _timed(trace: Trace, *, draft_s: float) -> Trace:
    length = draft_s + 1.0
    rounds = [
        replace(r, began_s=i * length, draft_s=draft_s, verify_s=1.0, ended_s=(i + 1) * length)
        for i, r in enumerate(trace.rounds)
    ]
    return replace(trace, rounds=tuple(rounds))


def _job(
    name: str,
    traces: tuple[Trace, ...] | list[Trace],
    pair: str = "embedded",
    settings: Settings = SETTINGS,
    prompt: str = PROMPT,
) -> Job:
    command = RunPrompt(name, Request(PairRequest(pair), prompt, settings))
    return Job(command, status=Status.DONE, recording=dumps(traces) if traces else None, timed=1)


def _visited(*jobs: Job, rival: Job | None = None) -> Visit:
    visited = Visit()
    for job in jobs:
        visited.add(job, rival)
    visited.settle()
    return visited


def _done(job: Job) -> dict[str, Any]:
    return {"id": job.id, "status": "done", "recording": json.loads(str(job.recording)), "live": None}


def _cut(trace: Trace, rounds: int) -> Trace:
    return replace(trace, rounds=trace.rounds[:rounds], stop=Stop.CANCELLED)


def test_the_figures_are_those_of_the_metrics(both: Both) -> None:
    """What is listed of a run is what the library says of its recording. No markup of a prompt reaches the chart, whose texts may have tags."""
    speculative, plain = both
    [run] = _visited(_job("a", both, prompt='<a href="x">& %{y}')).measured()
    assert run.figures is not None
    assert run.figures.speedup == speedup(plain, speculative)
    assert run.figures.rate == summarise(speculative).tokens_per_second
    assert run.figures.plain_rate == summarise(plain).tokens_per_second
    assert run.figures.acceptance_rate == summarise(speculative).acceptance_rate
    assert (run.figures.tokens, run.figures.passes) == (20, len(speculative.rounds))
    assert run.figures.text.same is Same.SAME
    assert run.traces() == both
    row = {name: column[0] for name, column in tables.races([run]).items()}
    assert row["Passes saved"] == f"{20 - len(speculative.rounds)} of 20"
    assert row["Speedup"] == run.figures.speedup
    figure = chart.speedups([run])
    shown = [*figure["layout"]["xaxis"]["ticktext"], *figure["data"][0]["text"]]
    assert not [text for text in shown if "<a" in text or "%{" in text or "& " in text]


def test_a_busy_machine_gets_no_speedup_in_the_lane_the_table_and_the_chart(both: Both) -> None:
    """Where the timings cannot be trusted the lane has the sentence, the table no speedup, the chart a hollow mark; a third lane that
    is compared with such a plain lane is not trusted either, though its own time is. The stage of Watch gets, and saves, the recording with its timings."""
    first, rival = _job("a", both), _job("b", [both[0]], "embedded-tiny")
    first.conditions, first.speedups, rival.conditions = _BUSY, (8.69, 0.44, 0.49), _ALONE
    first.timed = 3
    visited = _visited(first, rival=rival)
    busy_words = "this machine is busy: between 0.4× and 8.7×"
    assert (figures := visited.of(first)) is not None
    assert not figures.trusted
    assert busy(figures) == busy_words
    assert "waited for a processor core 50%" in spread(figures)
    assert (beside := visited.of(rival)) is not None
    assert not beside.trusted
    assert tables.races(visited.measured())["Speedup"] == [None, None]
    marks = chart.speedups(visited.measured())["data"]
    assert [mark["marker"]["symbol"] for mark in marks] == [["circle-open"], ["diamond-open"]]
    assert "This machine is busy: between" in marks[0]["text"][0]
    raced = lanes.race(lanes.Entrant(_done(first), first.request, visited.of(first)))
    assert [english(lane["busy"]) for lane in raced["lanes"]] == ["this machine is busy", busy_words]
    assert [english(lane["busy"]) for lane in lanes.side_by_side(visited.measured())["lanes"]] == [
        "this machine is busy",
        "",
    ], "no plain lane, so no speedup either, and the second run's own time is good"
    view = recordings.of_run(visited.measured()[0])
    assert load(json.loads(recordings.as_json(view))) == both
    assert (view["speedups"], view["timed"], view["timing"]["trusted"]) == ([8.69, 0.44, 0.49], 3, False)


def test_every_ratio_of_a_run_is_that_of_its_own_times(both: Both) -> None:
    """Whatever disturbed which of the runs: no lane, card, table or chart shows of a run a ratio that its own times do not give; one
    that another run's times give stands after the words that name that run."""
    speculative, plain = both
    slower = replace(
        speculative, rounds=tuple(replace(r, began_s=3 * r.began_s, ended_s=3 * r.ended_s) for r in speculative.rounds)
    )
    impossible = replace(
        plain, rounds=tuple(replace(r, began_s=9 * r.began_s, ended_s=9 * r.ended_s) for r in plain.rounds)
    )
    at_once = replace(_BUSY, low=1.6, high=1.6)
    not_possible = replace(_BUSY, waited=0.0, most=4.0)
    checked = 0
    for plain_run, known, others, own in (
        (plain, None, (), None),
        (plain, replace(_BUSY, trusted=True), (1.5, 1.6), _ALONE),
        (plain, _BUSY, (8.69, 0.44, 0.49), _ALONE),
        (plain, at_once, (1.6,), replace(_ALONE, trusted=False, waited=0.3)),
        (impossible, not_possible, (8.0,), _ALONE),
        (impossible, None, (), None),
    ):
        first, rival = _job("a", (speculative, plain_run)), _job("b", [slower], "embedded-tiny")
        first.conditions, first.speedups, rival.conditions = known, others, own
        visited = _visited(first, rival=rival)
        [_, figures] = [run.figures for run in visited.measured()]
        assert figures is not None
        right = speedup(plain_run, slower)
        assert figures.speedup == right
        lane = lanes.race(*(lanes.Entrant(_done(job), job.request, visited.of(job)) for job in (first, rival)))[
            "lanes"
        ][2]
        card, _, _ = english(lane["how"]).partition("Of that run:")
        marks = chart.speedups(visited.measured())["data"][1]
        said = [english(lane["busy"]), card, *marks["text"]]
        ratios = [float(found) for text in said for found in re.findall(r"(\d+\.\d+)×", text)]
        of_this_run = [right, figures.most or right]  # the second: more than its tokens per pass is not possible
        assert all(min(abs(ratio - one) for one in of_this_run) < 0.006 for ratio in ratios), (said, right)
        assert "this run waited for a processor core 50%" not in card.lower()
        assert "4.00" not in " ".join(said), "the first run's tokens per pass"
        assert marks["y"] == [right]
        assert [marks["error_y"]["array"], marks["error_y"]["arrayminus"]] == [[0.0], [0.0]]
        assert tables.races(visited.measured())["Speedup"][1] == (right if figures.trusted else None)
        assert known is not None or plain_run is plain or busy(figures).startswith("not possible with")
        assert figures.trusted == (known is None or known.trusted) if plain_run is plain else not figures.trusted
        checked += len(ratios)
    assert checked


def test_two_runs_are_compared_in_a_sentence(both: Both) -> None:
    """Tokens per pass of each, and which was faster; nothing of that where the prompts differ or the times are not trusted."""
    slower, unsure = (_timed(both[0], draft_s=1.0), both[1]), _job("d", both)
    unsure.conditions = _BUSY
    jobs = (_job("a", both), _job("b", slower), _job("c", both, prompt="Another one"), unsure)
    one, two, other, busy_one = _visited(*jobs).measured()
    rates = [run.figures.rate for run in (one, two) if run.figures is not None]
    passes = len(both[0].rounds)
    counts = (
        f"Run 1 wrote 20 tokens in {passes} passes, {20 / passes:.2f} a pass; run 2 wrote 20 tokens in {passes} passes"
    )
    assert tables.compared(one, two).startswith(counts)
    assert f"{rates[0] / rates[1]:.2f}× as fast" in tables.compared(two, one)
    assert "different prompts" in tables.compared(one, other)
    assert "of run 4, this machine is busy" in tables.compared(one, busy_one)
    assert tables.races([one])["Drafter"] == ["draft model, embedded"]


def test_the_badge_claims_what_was_compared(both: Both) -> None:
    """It has the first divergence and the gap between the plain run's two best logits there. Where one of the two was stopped they are compared as far as both
    go, and without a plain end there is no speedup. Above temperature 0 texts are compared where the noise was shared, and it says how."""
    speculative, plain = both
    closing = plain.rounds[3].closing
    assert closing is not None
    other = next(t for t in closing.residual_top.tokens if t != closing.token)
    changed = replace(plain.rounds[3], closing=replace(closing, token=other))
    different = replace(plain, rounds=(*plain.rounds[:3], changed, *plain.rounds[4:]))
    figures = figures_of(speculative, different)
    logits = closing.residual_top.logits
    assert (figures.text.same, figures.text.index) == (Same.DIFFERS, 3)
    assert figures.text.gap == pytest.approx(logits[0] - logits[1])
    badge = badge_of(figures, SETTINGS) or {}
    assert english(badge["text"]).startswith("differs from plain at token 4, gap ")
    assert plain.tokens[other].data.decode() in english(badge["how"])
    figures = figures_of(speculative, _cut(plain, 5))
    assert (figures.text.same, figures.text.compared, figures.speedup) == (Same.CUT, 5, None)
    alone = figures_of(_cut(speculative, 2), None)
    assert (alone.text.same, alone.stopped, alone.speedup) == (Same.UNKNOWN, True, None)
    assert badge_of(alone, SETTINGS) is None
    noisy = trace_of(MIXED, temperature=0.9, shared_noise=True)
    figures = figures_of(noisy, plain_of(noisy))
    assert (figures.text.same, figures.text.compared) == (Same.SAME, 10)
    badge = badge_of(figures, noisy.settings) or {}
    assert (badge["text"], english(badge["how"])[:33]) == ("same text as plain", "Temperature 0.9 with shared noise")


@pytest.mark.slow
def test_the_list_is_bounded(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most so many runs and bytes are kept, and the oldest go first; numbers are never given again. A run that comes back to the stage is listed once,
    one of which nothing is left not at all."""
    again, failed = _job("again", both), _job("failed", [])
    failed.status = Status.FAILED
    assert [run.id for run in _visited(again, failed, again).measured()] == ["again"]
    visited = Visit()
    for number in range(visit.MAX_RUNS + 2):
        visited.add(_job(str(number), both))
        visited.settle()
    assert [run.number for run in visited.measured()] == list(range(3, visit.MAX_RUNS + 3))
    each = len(visited.measured()[0].packed)
    monkeypatch.setattr(visit, "MAX_BYTES", int(4.5 * each))
    visited.settle()
    assert [run.number for run in visited.measured()] == list(range(visit.MAX_RUNS - 1, visit.MAX_RUNS + 3))


def test_a_lossy_run_is_labelled_everywhere_it_is_listed(both: Both) -> None:
    """Whatever it wrote, no lossy run is said to agree: badge, lane, table and chart say LOSSY, while it goes on too."""
    lossy = replace(both[0].settings, temperature=0.8, rule="lenient", lenience=0.3)
    visited = _visited(_job("a", [replace(trace, settings=lossy) for trace in both], settings=lossy))
    [run] = visited.measured()
    assert run.figures is not None
    assert run.figures.text.same is Same.LOSSY
    for figures in (run.figures, None):
        badge = badge_of(figures, lossy) or {}
        assert (badge["kind"], english(badge["text"])) == ("lossy", "LOSSY: lenient rule, lenience 0.3")
    row = {name: column[0] for name, column in tables.races([run]).items()}
    assert row["Same text?"] == "LOSSY"
    assert row["Drafter"] == "draft model, embedded · LOSSY: lenient rule, lenience 0.3"
    assert "LOSSY" in chart.speedups([run])["data"][0]["name"]
    assert "LOSSY" in english(lanes.side_by_side([run])["lanes"][0]["words"])


def test_no_two_lanes_of_a_race_have_one_name() -> None:
    """Two different drafters have their own names; where both lanes draft alike, their models name them."""
    waiting = {"id": "x", "status": "queued", "recording": None, "live": None, "queue_position": 0, "what": ""}

    def named(drafter: str, pair: str, rival: str, rival_pair: str) -> list[list[str]]:
        asked = [
            Request(PairRequest(models), "p", Settings(k=4, drafter=how))
            for how, models in ((drafter, pair), (rival, rival_pair))
        ]
        one, other = (lanes.Entrant(waiting, request, None) for request in asked)
        return [[lane["name"], english(lane["words"])] for lane in lanes.race(one, other)["lanes"][1:]]

    assert named("model", "embedded", "early-exit", "embedded") == [
        ["Draft model", "embedded · k = 4"],
        ["Early exit", "embedded · k = 4"],
    ]
    assert named("model", "embedded", "model", "embedded-tiny") == [
        ["embedded", "draft model · k = 4"],
        ["embedded-tiny", "draft model · k = 4"],
    ]
    assert [name for name, _ in named("tree", "embedded", "tree", "embedded-tiny")] == ["embedded", "embedded-tiny"]


def test_a_visit_remembers_its_own_texts_of_the_same_target(both: Both) -> None:
    """Later runs may copy from own runs that are over, equal texts once; not of another target, not from a link, and no longer once forgotten."""
    ids, shorter = (*both[0].prompt_ids, *both[0].token_ids), _cut(both[0], 2)
    visited = _visited(_job("followed", [shorter]))
    assert visited.remembered(PairRequest("embedded")) == ()
    visited.add(_job("a", both), _job("b", both, pair="embedded-tiny"), own=True)
    visited.settle()
    visited.add(_job("c", [shorter]), own=True)
    assert visited.remembered(PairRequest("embedded-large")) == (ids,)
    visited.settle()
    assert visited.remembered(PairRequest("embedded")) == (ids, (*shorter.prompt_ids, *shorter.token_ids))
    for other in (PairRequest("smollm2-135m"), PairRequest(target="folder"), PairRequest(target="")):
        assert visited.remembered(other) == ()
    live = _job("d", [shorter])
    live.status = Status.RUNNING
    visited.add(live, own=True)
    visited.forget()
    live.status = Status.DONE
    visited.settle()
    assert (visited.remembered(PairRequest("embedded")), len(visited.runs)) == ((), 5)
