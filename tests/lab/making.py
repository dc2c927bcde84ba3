"""Small records that the tests of the lab share."""

from dataclasses import replace

from specviz.lab.axes import Axis
from specviz.lab.guests import Surface
from specviz.lab.plan import Models, SweepPlan
from specviz.lab.profile import BatchPass
from specviz.lab.results import MEASURED, Found
from specviz.lab.rows import MeasuredRow
from specviz.reporting.figures import Figure
from specviz.reporting.prompts import ReadyPrompt
from specviz.settings import Settings
from specviz.trace.conditions import Conditions

EMBEDDED = Models("embedded", "", "", "", "cpu", "float32")
PROMPTS = (ReadyPrompt("one", "code", "def f(x):"), ReadyPrompt("two", "facts", "The capital of"))


def plan_of(*axes: Axis, shortcut: bool = False, repeats: int = 1, tokens: int = 8) -> SweepPlan:
    return SweepPlan(EMBEDDED, Settings(max_new_tokens=tokens), axes, PROMPTS, repeats, True, shortcut)


def found_of(task: int, speedup: float = 1.5, *, predicted: float | None = 1.5) -> Found:
    times = Figure(speedup, speedup - 0.1, speedup + 0.1)
    row = MeasuredRow("model", "one", "code", 8, 4, 6, 4, 0.1, times, times, 0, True)
    return Found(task, MEASURED, row, predicted, None, "", 0.5, 0.6)


BUSY = Conditions(False, 3, 0, True, 0.5, 4.0, 0.6, 1.9, 2, 1, 2)


def busy_of(found: Found) -> Found:
    """The same run, measured on a busy machine."""
    assert found.row is not None
    return replace(found, row=replace(found.row, conditions=BUSY))


def surface(*, guests: tuple[int, ...] = (1, 2, 4, 8), rise: float = 0.3, draft: float = 0.001) -> Surface:
    """A pass over n tokens of b guests costs 10 ms and `rise` ms for each token of each."""
    target = [BatchPass(b, n, 0.010 + rise * 1e-3 * (b * n - 1)) for b in guests for n in (1, 2, 3, 5, 9)]
    return Surface(tuple(target), tuple(BatchPass(b, 1, draft) for b in guests))
