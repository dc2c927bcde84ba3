"""The best draft length for one prompt, pair and machine: predicted, measured, and what a cost-aware policy reaches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from specviz.compare.contestants import contestants
from specviz.compare.measure import measure_one
from specviz.compare.results import Measured
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.lab.costs import watched_costs
from specviz.lab.shortcut import plain_text, priced_speedup
from specviz.lab.study import BestK
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.replan import can_replan, replan
from specviz.settings import Settings
from specviz.trace import theory


def find(
    pair: Pair,
    ready: ReadyPrompt,
    settings: Settings,
    lengths: Sequence[int],
    repeats: int,
    say: Callable[[str], None],
    *,
    template: bool = True,
    seen: Callable[[BestK], None] = lambda found: None,
    stop: Callable[[], bool] = lambda: False,
    reserve: int = 0,
) -> BestK:
    """Predict every length and measure it, in turn with plain decoding. Nothing else should run on the machine meanwhile.

    Args:
        seen: is called with what was found so far, whenever there is more.
        stop, reserve: as in `specviz.runs.race.in_turn`.

    Raises:
        Stopped: it was stopped; what was found before was seen.
    """
    say("measuring what passes cost")
    costs = watched_costs(pair, settings.drafter)

    def run(chosen: Settings, what: str) -> Measured:
        say(what)
        one = replace(contestants((chosen.drafter,), pair.name, chosen)[0], name=what)
        return measure_one(pair, one, ready, repeats, template=template, announce=say, stop=stop, reserve=reserve).row

    fixed = replace(settings, policy="fixed")
    measured: dict[int, Measured] = {}
    predicted: dict[int, float] = {}
    how, exact = "", can_replan(fixed)
    if exact:
        text = plain_text(pair, ready.text, fixed, costs, template=template)
        rounds = {k: replan(text.matches, k, fixed.max_new_tokens) for k in lengths}
        predicted = {k: priced_speedup(each, costs.costs) for k, each in rounds.items()}
        how = "rounds exact, times priced"
        seen(BestK(how, predicted, {}, None, costs.conditions))
    for k in lengths:
        measured[k] = run(replace(fixed, k=k), f"k = {k}")
        if not exact:
            alpha = _alpha(measured)
            predicted = _by_formula(alpha, lengths, costs.costs)
            how = f"the formula with the measured α = {alpha:.2f}, c and v"
        seen(BestK(how, predicted, {**measured}, None, costs.conditions))
    aware = None
    if "cost" in registry.describe(settings.drafter).policies:
        aware = run(replace(settings, policy="cost", k=max(lengths)), "cost-aware")
    return BestK(how, predicted, measured, aware, costs.conditions)


def _alpha(measured: Mapping[int, Measured]) -> float:
    """Accepted over judged, of all runs."""
    judged = sum(row.judged for row in measured.values())
    return sum(row.accepted for row in measured.values()) / judged if judged else 0.0


def _by_formula(alpha: float, lengths: Sequence[int], costs: Costs) -> dict[int, float]:
    return {k: theory.speedup(alpha, k, costs.c, costs.verify(k)) for k in lengths}
