"""The engine's events: what they report of a run and of tasks of other rooms, and that each line is read as it was written."""

import errno
import io
import json
from dataclasses import replace
from pkgutil import resolve_name
from typing import Any

import pytest
import torch

from specviz import wire
from specviz.engine import TASKS
from specviz.errors import InputError
from specviz.models import Pair
from specviz.reporting.player.html_page import page
from specviz.request import PairRequest, Request
from specviz.runs import engine_process
from specviz.runs.engine_process import Engine, Work
from specviz.runs.prepare import Prepared, prepare
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import from_json, loads
from specviz.trace.records import Round, Stop, Trace
from tests.helpers.rounds import timeless

ASKED = PairRequest("embedded")


@pytest.fixture(autouse=True)
def _timed_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are timed again for a moment only."""
    monkeypatch.setattr(engine_process, "_TIMED_S", 0.2)


def warm_engine(pair: Pair | None) -> tuple[Engine, io.StringIO]:
    """An engine with the embedded pair or without one, and what it says."""
    out = io.StringIO()
    engine = Engine(out, {"count": f"{__name__}:count"})
    if pair is not None:
        engine._loaded = engine_process._ActivePair(ASKED, pair, 100.0)
    return engine, out


def events_of(out: io.StringIO) -> list[wire.Event]:
    return [wire.decode_event(line) for line in out.getvalue().splitlines()]


def run_of(embedded: Pair, settings: Settings) -> tuple[list[wire.Event], wire.RunStart, wire.Done, tuple[Trace, ...]]:
    """The events of a run on the embedded pair, the first and the last of them, and its recording."""
    engine, out = warm_engine(embedded)
    engine.do(wire.RunPrompt("job", Request(ASKED, "Once upon a time", settings)))
    reported = events_of(out)
    (started,) = [event for event in reported if isinstance(event, wire.RunStart)]
    last = reported[-1]
    assert isinstance(last, wire.Done)
    assert last.recording is not None
    return reported, started, last, loads(last.recording)


@pytest.mark.slow
def test_the_events_of_a_run_add_up_to_its_recording(embedded: Pair) -> None:
    """Every event is read back; the rounds of both lanes, in order, are those of the recording."""
    settings = Settings(drafter="ngram", temperature=0.8, seed=3, max_new_tokens=12)
    reported, started, _, traces = run_of(embedded, settings)
    ended = [event for event in reported if isinstance(event, wire.LaneEnd)]
    rounds = [event for event in reported if isinstance(event, wire.Rounds)]
    assert started.card.drafter.name == "ngram"
    assert started.prompt_ids == traces[0].prompt_ids
    table = dict(started.tokens)
    for lane, trace in zip(wire.Lane, traces, strict=True):
        batches = [json.loads(event.batch)["rounds"] for event in rounds if event.lane is lane]
        sent = [from_json(Round, round_, "round") for batch in batches for round_ in batch]
        assert timeless(sent) == timeless(trace.rounds)
    for event in rounds:
        tokens = {int(token): bytes_ for token, bytes_ in json.loads(event.batch)["tokens"].items()}
        assert not tokens.keys() & table.keys() or event.lane is wire.Lane.PLAIN, "no bytes are sent twice in a lane"
        table |= tokens
    assert {token for trace in traces for token in trace.token_ids} <= table.keys()
    assert [(event.lane, event.stop) for event in ended] == [(lane, traces[i].stop) for i, lane in enumerate(wire.Lane)]


@pytest.mark.slow
def test_a_run_that_is_stopped_leaves_what_it_has(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after its first rounds, in either lane, what was written can be saved, read and played."""
    asked = wire.RunPrompt("job", Request(ASKED, "Once upon a time", Settings(max_new_tokens=120)))
    for lane in wire.Lane:
        engine, out = warm_engine(embedded)
        send = engine.send

        def send_and_stop(event: wire.Event, lane: wire.Lane = lane, engine: Engine = engine, send: Any = send) -> None:
            send(event)
            if isinstance(event, wire.Rounds) and event.lane is lane:
                engine.cancel("job")

        monkeypatch.setattr(engine, "send", send_and_stop)
        engine.do(asked)
        last = events_of(out)[-1]
        assert isinstance(last, wire.Done)
        assert last.cancelled
        traces = loads(str(last.recording))
        assert [trace.stop for trace in traces][-1] is Stop.CANCELLED
        assert len(traces) == 1 + (lane is wire.Lane.PLAIN)
        assert 0 < len(traces[-1].token_ids) < 120
        assert "Once upon a time" in page(traces, "x")


@pytest.mark.slow
def test_the_sides_take_turns_and_the_conditions_are_reported(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pair is watched, speculative first; each repeat starts with the other side. The last event says under what conditions they were
    timed, and that they are timed again has been reported before. What is left open is chosen once, and that is announced; the event of the
    start has closed settings and the plan, as the recording has; a run that is timed again drafts in the same rounds, so that it counts although
    costs on the clock differ."""
    sides: list[Prepared] = []
    requested: list[Settings] = []

    def counted_preparation(pair: Pair, settings: Settings, **options: Any) -> Prepared:
        requested.append(settings)
        return prepare(pair, settings, **options)

    class RecordedRun(Run):
        def __init__(self, prepared: Prepared, *args: Any, **options: Any) -> None:
            sides.append(prepared)
            super().__init__(prepared, *args, **options)

    monkeypatch.setattr(engine_process, "Run", RecordedRun)
    monkeypatch.setattr(engine_process, "prepare", counted_preparation)
    monkeypatch.setattr(engine_process, "_TIMED_S", 60.0)
    left = Settings(drafter="auto", k=0, nodes=0, policy="auto", max_new_tokens=6)
    reported, started, last, (speculative, plain) = run_of(embedded, left)
    assert [settings.open for settings in requested] == [("drafter", "k", "nodes")]
    assert reported[1] == wire.Progress("job", "choosing drafter and draft length by what passes cost here", None)
    assert started.settings == speculative.settings == plain.settings
    assert (started.settings.open, started.plan) == ((), speculative.plan)
    assert started.plan is not None
    assert plain.plan is None
    known = last.conditions
    assert known is not None
    order = [side.drafter.name == "none" for side in sides]
    assert len(order) == 2 * known.turns >= 10
    assert order == ([False, True, True, False] * 5)[: len(order)]
    assert len(last.speedups) == last.timed == known.turns - known.left_out
    assert (known.compared, known.threads) == (True, torch.get_num_threads())
    assert (
        len([event for event in reported if isinstance(event, wire.Progress) and "timing both again" in event.what])
        == known.turns - 1
    )
    assert sides[0].settings == sides[1].settings, "both lanes have one choice"
    assert sides[0].allowed is None
    assert all(side.allowed is not None for side, plain in zip(sides[2:], order[2:], strict=True) if not plain)


@pytest.mark.slow
def test_a_run_that_is_timed_again_is_allowed_what_it_was(embedded: Pair) -> None:
    """Round by round, also where nothing was drafted; other policies keep their own pace."""
    prepared = prepare(embedded, Settings(drafter="auto", k=4, policy="auto"))
    rounds = Run(prepared, "Once upon a time").finish().rounds
    allowed = (0, 3, 0, 1)
    undrafted = Run(embedded, "Once upon a time", Settings(max_new_tokens=1)).finish().rounds[-1]
    pace = prepared.repeating([replace(undrafted, allowed=n) for n in allowed]).pace()
    assert [pace.allow(4) for _ in allowed] == [*allowed]
    again = Run(prepared.repeating(rounds), "Once upon a time").finish().rounds
    assert [round_.allowed for round_ in again] == [round_.allowed for round_ in rounds], "and it says so"
    fixed = prepare(embedded, Settings())
    assert fixed.repeating(rounds) is fixed


def test_cancelled_jobs_are_not_remembered_for_ever() -> None:
    """Jobs that are cancelled after their end, which never come again, take no more and more memory; the latest are known."""
    engine = Engine(io.StringIO())
    for number in range(1000):
        engine.cancel(str(number))
    assert len(engine._cancelled) < 100
    assert "999" in engine._cancelled


@pytest.mark.slow
def test_the_engine_keeps_no_texts_of_a_run(embedded: Pair) -> None:
    """A request with earlier texts copies from them; the next one on the same engine knows none of them; and what was not copied is not
    reported."""
    prompt, settings = "Count by 8 from 24: 24,", Settings(drafter="suffix", max_new_tokens=20)
    alone = Run(embedded, prompt, settings).finish()
    written = (*alone.prompt_ids, *alone.token_ids)
    private = tuple(embedded.text.encode("Zebra quilts", template=False))
    unheard = set(private) - set(written)
    engine, out = warm_engine(embedded)
    recorded = []
    for earlier in ((private, written), ()):
        engine.do(wire.RunPrompt("job", Request(ASKED, prompt, settings, plain=False, earlier=earlier)))
        reported = events_of(out)
        last = reported[-1]
        assert isinstance(last, wire.Done)
        assert last.recording is not None
        sent = [set(event.tokens) for event in reported if isinstance(event, wire.RunStart)]
        sent += [
            set(map(int, json.loads(event.batch)["tokens"])) for event in reported if isinstance(event, wire.Rounds)
        ]
        assert not any(unheard & tokens for tokens in sent)
        recorded.append(loads(last.recording)[0])
    first, second = recorded
    assert first.earlier == (written,)
    assert {round_.source_text for round_ in first.rounds} >= {0}
    assert not unheard & first.tokens.keys()
    assert second.earlier == ()
    assert timeless(second.rounds) == timeless(alone.rounds)


# ---- tasks of other rooms


def count(work: Work) -> None:
    """A task: counts up to a number, and names the pair, until it is stopped."""
    most = int(work.request)
    if most < 1:
        raise InputError(f"The number was {most}: give one above 0.")
    if most > 2000:
        raise OSError(errno.ENOSPC, "No space left on device", "/srv/cache/counts")
    for number in range(1, most + 1):
        if work.stopped():
            return
        work.progress("counting", number / most)
        name = None if work.pair is None else work.pair.name
        work.report(json.dumps([number, name]))


def _events(pair: Pair | None, asked: str, *, task: str = "count", cancel: bool = False) -> list[wire.Event]:
    engine, out = warm_engine(pair)
    if cancel:
        engine.cancel("job")
    engine.do(wire.Perform("job", None if pair is None else ASKED, task, asked))
    return events_of(out)


def test_a_task_reports_and_ends(embedded: Pair) -> None:
    """The pair is named first; each report comes after its progress; the last event says that the task is over, or that it saw the stop."""
    events = _events(embedded, "2")
    assert [type(event) for event in events] == [
        wire.LoadedPair,
        wire.Progress,
        wire.TaskReport,
        wire.Progress,
        wire.TaskReport,
        wire.Done,
    ]
    assert events[-2] == wire.TaskReport("job", json.dumps([2, embedded.name]))
    assert events[-1] == wire.Done("job", cancelled=False)
    assert _events(None, "1000", cancel=True) == [wire.Done("job", cancelled=True)]


def test_what_cannot_be_done_is_one_sentence() -> None:
    """A request that is refused, a task that fails, and a task that there is not: the process goes on, and no path of it is shown."""
    for task, asked, says in (
        ("count", "0", "The number was 0: give one above 0."),
        ("count", "many", "The task count failed (ValueError"),
        ("count", "9999", "The task count failed (OSError: No space left on device). Try again."),
        ("bake", "1", "The task bake failed (KeyError"),
    ):
        (event,) = _events(None, asked, task=task)
        assert isinstance(event, wire.JobFailure)
        assert event.message.startswith(says)


def test_every_task_has_its_function() -> None:
    """No line of the table names what is not there."""
    assert all(map(callable, map(resolve_name, TASKS.values())))
