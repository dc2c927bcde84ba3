"""The queue and its engine process, with the real embedded pair and no browser."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from app.job import Job, Status, take
from app.jobs import Jobs
from app.pool import AWAY_S
from specviz.reporting.player.html_page import page
from specviz.runs.calm import EXTRA_TURNS
from specviz.serving import process
from specviz.serving.engines import Engines
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.trace.files import dumps, loads, to_json
from specviz.trace.measured import Kind
from specviz.trace.metrics import speedup, summarise
from specviz.trace.records import Trace
from specviz.wire import (
    Done,
    Lane,
    Loaded,
    PairAsked,
    Pairs,
    Progress,
    Ready,
    Replan,
    Request,
    RunPrompt,
    Timing,
    decode_event,
    encode,
)
from tests.helpers.views import trace_of

pytestmark = pytest.mark.slow

PAIR = PairAsked("embedded", device="cpu", dtype="float32")
PROMPT = "The capital of Burkina Faso is"


def _asked(prompt: str = PROMPT, pair: PairAsked = PAIR, *, plain: bool = True, **settings: Any) -> Request:
    """A request for a short run."""
    return Request(pair, prompt, Settings(**{"k": 4, "max_new_tokens": 24, **settings}), plain=plain)


def _traces(job: Job) -> tuple[Trace, ...]:
    assert job.recording is not None
    return loads(job.recording)


@pytest.fixture(scope="module")
def jobs() -> Iterator[Jobs]:
    """One queue for the file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        queue = Jobs()
    yield queue
    queue.close()


def _until(condition: Callable[[], bool], seconds: float = 240.0) -> None:
    """Wait long: on a busy machine an engine process alone can take more than a minute to start."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def _finished(job: Job) -> Job:
    _until(lambda: job.over)
    return job


def test_a_run_brings_both_lanes(jobs: Jobs) -> None:
    """A job ends with a recording of the speculative run and of the plain one, with the same text in float32."""
    job = _finished(jobs.run(_asked()))
    assert job.status is Status.DONE, job.message
    speculative, plain = _traces(job)
    assert speculative.text == plain.text
    assert summarise(plain).rounds == len(plain.token_ids)
    assert job.plain_rate is not None
    assert job.plain_rate > 0
    assert (
        1 <= len(job.speedups) <= 5 + EXTRA_TURNS
    )  # a slow machine has no time for more than one; on a busy one all are kept
    assert job.conditions is not None
    assert job.conditions.turns - job.conditions.left_out == len(job.speedups) == job.timed
    assert job.conditions.threads == 1
    assert speedup(plain, speculative) == sorted(job.speedups)[(len(job.speedups) - 1) // 2]


def test_a_run_without_a_plain_one(jobs: Jobs) -> None:
    """Where the plain run is left out the speculative one is timed by itself, and there is no speedup."""
    job = _finished(jobs.run(_asked(pair=replace(PAIR, name="embedded-tiny"), plain=False)))
    assert job.status is Status.DONE, job.message
    [speculative] = _traces(job)
    assert speculative.card.drafter.name == "model"
    assert job.rounds[Lane.PLAIN] == []
    assert job.speedups == ()
    assert 1 <= job.timed <= 5 + EXTRA_TURNS
    assert list(job.ended) == [Lane.SPECULATIVE]


def test_the_view_has_the_text_of_both_lanes_while_it_runs(jobs: Jobs) -> None:
    """While plain decoding is recorded the view has its tokens with their seconds, and knows which lane is over."""
    job = jobs.run(_asked(max_new_tokens=200))
    _until(lambda: len(job.rounds[Lane.PLAIN]) > 1 or job.over)
    live = jobs.view(job)["live"]
    assert live is not None
    written = [round_["closing"]["token"] for round_ in live["plain_rounds"]]
    ends = [round_["ended_s"] for round_ in live["plain_rounds"]]
    assert len(written) > 1
    assert ends == sorted(ends)
    assert live["ended"]["speculative"] in ("length", "end_of_text")
    assert {str(token) for token in written} <= live["tokens"].keys()
    assert live["card"]["drafter"]["name"] == "model"
    _finished(job)
    assert _traces(job)[1].token_ids[: len(written)] == tuple(written)
    assert list(job.ended) == [Lane.SPECULATIVE, Lane.PLAIN]


def test_the_live_rounds_of_a_run_are_its_trace(jobs: Jobs) -> None:
    """What was shown live adds up to the same tokens as the recording, each in a round of its own time."""
    job = _finished(jobs.run(_asked(temperature=0.8, seed=3)))
    speculative, plain = _traces(job)
    live = job.rounds[Lane.SPECULATIVE]
    assert [r.start for r in live] == [r.start for r in speculative.rounds]
    assert [d.verdict for r in live for d in r.drafted] == [d.verdict for r in speculative.rounds for d in r.drafted]
    assert [r.ended_s for r in live] == sorted(r.ended_s for r in live)
    assert [r.tokens for r in job.rounds[Lane.PLAIN]] == [(token,) for token in plain.token_ids]
    shown = {r.closing.token for r in live if r.closing} | {d.token for r in live for d in r.drafted}
    assert shown <= job.tokens.keys()


def test_a_view_encodes_each_round_once(jobs: Jobs) -> None:
    """Polled again and again, a view has the rounds that came since, and the same values for those before."""
    job = jobs.run(_asked("Once upon a time", max_new_tokens=300, temperature=1.0))
    _until(lambda: len(job.rounds[Lane.SPECULATIVE]) > 3 or job.over)
    first = jobs.view(job)["live"]
    _until(lambda: len(job.rounds[Lane.SPECULATIVE]) > len(first["rounds"]) or job.over)
    second = jobs.view(job)["live"]
    assert second is not None, "the run was over at once"
    assert len(second["rounds"]) > len(first["rounds"])
    assert all(now is before for now, before in zip(second["rounds"], first["rounds"], strict=False))
    assert second["rounds"] == [to_json(round_) for round_ in job.rounds[Lane.SPECULATIVE][: len(second["rounds"])]]
    jobs.cancel(job)
    _finished(job)


def test_jobs_wait_in_line(jobs: Jobs) -> None:
    """The second job knows its position, and both are done in order."""
    first = jobs.run(_asked(max_new_tokens=200))
    second = jobs.run(_asked())
    assert jobs.queue_position(second) == 1
    view = jobs.view(second)
    assert (view["status"], view["queue_position"]) == ("queued", 1)
    _finished(second)
    assert first.over
    assert jobs.queue_position(second) == 0


def test_a_run_that_waits_for_its_own_models_is_in_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who presses Run while the own pair is loaded sees what the load is doing; the load of another pair, or a run, is a place in the line."""
    engine = SimpleNamespace(send=lambda command: None, close=lambda: None)
    monkeypatch.setattr("app.slot.EngineProcess", lambda *_: engine)
    queue = Jobs()
    queue.listings()
    load, run, other = (
        queue.load(PAIR),
        queue.run(_asked()),
        queue.run(_asked(pair=replace(PAIR, name="embedded-tiny"))),
    )

    def shown(job: Job) -> tuple[str, str, int]:
        view = queue.view(job)
        return view["status"], view["what"], view["queue_position"]

    (slot,) = queue._pool._slots
    assert shown(run) == ("loading", "starting the engine", 0)
    assert shown(other) == ("queued", "", 2)
    queue._pool._take(slot, Ready())
    queue._pool._take(slot, Pairs(queue.listings().id, ()))
    queue._pool._take(slot, Progress(load.id, "loading target", 0.5))
    assert shown(run) == ("loading", "loading target", 0)
    assert queue.queue_position(other) == 2
    queue.close()


def test_stop_leaves_a_valid_part(jobs: Jobs) -> None:
    """A run stopped in the middle keeps a valid trace of what was written."""
    job = jobs.run(_asked("Once upon a time", max_new_tokens=900))
    _until(lambda: len(job.rounds[Lane.SPECULATIVE]) > 3)
    jobs.cancel(job)
    _finished(job)
    assert job.status is Status.CANCELLED
    speculative = _traces(job)[0]
    assert 0 < len(speculative.token_ids) < 900
    assert speculative.stop.value == "cancelled"


@pytest.mark.parametrize("lane", Lane)
@pytest.mark.parametrize("count", [0, 1, 2, 5, 11])
def test_stop_at_any_moment_leaves_a_recording(jobs: Jobs, lane: Lane, count: int) -> None:
    """Stopped after any number of rounds, in either lane, what was written can be saved, read and played; else there is nothing."""
    job = jobs.run(_asked("Once upon a time", max_new_tokens=120))
    _until(lambda: len(job.rounds[lane]) >= count or job.over)
    jobs.cancel(job)
    _finished(job)
    assert job.status is Status.CANCELLED or job.recording
    if job.recording is None:
        assert not job.rounds[Lane.SPECULATIVE]
        return
    traces = _traces(job)
    assert loads(dumps(traces)) == traces
    assert traces[0].rounds
    assert "Once upon a time" in page(traces, "x")


def test_a_waiting_job_can_be_stopped(jobs: Jobs) -> None:
    """A job that is still in line leaves it at once."""
    first = jobs.run(_asked(max_new_tokens=200))
    second = jobs.run(_asked())
    jobs.cancel(second)
    assert second.status is Status.CANCELLED
    assert _finished(first).status is Status.DONE


def test_a_load_can_be_stopped(jobs: Jobs) -> None:
    """Stop while models are being loaded ends the load at once, and the next run works."""
    job = jobs.run(_asked(pair=replace(PAIR, dtype="float64")))
    _until(lambda: job.status is Status.LOADING and bool(job.what))
    jobs.cancel(job)
    assert job.status is Status.CANCELLED, "a load of seconds was over in a moment"
    assert jobs.loaded is None
    assert _finished(jobs.run(_asked())).status is Status.DONE


def test_a_stop_after_the_last_token_changes_nothing(jobs: Jobs) -> None:
    """A run stopped in its plain lane keeps the speculative trace as what it is: finished."""
    job = jobs.run(_asked(max_new_tokens=28))
    _until(lambda: len(job.rounds[Lane.PLAIN]) > 0 or job.over)
    jobs.cancel(job)
    _finished(job)
    assert _traces(job)[0].stop.value in ("length", "end_of_text")


def test_no_two_queues_name_their_jobs_alike() -> None:
    """A server that was started again does not reuse the names of the one before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        one, two = Jobs(), Jobs()
    assert one.listings() is one.listings(), "the list is asked for once"
    names = {one.listings().id, two.listings().id}
    one.close()
    two.close()
    assert len(names) == 2


def test_a_run_nobody_watches_is_ended(jobs: Jobs) -> None:
    """A closed tab ends its run."""
    job = jobs.run(_asked("Once upon a time", max_new_tokens=1000, temperature=1.0), watched=lambda: False)
    _finished(job)
    assert job.status is Status.CANCELLED


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (_asked("   "), "empty"),
        (_asked("word " * 2000), "tokens"),
        (_asked(drafter="tree", policy="cost"), "does not support"),
        (_asked(drafter="crystal-ball"), "crystal-ball"),
        (_asked(pair=replace(PAIR, name="nonsense")), "nonsense"),
        (_asked(pair=PairAsked(target="./nowhere", draft="./nowhere", device="cpu")), "nowhere"),
    ],
)
def test_bad_input_is_said(jobs: Jobs, request_: Request, says: str) -> None:
    """Bad input ends its job with one sentence, and the engine process lives on."""
    engines = jobs.engine_pids
    job = _finished(jobs.run(request_))
    assert job.status is Status.FAILED
    assert says in job.message
    assert "Traceback" not in job.message
    assert jobs.engine_pids == engines


def test_a_killed_engine_is_replaced(jobs: Jobs) -> None:
    """The engine killed in mid-run: the job says so, and the next run works."""
    job = jobs.run(_asked("Once upon a time", max_new_tokens=900))
    _until(lambda: len(job.rounds[Lane.SPECULATIVE]) > 1)
    before = jobs.engine_pids
    os.kill(before[0], signal.SIGKILL)
    _finished(job)
    assert job.status is Status.FAILED
    assert "stopped in mid-run" in job.message
    assert job.rounds[Lane.SPECULATIVE], "what was written so far is kept"
    assert _finished(jobs.run(_asked())).status is Status.DONE
    assert jobs.engine_pids != before


def test_two_engines_serve_two_visitors_and_one_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both runs go on at the same time; the engine of one is killed, and the other ends as it should, marked as not alone."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    jobs = Jobs(engines=Engines(2))
    try:
        _until(lambda: all(slot.ready for slot in jobs._pool._slots))
        both = [jobs.run(_asked("Once upon a time", max_new_tokens=400), visitor=visitor) for visitor in "ab"]
        _until(lambda: all(job.rounds[Lane.SPECULATIVE] for job in both))
        first, second = (slot.job for slot in jobs._pool._slots)
        assert first in both
        assert second in both
        os.kill(jobs.engine_pids[0], signal.SIGKILL)
        assert first is not None
        assert second is not None
        _finished(first)
        assert "stopped in mid-run" in first.message
        _finished(second)
        assert second.status is Status.DONE, second.message
        assert second.conditions is not None
        assert (second.conditions.trusted, second.conditions.neighbours) == (False, True)
        assert _finished(jobs.run(_asked(max_new_tokens=4), visitor="a")).status is Status.DONE
    finally:
        jobs.close()


_ODD_ENGINE = """
import sys
sys.stdout.write('{"kind":"Ready","machine":""}\\n'); sys.stdout.flush()
sys.stdin.readline()
sys.stdout.buffer.write(ANSWER); sys.stdout.flush()
sys.stdin.read()
"""


def _odd_queue(monkeypatch: pytest.MonkeyPatch, answer: bytes, **limits: Any) -> Jobs:
    """A queue whose engine processes answer a command with these bytes and nothing else."""
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", f"ANSWER = {answer!r}{_ODD_ENGINE}"))
    return Jobs(**limits)


def _replaced(jobs: Jobs, before: list[int]) -> bool:
    return jobs.engine_pids != before


DEEP = b"[" * 100_000 + b"\n"


def test_an_engine_that_cannot_be_understood_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is no event ends the process; the job says why, and the next job gets another process."""
    for line in (b"\xff\xfe\n", b"{}\n", DEEP, b'{"kind":"Done","job":"x"}\n'):
        jobs = _odd_queue(monkeypatch, line)
        try:
            for _ in range(2):
                before = jobs.engine_pids
                job = _finished(jobs.run(_asked()))
                assert job.status is Status.FAILED
                assert "it sent a message that could not be read" in job.message
                _until(partial(_replaced, jobs, before))  # a job is over a moment before its engine is replaced
        finally:
            jobs.close()


@pytest.mark.parametrize("line", [b"\xff\xfe\n", DEEP], ids=["bytes", "deep"])
def test_an_engine_that_does_not_understand_is_replaced(jobs: Jobs, line: bytes) -> None:
    """A line that is no command ends the engine process: its job says so at once, and the next one is done."""
    job = jobs.run(_asked("Once upon a time", max_new_tokens=900))
    _until(lambda: len(job.rounds[Lane.SPECULATIVE]) > 0)
    pipe = jobs._pool._slots[0]._engine._process.stdin
    assert pipe is not None
    pipe.flush()
    os.write(pipe.fileno(), line)
    _finished(job)
    assert job.status is Status.FAILED
    assert "stopped in mid-run (exit code 1)" in job.message
    assert _finished(jobs.run(_asked(max_new_tokens=4))).status is Status.DONE


def test_a_silent_engine_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that reports nothing any more does not keep everybody waiting."""
    jobs = _odd_queue(monkeypatch, b"", silence_limit_s=0.3)
    try:
        job = _finished(jobs.run(_asked()))
        assert job.status is Status.FAILED
        assert "reported nothing for 0.005 minutes and was started again" in job.message
    finally:
        jobs.close()


_SLOW_ENGINE = """
import sys
from specviz.wire import (
    Cancel, Done, Failed, Load, Loaded, Measure, Progress, Ready, RunPrompt, decode_command, decode_event, encode
)
def tell(event):
    sys.stdout.write(encode(event) + "\\n"); sys.stdout.flush()
tell(Ready())
CARD = decode_event(LOADED).card
for line in sys.stdin:
    match command := decode_command(line):
        case Cancel():
            if STOPS:
                tell(Done(command.job, None, cancelled=True, speedups=(), timed=1, replan=None, conditions=None))
        case _ if command.job and "nowhere" in line:
            tell(Failed(command.job, "nowhere"))
        case Load():
            tell(Loaded(command.job, CARD, 1.0))
        case RunPrompt() | Measure():
            tell(Loaded(command.job, CARD, 1.0))
            tell(Progress(command.job, "checking the tree", None))
"""


def _slow_queue(monkeypatch: pytest.MonkeyPatch, *, stops: bool, stop_s: float) -> Jobs:
    """A queue whose engine has every pair at once, prepares a run for ever, and ends that on Cancel or does not."""
    loaded = encode(Loaded("x", trace_of(["a"]).card, 1.0))
    code = f"LOADED, STOPS = {loaded!r}, {stops}\n{_SLOW_ENGINE}"
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", code))
    return Jobs(stop_s=stop_s)


def _preparing(jobs: Jobs) -> Job:
    job = jobs.run(_asked(), visitor="me")
    _until(lambda: job.status is Status.LOADING and bool(job.what))
    return job


def test_a_preparation_that_ends_on_stop_keeps_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair is loaded, so that Stop waits for the engine's own answer: nobody else loses the pair."""
    jobs = _slow_queue(monkeypatch, stops=True, stop_s=60.0)
    try:
        job, engine = _preparing(jobs), jobs.engine_pids
        jobs.cancel(job)
        assert not job.fresh, "the same request after Stop is a run again"
        _finished(job)
        assert job.status is Status.CANCELLED
        assert jobs.engine_pids == engine
        assert jobs.loaded is not None
    finally:
        jobs.close()


def test_a_preparation_that_hangs_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that does not answer Stop while it prepares a run is replaced soon, and the queue goes on."""
    jobs = _slow_queue(monkeypatch, stops=False, stop_s=0.2)
    try:
        job, engine = _preparing(jobs), jobs.engine_pids
        jobs.cancel(job)
        assert not job.over
        _finished(job)
        assert job.status is Status.CANCELLED
        assert "being prepared" in job.message
        _until(partial(_replaced, jobs, engine))
        assert _preparing(jobs).card is not None
    finally:
        jobs.close()


def test_a_pair_that_does_not_come_leaves_none_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine drops its pair to make room: where the new one fails there is none, and Stop must not count on the one before."""
    jobs = _slow_queue(monkeypatch, stops=True, stop_s=60.0)
    try:
        _finished(jobs.load(PAIR))
        assert jobs.loaded is not None
        assert _finished(jobs.load(PairAsked(target="./nowhere"))).status is Status.FAILED
        assert jobs.loaded is None
    finally:
        jobs.close()


def test_a_page_that_comes_back_keeps_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody watches for a moment while a page is loaded again; a second page of the visitor keeps the run of the first one."""
    jobs = _slow_queue(monkeypatch, stops=True, stop_s=60.0)
    open_pages = {"first": True, "second": False}
    try:
        job = jobs.run(_asked(), watched=lambda: open_pages["first"])
        _until(lambda: bool(job.what))
        open_pages["first"] = False
        time.sleep(AWAY_S / 5)
        assert job.stopped is None
        open_pages["second"] = True
        jobs.also_watched(job, lambda: open_pages["second"])
        time.sleep(AWAY_S * 1.2)
        assert job.stopped is None
        open_pages["second"] = False
        assert _finished(job).status is Status.CANCELLED
    finally:
        jobs.close()


def test_a_run_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run beyond it ends with what was written, and a sentence with the limit; loading does not count as running."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    jobs = Jobs(run_limit_s=0.1)
    try:
        job = _finished(jobs.run(_asked("Once upon a time", max_new_tokens=1000, temperature=1.0)))
        assert job.status is Status.CANCELLED
        assert "the limit of a run: request fewer new tokens" in job.message
        assert 0 < len(_traces(job)[0].token_ids) < 1000
    finally:
        jobs.close()


def test_a_visitor_has_one_position_in_the_queue(jobs: Jobs) -> None:
    """A new request takes the place of what the same visitor requested before and has not begun, unless both belong together."""
    running = jobs.run(_asked(max_new_tokens=200), visitor="a")
    _until(lambda: running.began is not None)  # the engine may still be starting
    other, first = jobs.run(_asked(max_new_tokens=4), visitor="b"), jobs.run(_asked(max_new_tokens=4), visitor="a")
    second = jobs.run(_asked(max_new_tokens=4), visitor="a")
    beside = jobs.run(_asked(max_new_tokens=4), visitor="a", beside=second)
    assert first.status is Status.CANCELLED
    assert "requested another run" in first.message
    assert [_finished(job).status for job in (running, other, second, beside)] == [Status.DONE] * 4


def test_the_listing_names_the_embedded_pair(jobs: Jobs) -> None:
    """What can be loaded begins with the embedded pair, which is here and fits."""
    job = _finished(jobs.listings())
    assert job.listings is not None
    assert job.listings[0].name == "embedded"
    assert job.listings[0].fits


@pytest.mark.parametrize("replan", [None, Replan((True, False), 0.2, (1.0, 1.1), 0.003)])
def test_what_another_k_would_have_drafted_reaches_the_view(jobs: Jobs, replan: Replan | None) -> None:
    """What the engine reports of other draft lengths is given to the player by name; null where there is nothing."""
    job = Job(RunPrompt("x", _asked()))
    take(job, Done("x", None, cancelled=False, speedups=(), timed=1, replan=replan, conditions=None))
    assert jobs.view(job)["replan"] == (
        {"matches": [True, False], "c": 0.2, "v": [1.0, 1.1], "pass_s": 0.003} if replan else None
    )


def test_a_busy_machine_reaches_the_view(jobs: Jobs) -> None:
    """That the machine was busy comes from the engine as a typed field, and goes on to the player, the race and the table in words."""
    known = Conditions(False, 3, 0, compared=True, low=0.44, high=8.69, waited=0.5, others=1.3, cores=2, threads=1, usual_threads=1)  # fmt: skip
    job = Job(RunPrompt("x", _asked()))
    take(job, Timing("x", "this machine is busy: waiting for free cores"))
    assert jobs.view(job)["what"] == "this machine is busy: waiting for free cores"
    assert job.status is Status.QUEUED, "a running job stays one"
    line = encode(Done("x", None, cancelled=False, speedups=(8.69, 0.44, 0.49), timed=3, replan=None, conditions=known))
    event = decode_event(line)
    assert isinstance(event, Done)
    take(job, event)
    view = jobs.view(job)
    assert (view["what"], view["timing"]["trusted"]) == ("", False)
    assert (view["timing"]["why"], view["timing"]["between"]) == ("this machine is busy", "between 0.4× and 8.7×")
    assert "other programs used 1.3 of 2 cores" in view["timing"]["grounds"]


def test_a_copied_run_keeps_its_sources(jobs: Jobs) -> None:
    """Live rounds name the position that their draft was copied from, as their trace does."""
    prompt = '{"name": "Ann", "age": 3}\n{"name": "Bob", "age": 5}\n{"name": "'
    job = _finished(jobs.run(_asked(prompt, drafter="ngram")))
    sources = [round_.source for round_ in _traces(job)[0].rounds]
    assert any(source is not None for source in sources)
    assert [round_.source for round_ in job.rounds[Lane.SPECULATIVE]] == sources


def test_a_measurement_is_a_job_and_its_result_is_kept(jobs: Jobs) -> None:
    """It says how far it is while it runs, stays one engine job, and the server keeps the result of each kind for everybody."""
    job = jobs.measure(PAIR, Kind.PASS_COST, visitor="a")
    _until(lambda: job.share is not None or job.over)
    assert jobs.load_state(job).status is Status.RUNNING or job.over
    _finished(job)
    assert job.status is Status.DONE, job.message
    kept = jobs.measured[Kind.PASS_COST]
    assert kept.measurement is job.measurement
    assert kept.measurement.kind is Kind.PASS_COST
    assert [point.tokens for point in kept.measurement.points][:3] == [1, 2, 3]
    assert kept.at <= time.monotonic()
    stopped = jobs.measure(PAIR, Kind.BATCH_COST, visitor="a")
    _until(lambda: stopped.status is Status.RUNNING or stopped.over)
    jobs.cancel(stopped)
    _finished(stopped)
    assert stopped.status is Status.CANCELLED
    assert Kind.BATCH_COST not in jobs.measured
    assert jobs.loaded is not None, "the pair stays"


def test_a_measurement_waits_in_line_and_serves_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs and measurements are never side by side. The same measurement is made once for several visitors; another one, or a run, takes
    the visitor's position."""
    jobs = _slow_queue(monkeypatch, stops=True, stop_s=60.0)
    try:
        running = _preparing(jobs)
        first = jobs.measure(PAIR, Kind.PASS_COST, visitor="a")
        assert jobs.queue_position(first) == 1
        assert jobs.measure(PAIR, Kind.PASS_COST, visitor="b") is first
        other = jobs.measure(PAIR, Kind.BATCH_COST, visitor="b")
        assert jobs.queue_position(other) == 2
        again = jobs.measure(PAIR, Kind.BANDWIDTH, visitor="b")
        assert other.status is Status.CANCELLED
        assert jobs.queue_position(again) == 2
        jobs.run(_asked(), visitor="b")
        assert again.status is Status.CANCELLED
        assert "requested another run or measurement" in again.message
        assert not first.over
        jobs.cancel(running)
        _until(lambda: jobs.queue_position(first) == 0)
    finally:
        jobs.close()


def test_a_measurement_that_fails_leaves_the_one_before(jobs: Jobs) -> None:
    """One sentence, and the result that the server has stays."""
    before = dict(jobs.measured)
    job = _finished(jobs.measure(PairAsked("nonsense"), Kind.PASS_COST))
    assert job.status is Status.FAILED
    assert "nonsense" in job.message
    assert jobs.measured == before


def test_a_task_in_the_background_lets_runs_pass(jobs: Jobs) -> None:
    """What waits in the background begins after every run that waits, takes no position of its visitor, and is no run."""
    first = jobs.run(_asked(), visitor="a")
    task = jobs.perform(None, "none of this name", "{}", visitor="b", background=True)
    runs = [jobs.run(_asked(f"{PROMPT} {visitor}"), visitor=visitor) for visitor in "bc"]
    assert jobs.queue_position(task) == 3
    _until(lambda: task.over)
    assert all(run.status is Status.DONE for run in (first, *runs))
    assert jobs.task_state(task).message.startswith("This engine has no task 'none of this name'")
    assert jobs.find_task(task.id, "none of this name") is None, "those are kept by who asked for them"


def test_a_task_is_found_again_and_is_no_run(jobs: Jobs) -> None:
    """By its id and the name of the task; a link to a run with its id finds nothing."""
    task = jobs.perform(None, "none of this name", "{}", visitor="a")
    assert jobs.find(task.id) is None
    assert jobs.find_task(task.id, "another") is None
    assert jobs.find_task(task.id, "none of this name") is task
    _until(lambda: task.over)
