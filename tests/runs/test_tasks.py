"""Tasks of other rooms in the engine process: what they are given, what is reported of them, and what they cannot be."""

import io
import json

import pytest

from specviz.engine import TASKS
from specviz.errors import InputError
from specviz.models import Pair
from specviz.request import PairRequest
from specviz.runs import engine_process
from specviz.runs.engine_process import Engine
from specviz.runs.tasks import Work
from specviz.wire import Event, JobFailure, LoadedPair, Perform, Progress, TaskEnd, TaskReport, decode_event

ASKED = PairRequest("embedded")


def count(work: Work) -> None:
    """A task: counts up to a number, and names the pair, until it is stopped."""
    most = int(work.request)
    if most < 1:
        raise InputError(f"The number was {most}: give one above 0.")
    for number in range(1, most + 1):
        if work.stopped():
            return
        work.progress("counting", number / most)
        name = None if work.pair is None else work.pair.name
        work.report(json.dumps([number, name]))


def _events(pair: Pair | None, asked: str, *, task: str = "count", cancel: bool = False) -> list[Event]:
    out = io.StringIO()
    engine = Engine(out, {"count": f"{__name__}:count"})
    if pair is not None:
        engine._loaded = engine_process._ActivePair(ASKED, pair, 100.0)
    if cancel:
        engine.cancel("job")
    engine.do(Perform("job", None if pair is None else ASKED, task, asked))
    return [decode_event(line) for line in out.getvalue().splitlines()]


def test_a_task_reports_and_ends(embedded: Pair) -> None:
    """The pair is named first; each report comes after its progress; the last event says that the task is over."""
    events = _events(embedded, "2")
    assert [type(event) for event in events] == [LoadedPair, Progress, TaskReport, Progress, TaskReport, TaskEnd]
    assert events[-2] == TaskReport("job", json.dumps([2, embedded.name]))
    assert events[-1] == TaskEnd("job", cancelled=False)


def test_a_task_needs_no_pair() -> None:
    """Where the command names none, none is loaded."""
    assert _events(None, "1") == [
        Progress("job", "counting", 1.0),
        TaskReport("job", "[1, null]"),
        TaskEnd("job", cancelled=False),
    ]


def test_a_task_is_stopped() -> None:
    """A task that sees the stop ends, and the last event says so."""
    assert _events(None, "1000", cancel=True) == [TaskEnd("job", cancelled=True)]


@pytest.mark.parametrize(
    ("task", "asked", "says"),
    [
        ("count", "0", "The number was 0: give one above 0."),
        ("count", "many", "The task count failed (ValueError"),
        ("bake", "1", "This engine has no task 'bake'"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(task: str, asked: str, says: str) -> None:
    """A request that is refused, a task that fails, and a task that there is not: the process goes on."""
    (event,) = _events(None, asked, task=task)
    assert isinstance(event, JobFailure)
    assert event.message.startswith(says)


def test_every_task_has_its_function() -> None:
    """No line of the table names what is not there."""
    engine = Engine(io.StringIO(), TASKS)
    for name in TASKS:
        assert callable(engine._task(name))
