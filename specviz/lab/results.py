"""What a sweep found: one record a run, cells that pool the prompts, and their JSON. Standard library only."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

from specviz.lab.axes import DTYPE
from specviz.lab.ledger import Ledger
from specviz.lab.plan import SweepPlan, Task, values_at
from specviz.lab.rows import DrafterLine, MeasuredRow, pooled
from specviz.lab.rows import flat as flat_record
from specviz.reporting.figures import Figure
from specviz.trace.conditions import reason

SCHEMA = "specviz.sweep/1"
MEASURED, REPLANNED, LEFT_OUT = "measured", "replanned", "left out"
HOW = {
    MEASURED: "measured: real runs, warm and alone, in turn with plain decoding",
    REPLANNED: "rounds exact, times priced",
    LEFT_OUT: "left out",
}
"""How a figure came about, in words."""
SPEEDUP, TOKENS, ALPHA = "speedup", "tokens per pass", "acceptance rate"
FIGURES = (SPEEDUP, TOKENS, ALPHA)
"""What a cell can be shown by. The last two are counts, which no other program disturbs."""
NO_SPEEDUP = "No cell has a trusted speedup: the machine was busy, or the timings do not agree. Tokens per pass and acceptance rate are exact all the same."
WITHIN = 0.1
"""A prediction counts as right within this share of the measured figure."""


@dataclass(frozen=True, slots=True)
class Found:
    """One run of a sweep.

    Attributes:
        task: the position in the plan.
        how: "measured", "replanned" or "left out".
        row: counts and times; None where it was left out. Of a replanned run the speedup is priced.
        predicted: the speedup of the same rounds at the measured costs of passes; None where a draft's passes cannot be counted.
        ledger: where the tokens per pass went; None where no times were measured.
        why: the reason, where it was left out; of a figure that stands although it was measured again, why that gave none.
        decoding_s: seconds of the timed runs that count, both sides, the prompt included.
        wall_s: seconds that it took altogether.
    """

    task: int
    how: str
    row: MeasuredRow | None
    predicted: float | None
    ledger: Ledger | None
    why: str
    decoding_s: float
    wall_s: float

    @property
    def trusted(self) -> bool:
        """Whether it has a speedup that is a figure."""
        return self.row is not None and self.row.trusted


def standing(earlier: Found, newer: Found) -> Found:
    """What stands when a run was made again: the newer one, unless it has less to show. A figure is never replaced by none."""
    if newer.trusted + (newer.row is not None) >= earlier.trusted + (earlier.row is not None):
        return newer
    conditions = None if newer.row is None else newer.row.conditions
    why = newer.why.rstrip(".") if conditions is None else reason(conditions)
    return replace(earlier, why=f"MeasuredRow again without a figure ({why}), so the earlier one stays.")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the table: the same values of the axes, all prompts together.

    Attributes:
        at: the values.
        tasks: the runs of it that were made.
        how: how its figures came about: "measured" or "replanned"; "left out" where it has none.
        line: the pooled figures; None where there are none.
        predicted: the median of the predictions.
        why: the reason, where it was left out; else as of its runs.
    """

    at: tuple[str, ...]
    tasks: tuple[int, ...]
    how: str
    line: DrafterLine | None
    predicted: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep as it is in the store, complete or not.

    Attributes:
        created: when it began, as an ISO time.
        machine: where it was measured, in a few words.
    """

    name: str
    created: str
    machine: str
    plan: SweepPlan
    tasks: tuple[Task, ...]
    found: tuple[Found, ...]

    @property
    def complete(self) -> bool:
        """Whether every run was made."""
        return len(self.found) == len(self.tasks)

    @property
    def decoding_share(self) -> float | None:
        """The share of the time that was decoding, over the measured runs; None without one."""
        measured = [each for each in self.found if each.how == MEASURED and each.wall_s > 0]
        return sum(each.decoding_s for each in measured) / sum(each.wall_s for each in measured) if measured else None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell of which a run was made, in the order of the plan's axes."""
        return self._cells(len(self.plan.axes))

    @property
    def pooled(self) -> tuple[Cell, ...]:
        """The same for each value of the first axis alone, all values of the second together."""
        return self._cells(1)

    def _cells(self, axes: int) -> tuple[Cell, ...]:
        by_place: dict[tuple[str, ...], list[Found]] = {}
        for each in self.found:
            by_place.setdefault(self.tasks[each.task].at[:axes], []).append(each)
        order = {at: index for index, at in enumerate(product(*(axis.values for axis in self.plan.axes[:axes])))}
        return tuple(_cell(at, by_place[at]) for at in sorted(by_place, key=lambda at: order[at]))

    @property
    def singles(self) -> tuple[Cell, ...]:
        """Every run as a cell of its own, with the title of its prompt after the values of the axes."""
        prompts = self.plan.prompts
        titled = [
            ((*self.tasks[each.task].at, prompts[self.tasks[each.task].prompt].title), each) for each in self.found
        ]
        return tuple(_cell(at, [each]) for at, each in titled)

    @property
    def rows(self) -> tuple[MeasuredRow, ...]:
        """The figures of every run that has some."""
        return tuple(each.row for each in self.found if each.row is not None)

    @property
    def wrong_texts(self) -> tuple[str, ...]:
        """The drafters that wrote a text other than plain decoding's in a number format where this is an error."""
        wrong = [each for each in self.found if each.row is not None and each.row.same_text is False]
        dtypes = [(values_at(self.plan, self.tasks[each.task]).get(DTYPE, self.dtype), each.row) for each in wrong]
        return tuple(dict.fromkeys(row.drafter for dtype, row in dtypes if row and dtype in ("float32", "float64")))

    @property
    def dtype(self) -> str:
        """The number format of the runs; where the plan left it open, the machine's words may begin with it."""
        asked = self.plan.models.dtype
        return self.machine.partition(",")[0] if asked == "auto" else asked

    @property
    def untrusted(self) -> tuple[int, ...]:
        """The runs of all cells whose speedup is not trusted."""
        busy = (cell for cell in self.cells if cell.line is not None and not cell.line.trusted)
        return tuple(sorted(task for cell in busy for task in cell.tasks))

    @property
    def usual(self) -> str:
        """The figure that it is shown by: the speedup, or an exact one where cells have counts but none has a trusted speedup."""
        lines_ = [cell.line for cell in self.cells if cell.line is not None]
        return SPEEDUP if not lines_ or any(line.trusted for line in lines_) else TOKENS

    @property
    def within(self) -> float | None:
        """The share of the measured, trusted cells whose prediction is within 10% of the measured speedup; None without one."""
        pairs = predictions(self)
        right = sum(abs(predicted / measured - 1) <= WITHIN for predicted, measured in pairs)
        return right / len(pairs) if pairs else None


def value(cell: Cell | None, figure: str = SPEEDUP) -> float | None:
    """The figure of a cell; None where it has none, as a speedup that is not trusted."""
    line = None if cell is None else cell.line
    if line is None:
        return None
    if figure == SPEEDUP:
        return line.speedup.median if line.trusted else None
    return line.tokens_per_pass if figure == TOKENS else line.alpha


def predictions(sweep: Sweep) -> list[tuple[float, float]]:
    """Predicted and measured speedup of every measured cell whose speedup is trusted."""
    return [
        (cell.predicted, cell.line.speedup.median)
        for cell in sweep.cells
        if cell.how == MEASURED and cell.line is not None and cell.line.trusted and cell.predicted is not None
    ]


def as_json(sweep: Sweep) -> dict[str, Any]:
    """The sweep as JSON, with a figure as its median and its lowest and highest value as `..._spread`."""
    plan = sweep.plan
    return {
        "schema": SCHEMA,
        "name": sweep.name,
        "created": sweep.created,
        "machine": sweep.machine,
        "pair": plan.models.pair or plan.models.target,
        "dtype": plan.models.dtype,
        "settings": asdict(plan.settings),
        "axes": [{"name": axis.name, "values": list(axis.values)} for axis in plan.axes],
        "repeats": plan.repeats,
        "runs": len(sweep.tasks),
        "done": len(sweep.found),
        "decoding_share": sweep.decoding_share,
        "predicted_within_10_percent": sweep.within,
        "cells": [flat(cell, plan) for cell in sweep.cells],
        "pooled": [flat(cell, plan) for cell in sweep.pooled] if len(plan.axes) > 1 else [],
        "measured": [_of_run(each, sweep) for each in sweep.found],
    }


def _of_run(found: Found, sweep: Sweep) -> dict[str, Any]:
    """One run as one object."""
    task = sweep.tasks[found.task]
    title = sweep.plan.prompts[task.prompt].title
    row = {"title": title} if found.row is None else flat_record(found.row)
    return {**values_at(sweep.plan, task), "run": found.task, "how": HOW[found.how], **row, "predicted": found.predicted, "why": found.why}  # fmt: skip


def flat(cell: Cell, plan: SweepPlan) -> dict[str, Any]:
    """A cell as one object without nesting but for the spreads; the names are also the columns of the CSV."""
    at = {axis.name: value for axis, value in zip(plan.axes, cell.at, strict=False)}
    line = cell.line
    figures: dict[str, Any] = dict.fromkeys(
        ("prompts", "alpha", "tokens_per_pass", "c", "speedup", "speedup_spread", "with_prompt", "same_text", "trusted")
    )
    if line is not None:
        figures = {
            "prompts": line.prompts,
            "alpha": line.alpha,
            "tokens_per_pass": line.tokens_per_pass,
            "c": line.c,
            "speedup": line.speedup.median,
            "speedup_spread": [line.speedup.low, line.speedup.high],
            "with_prompt": line.speedup_with_prompt.median if cell.how == MEASURED else None,
            "same_text": line.same_text,
            "trusted": line.trusted,
        }
    return {**at, "how": HOW[cell.how], **figures, "predicted": cell.predicted, "why": cell.why}


def priced(speedup: float) -> Figure:
    """A calculated speedup as a figure: it has no spread."""
    return Figure(speedup, speedup, speedup)


def _cell(at: tuple[str, ...], found: Sequence[Found]) -> Cell:
    indices = tuple(each.task for each in found)
    rows = [each for each in found if each.row is not None]
    if not rows:
        return Cell(at, indices, LEFT_OUT, None, None, found[0].why)
    how = MEASURED if all(each.how == MEASURED for each in rows) else REPLANNED
    line = pooled([each.row for each in found if each.row is not None])
    predicted = [each.predicted for each in rows if each.predicted is not None]
    middle = sorted(predicted)[len(predicted) // 2] if predicted else None
    return Cell(at, indices, how, line, middle, next((each.why for each in rows if each.why), ""))
