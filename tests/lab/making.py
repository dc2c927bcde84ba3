"""Small records that the tests of the lab share."""

import io
from collections.abc import Sequence
from dataclasses import replace

from specviz.engine import TASKS
from specviz.lab import study
from specviz.lab.axes import Axis
from specviz.lab.guests import Surface
from specviz.lab.plan import Models, SweepPlan
from specviz.lab.profile import BatchPass
from specviz.lab.results import MEASURED, Found
from specviz.lab.rows import MeasuredRow
from specviz.models import Pair
from specviz.reporting.figures import Figure
from specviz.reporting.prompts import ReadyPrompt
from specviz.request import PairAsked
from specviz.runs import engine_process
from specviz.runs.engine_process import Engine
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.wire import Event, Perform, Performed, Reported, decode_event

EMBEDDED = Models("embedded", "", "", "", "cpu", "float32")
PROMPTS = (ReadyPrompt("one", "code", "def f(x):"), ReadyPrompt("two", "facts", "The capital of"))


def plan_of(*axes: Axis, shortcut: bool = False, repeats: int = 1, tokens: int = 8) -> SweepPlan:
    return SweepPlan(EMBEDDED, Settings(max_new_tokens=tokens), axes, PROMPTS, repeats, True, shortcut)


def found_of(task: int, speedup: float = 1.5, *, predicted: float | None = 1.5) -> Found:
    times = Figure(speedup, speedup - 0.1, speedup + 0.1)
    row = MeasuredRow("model", "one", "code", 8, 4, 6, 4, 0.1, times, times, 0, True)
    return Found(task, MEASURED, row, predicted, None, "", 0.5, 0.6)


BUSY = Conditions(False, 3, 0, True, 0.5, 4.0, 0.6, 1.9, 2, 1, 2)


CALM = Conditions(True, 1, 0, False, 1.0, 1.0, 0.0, 0.0, 2, 1, 1)


def busy_of(found: Found) -> Found:
    """The same run, measured on a busy machine."""
    assert found.row is not None
    return replace(found, row=replace(found.row, conditions=BUSY))


def surface(*, guests: tuple[int, ...] = (1, 2, 4, 8), rise: float = 0.3, draft: float = 0.001) -> Surface:
    """A pass over n tokens of b guests costs 10 ms and `rise` ms for each token of each."""
    target = [BatchPass(b, n, 0.010 + rise * 1e-3 * (b * n - 1)) for b in guests for n in (1, 2, 3, 5, 9)]
    return Surface(tuple(target), tuple(BatchPass(b, 1, draft) for b in guests))


def events_of(pair: Pair, asked: str, *, cancel: bool = False) -> list[Event]:
    """What an engine process with this pair reports of a request."""
    out, chosen = io.StringIO(), PairAsked("embedded", device="cpu", dtype="float32")
    engine = Engine(out, TASKS)
    engine._warm = engine_process._Warm(chosen, pair, 100.0)
    if cancel:
        engine.cancel("job")
    engine.do(Perform("job", chosen, study.NAME, asked))
    return [decode_event(line) for line in out.getvalue().splitlines()]


def answers(events: list[Event]) -> list[study.Answer]:
    """The answers among them."""
    return [study.answer(event.report) for event in events if isinstance(event, Reported)]


def asked_of(pair: Pair, asked: Sequence[study.Asked]) -> list[study.Answer]:
    """Every request's answer; each in a sitting of its own or in that of the one before, in turn."""
    found = []
    for number, each in enumerate(asked):
        events = events_of(pair, study.request(each, f"sitting {number // 2}"))
        assert events[-1] == Performed("job", cancelled=False), events[-1]
        found += answers(events)
    return found
