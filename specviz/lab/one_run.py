"""One run of a sweep as page and engine process speak of it: a sweep of a single run, and what was found. Standard library only."""

import json
from dataclasses import dataclass, replace

from specviz.lab.axes import CATEGORY, DTYPE, Axis
from specviz.lab.plan import SweepPlan, Task, values_at
from specviz.lab.results import Found
from specviz.request import PairAsked
from specviz.trace.files import from_json, to_json

NAME = "lab"
"""The task's name in `specviz.engine`."""


@dataclass(frozen=True, slots=True)
class RunAsked:
    """What is asked for.

    Attributes:
        plan: a sweep of this one run.
        sitting: runs with the same word share what was measured for all of them: costs of passes, plain texts.
    """

    plan: SweepPlan
    sitting: str


@dataclass(frozen=True, slots=True)
class RunMade:
    """What was found.

    Attributes:
        found: the run; its task is that of the sweep of one run, 0.
        recording: as `specviz.trace.files.dumps` writes it; None where there is none.
        machine: where it was measured, in a few words.
    """

    found: Found
    recording: str | None
    machine: str


def one_run(plan: SweepPlan, task: Task, *, for_real: bool = False) -> SweepPlan:
    """The sweep that has only this run of a plan.

    Args:
        for_real: measured even where it could be replanned.
    """
    axes = tuple(Axis(name, (value,)) for name, value in values_at(plan, task).items())
    prompt = plan.prompts[task.prompt]
    assert all(axis.name != CATEGORY or axis.values == (prompt.category,) for axis in axes), "a task of this plan"
    return replace(plan, axes=axes, prompts=(prompt,), shortcut=plan.shortcut and not for_real)


def pair_of(plan: SweepPlan, task: Task) -> PairAsked:
    """The models of a run, as the engine process is asked for them."""
    models = plan.models
    return PairAsked(
        models.pair or None,
        target=models.target or None,
        draft=models.draft or None,
        head=models.head or None,
        device=models.device,
        dtype=values_at(plan, task).get(DTYPE, models.dtype),
    )


def written(record: RunAsked | RunMade) -> str:
    """A record as JSON text."""
    return json.dumps(to_json(record), allow_nan=False)


def asked(text: str) -> RunAsked:
    """The record that was written."""
    found: RunAsked = from_json(RunAsked, json.loads(text), "RunAsked")
    return found


def made(text: str) -> RunMade:
    """The record that was written.

    Raises:
        TraceError: it is none.
    """
    found: RunMade = from_json(RunMade, json.loads(text), "RunMade")
    return found
