"""What a sweep will be, before it begins: how many of its runs are calculated, and about how long it takes. Standard library only."""

from collections.abc import Collection
from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.errors import InputError, SettingsError
from specviz.lab.axes import DTYPE, K, contestant
from specviz.lab.plan import SweepPlan, check_size, run_seconds, tasks, values_at
from specviz.runs.replan import can_replan
from specviz.settings import Settings

_EXACT = ("auto", "float32", "float64")
"""In these formats a text does not depend on how many tokens a pass reads, so that rounds can be replanned. Of `auto` it is known when the
pair is loaded."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A sweep before it begins.

    Attributes:
        runs: how many it has.
        calculated: how many of them are replanned, from `texts` plain runs.
        left_out: how many cannot run.
        seconds: about how long it takes; None where nothing was measured that says so.
        source: what the seconds come from, in a few words; "" where there are none.
    """

    runs: int
    calculated: int
    texts: int
    left_out: int
    seconds: float | None
    source: str


def is_calculated(at: dict[str, str], settings: Settings, dtype: str) -> bool:
    """Whether a run at these values of the axes is replanned from a plain run, where the plan allows it."""
    return K in at and can_replan(settings) and dtype in _EXACT


def expected(
    plan: SweepPlan, heads: Collection[str], *, plain_rate: float | None = None, earlier_s: float | None = None
) -> Expected:
    """What to expect of a plan.

    Args:
        plain_rate: tokens per second of plain decoding, measured with these very models on this machine.
        earlier_s: the median seconds of earlier runs on this machine, used where there is no rate.

    Raises:
        InputError: it has too many runs.
    """
    check_size(plan, earlier_s)
    measured = calculated = left_out = 0
    seconds, texts = 0.0, set()
    pass_s = 1 / plain_rate if plain_rate else None
    known: dict[tuple[str, ...], bool | None] = {}
    for task in tasks(plan):
        at = values_at(plan, task)
        if task.at not in known:
            known[task.at] = _calculated(plan, at, heads)
        if known[task.at] is None:
            left_out += 1
        elif known[task.at]:
            calculated += 1
            texts.add((task.prompt, *(value for axis, value in at.items() if axis != K)))
        else:
            measured += 1
            seconds += run_seconds(plan, task, Costs(), pass_s) if pass_s else 0.0
    reading = 2 * plan.settings.max_new_tokens
    if pass_s is not None:
        source = f"plain decoding at {plain_rate:,.0f} tokens/s, measured when the models were loaded"
        return Expected(plan.size, calculated, len(texts), left_out, seconds + len(texts) * reading * pass_s, source)
    if earlier_s is not None:
        source = f"the median of earlier runs, {earlier_s:.2g} s each"
        return Expected(plan.size, calculated, len(texts), left_out, earlier_s * (measured + len(texts)), source)
    return Expected(plan.size, calculated, len(texts), left_out, None, "")


def will_calculate(plan: SweepPlan, at: dict[str, str], heads: Collection[str]) -> bool:
    """Whether the run of a plan at these values is replanned."""
    return _calculated(plan, at, heads) is True


def _calculated(plan: SweepPlan, at: dict[str, str], heads: Collection[str]) -> bool | None:
    """Whether a run is replanned; None where it cannot be made."""
    try:
        settings = contestant(at, plan.settings, plan.models.pair or None, heads).settings
    except (InputError, SettingsError):
        return None
    return plan.shortcut and is_calculated(at, settings, at.get(DTYPE, plan.models.dtype))
