"""The plan of a sweep: which runs it has, in which order, and about how long they take. Pure functions, standard library only."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.errors import InputError
from specviz.lab.axes import CATEGORY, DTYPE, LENGTH, Axis
from specviz.reporting.prompts import ReadyPrompt
from specviz.settings import Settings, check_closed
from specviz.trace import theory

MOST_RUNS = 10_000
"""A sweep of more is refused."""
MOST_REPEATS = 50
_USUAL_ALPHA = 0.7
"""The acceptance rate that an estimate assumes before anything was measured."""
_WARM_ROUNDS = 8
_AROUND_S = 0.1
"""Seconds around the timed runs of one cell: preparing, looking at the machine, storing."""
_UNKNOWN_S = 2.0
"""Seconds of a run, where this machine has measured none."""


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a sweep, as the options name them.

    Attributes:
        pair: the name of an offered pair; "" for models that were given.
        target, draft, head: where they are; "" where there are none.
    """

    pair: str
    target: str
    draft: str
    head: str
    device: str
    dtype: str


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """A sweep: what is varied, and what is not.

    Attributes:
        settings: of every run, but for what the axes vary.
        axes: one or two.
        prompts: those of every cell; with an axis of categories, those of all its categories.
        repeats: pairs of timed runs, of each cell on each prompt.
        shortcut: whether cells whose rounds follow from one plain run are replanned instead of run.

    Raises:
        InputError: the plan cannot be carried out; the message says why.
    """

    models: Models
    settings: Settings
    axes: tuple[Axis, ...]
    prompts: tuple[ReadyPrompt, ...]
    repeats: int
    template: bool
    shortcut: bool

    def __post_init__(self) -> None:
        names = [axis.name for axis in self.axes]
        if not 1 <= len(names) <= 2 or len(set(names)) != len(names):
            raise InputError(f"The axes were {', '.join(names) or 'none'}: give one or two different ones.")
        if not 1 <= self.repeats <= MOST_REPEATS:
            raise InputError(f"repeats was {self.repeats}: give a whole number from 1 to {MOST_REPEATS}.")
        check_closed(self.settings)
        if self.settings.max_new_tokens < 2:
            raise InputError("tokens was 1: give at least 2, because nothing is drafted for a single token.")
        if not self.prompts:
            raise InputError("The sweep has no prompt: give one, or --categories.")

    @property
    def size(self) -> int:
        """How many runs it has; nothing is listed for it."""
        if CATEGORY not in {axis.name for axis in self.axes}:
            return math.prod(len(axis.values) for axis in self.axes) * len(self.prompts)
        others = math.prod(len(axis.values) for axis in self.axes if axis.name != CATEGORY)
        chosen = next(axis.values for axis in self.axes if axis.name == CATEGORY)
        return others * sum(prompt.category in chosen for prompt in self.prompts)


@dataclass(frozen=True, slots=True)
class Task:
    """One run of a sweep: a cell of its table, on one prompt.

    Attributes:
        index: its position in the plan, from 0.
        at: the values of the axes, in their order.
        prompt: index into the plan's prompts.
    """

    index: int
    at: tuple[str, ...]
    prompt: int


def tasks(plan: SweepPlan) -> tuple[Task, ...]:
    """Every run of a sweep, in the order in which they are measured: number formats outermost, because each loads the models again; then
    prompts, so that the cells of one prompt are measured close together."""
    check_size(plan)
    found = sorted(_tasks(plan), key=lambda task: (_dtype_index(plan, task), task.prompt))
    return tuple(Task(index, task.at, task.prompt) for index, task in enumerate(found))


def values_at(plan: SweepPlan, task: Task) -> dict[str, str]:
    """The value of every axis of a run, by the name of the axis."""
    return {axis.name: value for axis, value in zip(plan.axes, task.at, strict=True)}


def title(plan: SweepPlan, task: Task) -> str:
    """A run in words: the values of its axes, and its prompt."""
    values = ", ".join(f"{axis} {value}" for axis, value in values_at(plan, task).items())
    return f"{values}: {plan.prompts[task.prompt].title}"


def run_seconds(plan: SweepPlan, task: Task, costs: Costs, pass_s: float) -> float:
    """About how many seconds a run takes, all repeats of both sides together, from measured costs.

    Args:
        pass_s: seconds of a target pass over one token.
    """
    at = values_at(plan, task)
    k, tokens = int(at.get("k", plan.settings.k)), plan.settings.max_new_tokens
    round_ = k * costs.c + costs.verify(k)
    speculative = tokens / theory.tokens_per_pass(_USUAL_ALPHA, k) * round_
    reading = int(at.get(LENGTH, 0)) * costs.verify(16) / 16
    warm = _WARM_ROUNDS / 2 * (1 + round_) + 2 * reading
    return (plan.repeats * (tokens + speculative + 2 * reading) + warm) * pass_s + _AROUND_S


def check_size(plan: SweepPlan, seconds: float | None = None) -> None:
    """Refuse a sweep that nobody would wait for.

    Args:
        seconds: of one run, as earlier sweeps on this machine measured it; None where there are none.

    Raises:
        InputError: with the number of runs, and about how long they would take.
    """
    if plan.size > MOST_RUNS:
        each = _UNKNOWN_S if seconds is None else seconds
        source = "a guess" if seconds is None else "the median of earlier ones"
        raise InputError(
            f"The sweep has {plan.size:,} runs, about {duration(plan.size * each)} at {each:.2g} s each ({source}): "
            f"give fewer values, at most {MOST_RUNS:,} runs."
        )


def time_left(done_s: Sequence[float], left: int, first_s: float) -> float:
    """Seconds that the remaining runs take, at the mean of those that were measured.

    Args:
        done_s: seconds of the runs that were measured in this sitting.
        left: how many remain.
        first_s: the estimate for one of them, used before any was measured.
    """
    return left * (sum(done_s) / len(done_s) if done_s else first_s)


def duration(seconds: float) -> str:
    """A time in words, roughly: "40 s", "3 min", "2 hours", "12 days"."""
    for limit, unit, name in ((90, 1, "s"), (5400, 60, "min"), (172_800, 3600, "hours"), (math.inf, 86_400, "days")):
        if seconds < limit:
            return f"{seconds / unit:,.0f} {name}"
    raise AssertionError("infinity is above every time")


def _tasks(plan: SweepPlan) -> Iterator[Task]:
    rows = plan.axes[0].values
    columns = plan.axes[1].values if len(plan.axes) > 1 else (None,)
    for row in rows:
        for column in columns:
            at = (row,) if column is None else (row, column)
            chosen = dict(zip((axis.name for axis in plan.axes), at, strict=True)).get(CATEGORY)
            for number, prompt in enumerate(plan.prompts):
                if chosen is None or prompt.category == chosen:
                    yield Task(0, at, number)


def _dtype_index(plan: SweepPlan, task: Task) -> int:
    for axis, value in zip(plan.axes, task.at, strict=True):
        if axis.name == DTYPE:
            return axis.values.index(value)
    return 0
