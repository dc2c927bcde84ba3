"""The best draft length for one prompt, pair and machine: predicted, measured, and what a cost-aware policy reaches."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from specviz.compare.contestants import contestants
from specviz.compare.measure import measure_one
from specviz.compare.results import Measured
from specviz.decoding.drafters import registry
from specviz.lab.costs import watched_costs
from specviz.lab.shortcut import plain_text, priced_speedup
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.replan import can_replan, replan
from specviz.settings import Settings
from specviz.trace import theory


@dataclass(frozen=True, slots=True)
class BestK:
    """What was found.

    Attributes:
        how: how the predictions came about.
        predicted: speedup by k.
        measured: the runs by k.
        cost_aware: the run with the policy that stops where a token does not pay; None for a drafter that has no such policy.
    """

    how: str
    predicted: dict[int, float]
    measured: dict[int, Measured]
    cost_aware: Measured | None

    @property
    def best_predicted(self) -> int:
        """The k with the highest predicted speedup; of equal ones the smallest."""
        return min(self.predicted, key=lambda k: (-self.predicted[k], k))

    @property
    def best_measured(self) -> int | None:
        """The measured k with the highest speedup that is trusted; None without one."""
        trusted = {k: row.speedup.median for k, row in self.measured.items() if row.trusted}
        return min(trusted, key=lambda k: (-trusted[k], k)) if trusted else None

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON values."""
        return {
            "how": self.how,
            "predicted": {str(k): speedup for k, speedup in self.predicted.items()},
            "measured": {str(k): _flat(row) for k, row in self.measured.items()},
            "cost_aware": None if self.cost_aware is None else _flat(self.cost_aware),
            "best_predicted": self.best_predicted,
            "best_measured": self.best_measured,
        }


def find(
    pair: Pair,
    ready: ReadyPrompt,
    settings: Settings,
    lengths: Sequence[int],
    repeats: int,
    say: Callable[[str], None],
    *,
    template: bool = True,
) -> BestK:
    """Predict every length and measure it, in turn with plain decoding. Nothing else should run on the machine meanwhile."""
    say("measuring what passes cost")
    costs = watched_costs(pair, settings.drafter)

    def run(chosen: Settings, what: str) -> Measured:
        say(what)
        one = replace(contestants((chosen.drafter,), pair.name, chosen)[0], name=what)
        return measure_one(pair, one, ready, repeats, template=template, announce=say).row

    fixed = replace(settings, policy="fixed")
    measured = {k: run(replace(fixed, k=k), f"k = {k}") for k in lengths}
    if can_replan(fixed):
        text = plain_text(pair, ready.text, fixed, costs, template=template)
        rounds = {k: replan(text.matches, k, fixed.max_new_tokens) for k in lengths}
        predicted = {k: priced_speedup(each, costs.costs) for k, each in rounds.items()}
        how = "rounds exact, times priced"
    else:
        judged = sum(row.judged for row in measured.values())
        alpha = sum(row.accepted for row in measured.values()) / judged if judged else 0.0
        predicted = {k: theory.speedup(alpha, k, costs.costs.c, costs.costs.verify(k)) for k in lengths}
        how = f"the formula with the measured α = {alpha:.2f}, c and v"
    aware = None
    if "cost" in registry.describe(settings.drafter).policies:
        aware = run(replace(settings, policy="cost", k=max(lengths)), "cost-aware")
    return BestK(how, predicted, measured, aware)


def _flat(row: Measured) -> dict[str, Any]:
    return {**asdict(row), "trusted": row.trusted}
