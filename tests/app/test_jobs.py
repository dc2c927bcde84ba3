"""The queue and the engine process behind it, with the real embedded pair and no browser."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.export import page
from app.jobs import Job, Runs, Status, _take
from specviz.trace.files import dumps, load, loads
from specviz.trace.metrics import speedup, summarise

pytestmark = pytest.mark.xdist_group("engine")

PAIR = {"name": "embedded", "device": "cpu", "dtype": "float32"}
SETTINGS = {"k": 4, "temperature": 0.0, "top_k": 0, "top_p": 1.0, "max_new_tokens": 24, "seed": 0}
PROMPT = "The capital of Burkina Faso is"


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    """One queue for the file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        queue = Runs()
    yield queue
    queue.close()


def _until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def _finished(job: Job) -> Job:
    _until(lambda: job.over)
    return job


def test_a_run_brings_both_lanes(runs: Runs) -> None:
    """A job ends with a recording of the speculative run and of the plain one, with the same text in float32."""
    job = _finished(runs.run(PAIR, PROMPT, SETTINGS))
    assert job.status is Status.DONE, job.message
    speculative, plain = load(job.recording)
    assert speculative.text == plain.text
    assert summarise(plain).rounds == len(plain.token_ids)
    assert job.plain_rate is not None
    assert job.plain_rate > 0
    assert 1 <= len(job.speedups) <= 5  # a slow machine has no time for more than one
    assert speedup(plain, speculative) == sorted(job.speedups)[(len(job.speedups) - 1) // 2]


def test_a_run_without_a_plain_one(runs: Runs) -> None:
    """Where the plain run is left out the speculative one is timed by itself, and no speedup is told."""
    job = _finished(runs.run({**PAIR, "name": "embedded-tiny"}, PROMPT, SETTINGS, plain=False))
    assert job.status is Status.DONE, job.message
    [speculative] = load(job.recording)
    assert speculative.card.drafter.name == "model"
    assert (job.plain_rows, job.speedups) == ([], [])
    assert 1 <= job.timed <= 5
    assert list(job.ended) == ["speculative"]


def test_the_view_has_the_text_of_both_lanes_while_it_runs(runs: Runs) -> None:
    """While plain decoding is recorded the view has its tokens with their seconds, and knows which lane is over."""
    job = runs.run(PAIR, PROMPT, {**SETTINGS, "max_new_tokens": 200})
    _until(lambda: len(job.plain_rows) > 1 or job.over)
    live = runs.view(job)["live"]
    assert live is not None
    assert len(live["plain_ends"]) == len(live["plain_tokens"]) > 1
    assert "speculative" in live["ended"]
    assert {str(token) for token in live["plain_tokens"]} <= live["tokens"].keys()
    _finished(job)
    assert load(job.recording)[1].token_ids[: len(live["plain_tokens"])] == tuple(live["plain_tokens"])
    assert list(job.ended) == ["speculative", "plain"]


def test_the_rows_of_a_run_are_its_trace(runs: Runs) -> None:
    """What was shown live adds up to the same tokens as the recording, each in a round of its own time."""
    job = _finished(runs.run(PAIR, PROMPT, {**SETTINGS, "temperature": 0.8, "seed": 3}))
    speculative, plain = load(job.recording)
    assert [row[0] for row in job.rows] == [r.start for r in speculative.rounds]
    assert [d[5] for row in job.rows for d in row[1]] == [
        d.verdict.value for r in speculative.rounds for d in r.drafted
    ]
    assert [row[-1] for row in job.rows] == sorted(row[-1] for row in job.rows)
    assert [row[3][0] for row in job.plain_rows] == list(plain.token_ids)
    shown = {row[3][0] for row in job.rows if row[3]} | {d[0] for row in job.rows for d in row[1]}
    assert {str(i) for i in shown} <= job.tokens.keys()


def test_jobs_wait_in_line(runs: Runs) -> None:
    """The second job knows its place, and both are done in order."""
    first = runs.run(PAIR, PROMPT, {**SETTINGS, "max_new_tokens": 200})
    second = runs.run(PAIR, PROMPT, SETTINGS)
    assert runs.place(second) == 1
    assert runs.view(second)["status"] == "queued"
    _finished(second)
    assert first.over
    assert runs.place(second) == 0


def test_stop_leaves_a_valid_part(runs: Runs) -> None:
    """A run stopped in the middle keeps a valid trace of what was written."""
    job = runs.run(PAIR, "Once upon a time", {**SETTINGS, "max_new_tokens": 900})
    _until(lambda: len(job.rows) > 3)
    runs.cancel(job)
    _finished(job)
    assert job.status is Status.CANCELLED
    speculative = load(job.recording)[0]
    assert 0 < len(speculative.token_ids) < 900
    assert speculative.stop.value == "cancelled"


@pytest.mark.parametrize("lane", ["rows", "plain_rows"])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 11])
def test_stop_at_any_moment_leaves_a_recording(runs: Runs, lane: str, count: int) -> None:
    """Stopped after any number of rounds, in either lane, what was written can be saved, read and played; else there is nothing."""
    job = runs.run(PAIR, "Once upon a time", {**SETTINGS, "max_new_tokens": 120})
    _until(lambda: len(getattr(job, lane)) >= count or job.over)
    runs.cancel(job)
    _finished(job)
    assert job.status is Status.CANCELLED or job.recording
    if job.recording is None:
        assert not job.rows
        return
    traces = load(job.recording)
    assert loads(dumps(traces)) == traces
    assert traces[0].rounds
    assert "Once upon a time" in page(traces, "x")


def test_a_waiting_job_can_be_stopped(runs: Runs) -> None:
    """A job that is still in line leaves it at once."""
    first = runs.run(PAIR, PROMPT, {**SETTINGS, "max_new_tokens": 200})
    second = runs.run(PAIR, PROMPT, SETTINGS)
    runs.cancel(second)
    assert second.status is Status.CANCELLED
    assert _finished(first).status is Status.DONE


def test_a_load_can_be_stopped(runs: Runs) -> None:
    """Stop while models are being loaded ends the load at once, and the next run works."""
    job = runs.run({**PAIR, "dtype": "float64"}, PROMPT, SETTINGS)
    _until(lambda: job.status is Status.LOADING and bool(job.what))
    runs.cancel(job)
    assert job.status is Status.CANCELLED
    assert runs.loaded is None
    assert _finished(runs.run(PAIR, PROMPT, SETTINGS)).status is Status.DONE


def test_a_stop_after_the_last_token_changes_nothing(runs: Runs) -> None:
    """A run stopped in its plain lane keeps the speculative trace as what it is: finished."""
    job = runs.run(PAIR, PROMPT, {**SETTINGS, "max_new_tokens": 28})
    _until(lambda: len(job.plain_rows) > 0 or job.over)
    runs.cancel(job)
    _finished(job)
    assert load(job.recording)[0].stop.value in ("length", "end_of_text")


def test_no_two_queues_name_their_jobs_alike() -> None:
    """A server that was started again does not give out the names of the one before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        one, two = Runs(), Runs()
    assert one.listings() is one.listings(), "the list is asked for once"
    names = {one.listings().id, two.listings().id}
    one.close()
    two.close()
    assert len(names) == 2


def test_a_run_nobody_watches_is_ended(runs: Runs) -> None:
    """A closed tab ends its run."""
    job = runs.run(
        PAIR, "Once upon a time", {**SETTINGS, "max_new_tokens": 1000, "temperature": 1.0}, watched=lambda: False
    )
    _finished(job)
    assert job.status is Status.CANCELLED


@pytest.mark.parametrize(
    ("pair", "prompt", "settings", "says"),
    [
        (PAIR, "   ", SETTINGS, "empty"),
        (PAIR, "word " * 2000, SETTINGS, "tokens"),
        (PAIR, PROMPT, {**SETTINGS, "k": 17}, "from 1 to 16"),
        ({**PAIR, "name": "nonsense"}, PROMPT, SETTINGS, "nonsense"),
        ({"target": "./nowhere", "draft": "./nowhere", "device": "cpu", "dtype": "auto"}, PROMPT, SETTINGS, "nowhere"),
    ],
)
def test_bad_input_is_said(runs: Runs, pair: dict[str, Any], prompt: str, settings: dict[str, Any], says: str) -> None:
    """Bad input ends its job with one sentence, and the engine process lives on."""
    process = runs.engine_pid
    job = _finished(runs.run(pair, prompt, settings))
    assert job.status is Status.FAILED
    assert says in job.message
    assert "Traceback" not in job.message
    assert runs.engine_pid == process


def test_a_killed_engine_is_replaced(runs: Runs) -> None:
    """The engine killed in mid-run: the job says so, and the next run works."""
    job = runs.run(PAIR, "Once upon a time", {**SETTINGS, "max_new_tokens": 900})
    _until(lambda: len(job.rows) > 1)
    before = runs.engine_pid
    os.kill(before, signal.SIGKILL)
    _finished(job)
    assert job.status is Status.FAILED
    assert "stopped in mid-run" in job.message
    assert job.rows, "what was written so far is kept"
    assert _finished(runs.run(PAIR, PROMPT, SETTINGS)).status is Status.DONE
    assert runs.engine_pid != before


def test_the_listing_names_the_embedded_pair(runs: Runs) -> None:
    """What can be loaded begins with the embedded pair, which is here and fits."""
    job = _finished(runs.listings())
    assert job.listings is not None
    assert job.listings[0]["name"] == "embedded"
    assert job.listings[0]["fits"]


@pytest.mark.parametrize("replan", [None, {"matches": [True, False], "c": 0.2, "v": [1.0, 1.1], "pass_s": 0.003}])
def test_what_another_k_would_have_drafted_reaches_the_view(runs: Runs, replan: dict[str, Any] | None) -> None:
    """The engine's word on another draft length is handed to the player as it came; null where there is none."""
    command = {"do": "run", "prompt": PROMPT, "settings": SETTINGS}
    job = Job("x", command)
    event: dict[str, Any] = {"event": "done", "recording": None, "speedups": [], "timed": 1, "cancelled": False}
    _take(job, {**event, "replan": replan})
    assert runs.view(job)["replan"] == replan
    old = Job("y", command)
    _take(old, event)
    assert runs.view(old)["replan"] is None


def test_a_copied_run_keeps_its_clock(runs: Runs) -> None:
    """Rows that say where their draft was copied from bring the same times as their trace."""
    prompt = '{"name": "Ann", "age": 3}\n{"name": "Bob", "age": 5}\n{"name": "'
    job = _finished(runs.run(PAIR, prompt, {**SETTINGS, "drafter": "ngram"}))
    assert job.recording is not None
    rounds = job.recording["traces"][0]["rounds"]
    assert any("source" in r for r in rounds)
    copied = [row for row in job.rows if len(row) == 9]
    assert [row[8] for row in copied] == [r["source"] for r in rounds if "source" in r]
