"""live_events.ts and live_run.ts against the server: what a browser puts together of a live run is what the server has of it."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from app.server.job import Job
from app.server.updates import LiveState, update
from specviz.request import PairRequest, Request
from specviz.trace.records import Trace
from specviz.wire import Lane, LaneEnd, Rounds, RunPrompt, RunStart
from tests.helpers.node import evaluated
from tests.helpers.views import MIXED, plain_of, trace_of

pytestmark = pytest.mark.slow

_VIEWS = """(followers) => followers.map((messages) => {
  const joined = { speculative: new RoundLog(), plain: new RoundLog() };
  let state = emptyState();
  return messages.map((message) => viewOf({}, (state = updated(state, message)), joined));
})"""


def _events(run: str, trace: Trace, chance: Random) -> Iterator[RunStart | Rounds | LaneEnd]:
    """A run and its plain one, the rounds in batches of any size."""
    prompt = {token: trace.tokens[token] for token in trace.prompt_ids}
    yield RunStart(run, trace.card, trace.prompt_ids, prompt, trace.prefill, trace.settings, None)
    for lane, one in zip(Lane, (trace, plain_of(trace)), strict=True):
        begin = 0
        while begin < len(one.rounds):
            batch = one.rounds[begin : begin + chance.randint(1, 3)]
            begin += len(batch)
            tokens = {token: trace.tokens[token] for round_ in batch for token in round_.tokens}
            yield Rounds.of(run, lane, batch, tokens)
        yield LaneEnd(run, lane, one.stop)


def test_the_view_of_a_browser_is_that_of_the_server() -> None:
    """However the rounds are cut into batches, whichever moments a message skips, if one comes twice, or begins everything anew, also after
    another run: after each message the view is that of the server, with every round once and in full."""
    runs = {"short": trace_of(["rdd"]), "run": trace_of(MIXED * 2, temperature=0.8)}
    messages, views = list[list[Any]](), list[list[Any]]()
    for seed in range(20):
        chance = Random(seed)  # noqa: S311
        known, heard, expected = "", list[Any](), list[Any]()
        for run, trace in runs.items():
            job = Job(RunPrompt(run, Request(PairRequest(), trace.prompt, trace.settings)))
            for event in _events(run, trace, chance):
                job.apply(event)
                if len(job.ended) < 2 and chance.random() < 0.4:
                    continue
                if chance.random() < 0.2:
                    known = "forgotten"
                slots = {"state": json.dumps({"ended": job.ended_json()}), "started": json.dumps(job.started)}
                told = update(LiveState(slots, {lane.value: log for lane, log in job.log.items()}, run), known)
                assert told is not None
                known = told.cursor
                times = chance.randint(1, 2)
                heard += [json.loads(told.text)] * times
                expected += [json.loads(json.dumps({"ended": job.ended_json(), "live": job.live_json()}))] * times
        assert len(expected[-1]["live"]["rounds"]) == len(trace.rounds)
        messages.append(heard)
        views.append(expected)
    assert evaluated(("shared/live_events", "shared/live_run"), _VIEWS, messages) == views
