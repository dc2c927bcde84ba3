"""What page and engine process ask each other of the lab, and one run of a sweep among it. Standard library only.

Every question is one request or several, and each request is a job of its own: a visitor's run waits for one of them at most.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from specviz.decoding.costs import Costs
from specviz.errors import InputError
from specviz.lab import plan as plans
from specviz.lab.axes import CATEGORY, DTYPE, Axis
from specviz.lab.plan import SweepPlan, Task, values_at
from specviz.lab.profile import BatchPass, Profile
from specviz.lab.results import Found
from specviz.lab.service import Served, ServiceLoad
from specviz.lab.strip import KindOfText
from specviz.reporting.prompts import ReadyPrompt
from specviz.request import PairAsked
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.trace.files import from_json, to_json

NAME = "lab"
"""The task's name in `specviz.engine`."""


@dataclass(frozen=True, slots=True)
class RunAsked:
    """One run of a sweep: a sweep that has no other; see `one_run`."""

    plan: SweepPlan


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


@dataclass(frozen=True, slots=True)
class CalculationAsked:
    """Those runs of a sweep that follow from plain runs; the others are not made."""

    plan: SweepPlan


@dataclass(frozen=True, slots=True)
class Calculated:
    """These runs, none where the number format or the settings leave them open."""

    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class TextsAsked:
    """Acceptance over texts of one kind: what the target writes after these prompts; or a person's own text.

    Attributes:
        name: what the kind or the text is called.
        own: a person's text; "" for the prompts.
        most: tokens of the own text that are read at most.
    """

    name: str
    settings: Settings
    template: bool
    prompts: tuple[ReadyPrompt, ...] = ()
    own: str = ""
    most: int = 2000


@dataclass(frozen=True, slots=True)
class TextsFound:
    """What was found.

    Attributes:
        begins: of an own text, its first token: nothing stands before it, so that it has no acceptance. Untrusted.
        cut: whether the own text has more tokens than were read.
    """

    kind: KindOfText
    begins: str
    cut: bool
    machine: str


@dataclass(frozen=True, slots=True)
class CostsAsked:
    """What the passes of target and draft model cost."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Costs, and the conditions under which they were measured."""

    costs: Costs
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class ProfileAsked:
    """What passes cost here; see `specviz.lab.profiling`."""

    name: str
    by: str
    sweeps: int
    limit_s: float


@dataclass(frozen=True, slots=True)
class ServerAsked:
    """A simulated server at one arrival rate: measured passes over several texts, and what comes."""

    target: tuple[BatchPass, ...]
    draft: tuple[BatchPass, ...]
    load: ServiceLoad


@dataclass(frozen=True, slots=True)
class ServerFound:
    """Every way to serve."""

    rows: tuple[Served, ...]


Asked = RunAsked | CalculationAsked | TextsAsked | CostsAsked | ProfileAsked | ServerAsked
Answer = RunMade | Calculated | TextsFound | Watched | Profile | ServerFound
_ASKED = (RunAsked, CalculationAsked, TextsAsked, CostsAsked, ProfileAsked, ServerAsked)
_ANSWERS = (RunMade, Calculated, TextsFound, Watched, Profile, ServerFound)


def texts_of(prompts: Sequence[ReadyPrompt], settings: Settings, *, template: bool) -> list[TextsAsked]:
    """A request for each kind of these prompts, in their order."""
    kinds = dict.fromkeys(each.category for each in prompts)
    return [
        TextsAsked(kind, settings, template, tuple(each for each in prompts if each.category == kind)) for kind in kinds
    ]


def one_run(plan: SweepPlan, task: Task, *, for_real: bool = False) -> RunAsked:
    """The sweep that has only this run of a plan.

    Args:
        for_real: measured even where it could be replanned.
    """
    axes = tuple(Axis(name, (value,)) for name, value in values_at(plan, task).items())
    prompt = plan.prompts[task.prompt]
    assert all(axis.name != CATEGORY or axis.values == (prompt.category,) for axis in axes), "a task of this plan"
    return RunAsked(replace(plan, axes=axes, prompts=(prompt,), shortcut=plan.shortcut and not for_real))


def title(asked: Asked) -> str:
    """A run in words; "" for other requests, which say so themselves."""
    return plans.title(asked.plan, plans.tasks(asked.plan)[0]) if isinstance(asked, RunAsked) else ""


def pair_of(plan: SweepPlan) -> PairAsked:
    """The models of a sweep of one run, as the engine process is asked for them."""
    models = plan.models
    return PairAsked(
        models.pair or None,
        target=models.target or None,
        draft=models.draft or None,
        head=models.head or None,
        device=models.device,
        dtype=next((axis.values[0] for axis in plan.axes if axis.name == DTYPE), models.dtype),
    )


def request(asked: Asked, sitting: str) -> str:
    """A request as JSON text.

    Args:
        sitting: requests with the same word share what was measured for all of them, as long as the models stay loaded.
    """
    return json.dumps({"sitting": sitting, "asked": written(asked)})


def requested(text: str) -> tuple[Asked, str]:
    """The request that was written, and its sitting.

    Raises:
        InputError, TraceError: it is none, or is damaged.
    """
    read = json.loads(text)
    if not isinstance(read, dict) or not all(isinstance(read.get(each), str) for each in ("asked", "sitting")):
        raise InputError("What was asked for is no request of the lab: ask for one by its name.")
    asked: Asked = _read(read["asked"], _ASKED)
    return asked, read["sitting"]


def written(record: Asked | Answer) -> str:
    """A record as JSON text."""
    return json.dumps({type(record).__name__: to_json(record)}, allow_nan=False)


def answer(text: str) -> Answer:
    """The answer that was written.

    Raises:
        InputError, TraceError: it is none, or is damaged.
    """
    found: Answer = _read(text, _ANSWERS)
    return found


def _read(text: str, kinds: tuple[type, ...]) -> Any:
    value, known = json.loads(text), {kind.__name__: kind for kind in kinds}
    name = next(iter(value), "") if isinstance(value, dict) and len(value) == 1 else ""
    if name not in known:
        raise InputError(f"The lab knows no {name!r:.40}: there are {', '.join(known)}.")
    return from_json(known[name], value[name], name)
