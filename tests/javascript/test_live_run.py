"""live_events.ts and live_run.ts: what a browser puts together of a live run is what the server has of it, whatever it was told when."""

import json
from collections.abc import Iterator
from random import Random

import pytest

from app.server.job import Job
from app.server.updates import LiveState, update
from specviz.request import PairAsked, Request
from specviz.trace.records import Trace
from specviz.wire import Ended, Lane, Rounds, RunPrompt, Started
from tests.helpers.node import Node
from tests.helpers.views import MIXED, plain_of, trace_of

pytestmark = pytest.mark.slow

_VIEWS = """(messages) => {
  const joined = { speculative: new Joined(), plain: new Joined() };
  let known = nothingKnown();
  return messages.map((message) => viewOf({}, (known = informed(known, message)), joined));
}"""


def _events(run: str, trace: Trace, chance: Random) -> Iterator[Started | Rounds | Ended]:
    """A run and its plain one, the rounds in batches of any size."""
    prompt = {token: trace.tokens[token] for token in trace.prompt_ids}
    yield Started(run, trace.card, trace.prompt_ids, prompt, trace.prefill, trace.settings, None)
    for lane, one in zip(Lane, (trace, plain_of(trace)), strict=True):
        begin = 0
        while begin < len(one.rounds):
            batch = one.rounds[begin : begin + chance.randint(1, 3)]
            begin += len(batch)
            tokens = {token: trace.tokens[token] for round_ in batch for token in round_.tokens}
            yield Rounds.of(run, lane, batch, tokens)
        yield Ended(run, lane, one.stop)


def test_whatever_was_told_when_the_view_is_the_same(js: Node) -> None:
    """However the rounds are cut into batches, whichever moments a message skips, if one comes twice, or begins everything anew, also after
    another run: after each message the view is that of the server, with every round once and in full."""
    runs = {"short": trace_of(["rdd"]), "run": trace_of(MIXED * 2, temperature=0.8)}
    for seed in range(60):
        chance = Random(seed)  # noqa: S311
        known, messages, expected = "", list[str](), list[str]()
        for run, trace in runs.items():
            job = Job(RunPrompt(run, Request(PairAsked(), trace.prompt, trace.settings)))
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
                messages += [told.text] * times
                expected += [json.dumps({"ended": job.ended_json(), "live": job.live_json()})] * times
        assert js.call(_VIEWS, [json.loads(one) for one in messages]) == [json.loads(one) for one in expected]
        assert len(json.loads(expected[-1])["live"]["rounds"]) == len(trace.rounds)


def test_another_run_of_the_page_is_not_taken_for_this_one(js: Node) -> None:
    """Where a page's last run comes from, the next one comes later: who follows the first does not show the second."""
    shown = js.call(
        """() => {
          globalThis.requestAnimationFrame = (draw) => draw();
          const shown = [], events = { known: { slots: { run: { id: "first" } }, logs: {}, over: false } };
          new LiveRun({ id: "first" }, { show: (view) => shown.push(view.id), over: () => shown.push("over") }, events);
          events.tell({ slots: { run: { id: "second" } }, logs: {}, over: true });
          events.tell({ slots: { run: { id: "first" } }, logs: {}, over: true });
          return shown;
        }"""
    )
    assert shown == ["first", "first", "over"]
