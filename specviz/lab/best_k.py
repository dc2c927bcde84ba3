"""The best draft length for one prompt, pair and machine: predicted, measured, and what a cost-aware policy reaches. Standard library only.

Where the rounds of every length follow from one plain run they are the prediction, which comes first; elsewhere a length is predicted from
the rounds of its own run. Each length, and the cost-aware policy, is a sweep of one run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.lab.axes import POLICY, Axis, K
from specviz.lab.plan import Models, SweepPlan
from specviz.lab.rows import MeasuredRow, flat
from specviz.lab.study import Answer, Asked, Calculated, CalculationAsked, RunAsked, RunMade
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.replan import can_replan
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.conditions import Conditions

USUAL_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12)
_EXACT, _OWN = "rounds exact, times priced", "the rounds of these runs at the measured costs of passes"


@dataclass(frozen=True, slots=True)
class BestK:
    """Draft lengths of one prompt, predicted and measured; complete, or as far as it went.

    Attributes:
        how: how the predictions came about.
        predicted: speedup by k.
        measured: the runs by k.
        cost_aware: the run with the policy that stops where a token does not pay; None for a drafter that has no such policy, and before it.
        costs: the conditions under which the costs of passes were measured that the predictions need; None where that is not known.
        machine: where it was measured, in a few words.
        left_out: why runs could not be made, a sentence each.
    """

    how: str
    predicted: dict[int, float]
    measured: dict[int, MeasuredRow]
    cost_aware: MeasuredRow | None
    costs: Conditions | None = None
    machine: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def best_predicted(self) -> int | None:
        """The k with the highest predicted speedup, of equal ones the smallest; None without one."""
        return min(self.predicted, key=lambda k: (-self.predicted[k], k), default=None)

    @property
    def best_measured(self) -> int | None:
        """The measured k with the highest speedup that is trusted; None without one."""
        trusted = {k: row.speedup.median for k, row in self.measured.items() if row.trusted}
        return min(trusted, key=lambda k: (-trusted[k], k), default=None)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON values."""
        return {**flat(self), "best_predicted": self.best_predicted, "best_measured": self.best_measured}


def lengths_of(text: str) -> tuple[int, ...]:
    """Draft lengths from a text like "1,2,4".

    Raises:
        InputError: it has none, or one that cannot be.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part[:9]) <= MAX_DRAFT_LENGTH for part in parts):
        raise InputError(
            f"lengths was {text!r:.60}: give draft lengths from 1 to {MAX_DRAFT_LENGTH}, separated by commas."
        )
    return tuple(sorted({int(part) for part in parts}))


def requests(
    models: Models, prompt: ReadyPrompt, settings: Settings, lengths: Sequence[int], repeats: int, *, template: bool
) -> tuple[Asked, ...]:
    """What is asked for: the prediction where it needs no measurement, each length, and the cost-aware policy.

    Raises:
        InputError: it cannot be.
    """
    ks = Axis(K, tuple(map(str, lengths)))
    fixed = replace(settings, policy="fixed")
    plan = SweepPlan(models, fixed, (ks,), (prompt,), repeats, template, shortcut=True)
    predicted = [CalculationAsked(plan)] if can_replan(fixed) else []
    every: list[tuple[Axis, ...]] = [(Axis(K, (k,)),) for k in ks.values]
    if "cost" in registry.describe(settings.drafter).policies:
        every.append((Axis(K, (str(max(lengths)),)), Axis(POLICY, ("cost",))))
    return (*predicted, *(RunAsked(replace(plan, axes=axes, shortcut=False)) for axes in every))


def found(asked: Sequence[Asked], answers: Sequence[Answer]) -> BestK:
    """What the answers say, as far as they go."""
    best = BestK(_OWN, {}, {}, None)
    for each, answer in zip(asked, answers, strict=False):
        if isinstance(answer, Calculated) and answer.found and isinstance(each, CalculationAsked):
            rows = {int(k): one.row for k, one in zip(each.plan.axes[0].values, answer.found, strict=True) if one.row}
            predicted = {k: row.speedup.median for k, row in rows.items()}
            conditions = next((row.conditions for row in rows.values()), None)
            best = replace(best, how=_EXACT, predicted=predicted, costs=conditions)
        elif isinstance(answer, RunMade) and isinstance(each, RunAsked):
            row, k, own = answer.found.row, int(each.plan.axes[0].values[0]), answer.found.predicted
            best = replace(best, machine=answer.machine)
            if row is None:
                best = replace(best, left_out=tuple(dict.fromkeys((*best.left_out, answer.found.why))))
            elif len(each.plan.axes) > 1:
                best = replace(best, cost_aware=row)
            else:
                best.measured[k] = row
                if best.how == _OWN and own is not None:
                    best.predicted[k] = own
    return best
