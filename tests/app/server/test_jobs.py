"""The queue, with an engine that says what a test lets it say."""

import json
from dataclasses import replace

import pytest

from app.server.job import Job, Status
from app.server.jobs import AWAY_S, BEAT_S, Jobs
from app.server.limits import TimeLimits
from specviz.known_pairs import PairStatus
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.files import dumps, to_json
from specviz.wire import (
    Cancel,
    JobFailure,
    Lane,
    LaneEnd,
    Progress,
    Ready,
    Rounds,
    RunStart,
)
from tests.app.conftest import PROMPT
from tests.app.server.conftest import Start
from tests.helpers.engines import FakeEngine
from tests.helpers.views import MIXED, plain_of, trace_of

PAIR = PairRequest("embedded", device="cpu", dtype="float32")
TRACE = trace_of(MIXED)
_LISTED = PairStatus("embedded", "target", "draft", 12, here=True, fits=True, note="")
_BEATS = round(AWAY_S / BEAT_S) + 1
"""After so many, nobody has watched for too long."""


def _asked(pair: PairRequest = PAIR) -> Request:
    return Request(pair, PROMPT, Settings(k=4, max_new_tokens=24))


@pytest.fixture
def queue(start: Start) -> tuple[Jobs, list[FakeEngine]]:
    """A queue whose one engine is ready, and the engines that it has made."""
    return start(1, "here", limits=TimeLimits(usual_s=60.0, silence_s=30.0, stop_s=5.0))


def _started(engine: FakeEngine, job: Job) -> None:
    engine.loads(job)
    engine.says(RunStart(job.id, TRACE.card, TRACE.prompt_ids, TRACE.tokens, TRACE.prefill, TRACE.settings, None))


def _rounds(engine: FakeEngine, job: Job, count: int, lane: Lane = Lane.SPECULATIVE) -> None:
    trace = TRACE if lane is Lane.SPECULATIVE else plain_of(TRACE)
    begin = sum(len(json.loads(batch)["rounds"]) for batch in job.log[lane])
    engine.says(Rounds.of(job.id, lane, trace.rounds[begin : begin + count], {}))


def test_the_view_has_both_lanes_while_it_runs_and_encodes_each_round_once(
    queue: tuple[Jobs, list[FakeEngine]],
) -> None:
    """Asked for again and again, a view has the rounds that came since, and the same values for those before; it knows which lane is over. Who
    follows the run gets the same, each round once."""
    jobs, (engine,) = queue
    job = jobs.run(_asked())
    _started(engine, job)
    assert jobs.view(job)["live"] is None
    _rounds(engine, job, 1)
    first = jobs.view(job)["live"]
    _rounds(engine, job, 2)
    second = jobs.view(job)["live"]
    assert (len(first["rounds"]), len(second["rounds"])) == (1, 3)
    assert second["rounds"][0] is first["rounds"][0]
    assert second["rounds"] == to_json(TRACE.rounds[:3])
    engine.says(LaneEnd(job.id, Lane.SPECULATIVE, TRACE.stop))
    _rounds(engine, job, 2, Lane.PLAIN)
    live = jobs.view(job)["live"]
    assert [round_["closing"]["token"] for round_ in live["plain_rounds"]] == list(TRACE.token_ids[:2])
    assert live["ended"] == {"speculative": TRACE.stop.value}
    assert {str(token) for token in TRACE.token_ids} <= live["tokens"].keys()
    assert live["card"]["drafter"]["name"] == "model"
    now = jobs.live_state(job)
    for lane, name in ((Lane.SPECULATIVE, "rounds"), (Lane.PLAIN, "plain_rounds")):
        assert [round_ for batch in now.logs[lane] for round_ in json.loads(batch)["rounds"]] == live[name]
    assert json.loads(now.slots["started"]).items() <= live.items()
    state = json.loads(now.slots["state"])
    assert (state["ended"], "rounds" in state, now.over) == (live["ended"], False, False)
    engine.does(job, recording=dumps((TRACE, plain_of(TRACE))))
    assert (jobs.view(job)["live"], any(job.log.values())) == (None, False), "the recording has them"


def test_a_run_that_waits_for_its_own_models_is_in_no_line(start: Start) -> None:
    """Who presses Run while the own pair is loaded sees what the load is doing; the load of another pair, or a run, is a place in the line, which a run
    that is stopped leaves at once."""
    jobs, (engine,) = start(1)
    load, run, other = jobs.load(PAIR), jobs.run(_asked()), jobs.run(_asked(replace(PAIR, name="embedded-tiny")))

    def shown(job: Job) -> tuple[str, str, int]:
        view = jobs.view(job)
        return view["status"], view["what"], view["queue_position"]

    assert shown(run) == ("loading", "starting the engine", 0)
    assert shown(other) == ("queued", "", 2)
    assert jobs.listings() is None
    engine.says(Ready("here", (_LISTED,)))
    assert jobs.listings() == (_LISTED,)
    engine.says(Progress(load.id, "loading target", 0.5))
    assert shown(run) == ("loading", "loading target", 0)
    assert jobs.queue_position(other) == 2
    jobs.cancel(run)
    assert (run.status, jobs.queue_position(other)) == (Status.CANCELLED, 1)


def test_a_page_that_comes_back_keeps_its_run(queue: tuple[Jobs, list[FakeEngine]]) -> None:
    """Nobody watches for a moment while a page is loaded again; a second page of the visitor keeps the run of the first one. A run that nobody
    has watched for longer is ended, and so is one that still waits."""
    jobs, (engine,) = queue
    open_pages = {"first": True, "second": False}
    job = jobs.run(_asked(), watched=lambda: open_pages["first"])
    waiting = jobs.run(_asked(), watched=lambda: False, visitor="b")
    _started(engine, job)
    open_pages["first"] = False
    for _ in range(_BEATS - 2):
        jobs.beat()
    assert (job.cancelled_at, waiting.cancelled_at) == (None, None)
    open_pages["second"] = True
    jobs.watch(job, lambda: open_pages["second"])
    for _ in range(_BEATS):
        jobs.beat()
    assert job.cancelled_at is None
    assert waiting.status is Status.CANCELLED
    open_pages["second"] = False
    for _ in range(_BEATS):
        jobs.beat()
    assert engine.sent[-1] == Cancel(job.id)
    engine.does(job, cancelled=True)
    assert job.status is Status.CANCELLED


def test_a_silent_engine_is_replaced(queue: tuple[Jobs, list[FakeEngine]]) -> None:
    """An engine that reports nothing any more does not keep everybody waiting."""
    jobs, made = queue
    job = jobs.run(_asked())
    assert job.reported_at is not None
    job.reported_at -= 29
    jobs.beat()
    assert not job.over
    job.reported_at -= 2
    jobs.beat()
    assert job.status is Status.FAILED
    assert "reported nothing for 0.5 minutes and was started again" in job.message
    assert (len(made), made[0].closed) == (2, True)


def test_a_run_has_a_time_limit(queue: tuple[Jobs, list[FakeEngine]]) -> None:
    """A run beyond it is stopped with what was written, and a sentence with the limit; loading does not count as running."""
    jobs, (engine,) = queue
    job = jobs.run(_asked())
    assert job.sent_at is not None
    job.sent_at -= 100
    _started(engine, job)
    jobs.beat()
    assert not job.message
    assert job.loaded_at is not None
    job.loaded_at -= 61
    jobs.beat()
    jobs.beat()
    assert engine.sent == [job.command, Cancel(job.id)], "once"
    engine.does(job, cancelled=True)
    assert job.status is Status.CANCELLED
    assert "Stopped after 1 minutes, the limit of a run: request fewer new tokens" in job.message


def test_a_preparation_is_stopped_by_its_engine_or_with_it(queue: tuple[Jobs, list[FakeEngine]]) -> None:
    """The pair is loaded, so that Stop waits for the engine's own answer: nobody else loses the pair. One that does not answer is replaced soon,
    and the queue goes on."""
    jobs, made = queue
    job = jobs.run(_asked())
    made[0].loads(job)
    made[0].says(Progress(job.id, "checking the tree", None))
    jobs.cancel(job)
    assert not job.fresh, "the same request after Stop is a run again"
    assert made[0].sent[-1] == Cancel(job.id)
    made[0].does(job, cancelled=True)
    assert job.status is Status.CANCELLED
    assert jobs.loaded(PAIR) is not None
    hangs = jobs.run(_asked())
    made[0].says(Progress(hangs.id, "checking the tree", None))
    jobs.cancel(hangs)
    jobs.beat()
    assert not hangs.over
    assert hangs.cancelled_at is not None
    hangs.cancelled_at -= 6
    jobs.beat()
    assert hangs.status is Status.CANCELLED
    assert "being prepared" in hangs.message
    assert (len(made), made[0].closed) == (2, True)
    after = jobs.run(_asked())
    made[1].says(Ready("here"))
    assert made[1].sent == [after.command]


def test_a_pair_that_does_not_come_leaves_none_loaded(queue: tuple[Jobs, list[FakeEngine]]) -> None:
    """The engine drops its pair to make room: where the new one fails there is none, and Stop must not count on the one before."""
    jobs, (engine,) = queue
    engine.loads(jobs.load(PAIR))
    assert jobs.loaded(PAIR) is not None
    engine.says(JobFailure(jobs.load(PairRequest(target="./nowhere")).id, "nowhere"))
    assert jobs.loaded(PAIR) is None


def test_a_visitor_has_one_position_in_the_queue(queue: tuple[Jobs, list[FakeEngine]]) -> None:
    """A new request takes the place of what the same visitor requested before and has not begun, unless both belong together."""
    jobs, (engine,) = queue
    running = jobs.run(_asked(), visitor="a")
    other, first = jobs.run(_asked(), visitor="b"), jobs.run(_asked(), visitor="a")
    second = jobs.run(_asked(), visitor="a")
    beside = jobs.run(_asked(), visitor="a", beside=second)
    assert first.status is Status.CANCELLED
    assert "requested another run" in first.message
    for job in (running, other, second, beside):
        engine.loads(job)
        engine.does(job)
    assert engine.sent == [job.command for job in (running, other, second, beside)]


def test_a_task_is_found_again_and_is_no_run(queue: tuple[Jobs, list[FakeEngine]]) -> None:
    """By its id and the name of the task; a link to a run with its id finds nothing."""
    jobs, _ = queue
    task = jobs.perform(None, "none of this name", "{}", visitor="a")
    assert jobs.find(task.id) is None
    assert jobs.find(task.id, "another") is None
    assert jobs.find(task.id, "none of this name") is task
