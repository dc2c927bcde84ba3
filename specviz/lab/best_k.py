"""The best draft length for one prompt, pair and machine: predicted, measured, and what a cost-aware policy reaches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.lab.cell import measure_one
from specviz.lab.contestants import contestants
from specviz.lab.costs import Watched, watched_costs
from specviz.lab.rows import MeasuredRow
from specviz.lab.shortcut import plain_text, priced_speedup
from specviz.lab.study import BestK, BestKAsked
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.replan import can_replan, replan
from specviz.settings import Settings
from specviz.trace import theory

NOTHING = BestK("", {}, {}, None)
"""Before the first step."""


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
    asked = BestKAsked(ready, settings, tuple(lengths), repeats, template)
    say("measuring what passes cost")
    costs = watched_costs(pair, settings.drafter)
    *_, found = steps(pair, asked, NOTHING, lambda: costs, say)
    return found


def steps(
    pair: Pair,
    asked: BestKAsked,
    before: BestK,
    costs: Callable[[], Watched],
    say: Callable[[str], None],
    *,
    stop: Callable[[], bool] = lambda: False,
    reserve: int = 0,
) -> Iterator[BestK]:
    """What is known after each further step: the prediction where it needs no measurement, each length, and the cost-aware policy.

    Args:
        before: what is known already; none of it is measured again.
        costs: what passes cost; it may measure that when it is first called.
        stop, reserve: as in `specviz.runs.race.in_turn`.

    Raises:
        Stopped: it was stopped.
    """
    fixed, found = replace(asked.settings, policy="fixed"), before

    def run(chosen: Settings, what: str) -> MeasuredRow:
        say(what)
        one = replace(contestants((chosen.drafter,), pair.name, chosen)[0], name=what)
        made = measure_one(
            pair, one, asked.prompt, asked.repeats, template=asked.template, announce=say, stop=stop, reserve=reserve
        )
        return made.row

    exact = can_replan(fixed)
    if exact and not found.predicted:
        watched = costs()
        text = plain_text(pair, asked.prompt.text, fixed, watched, template=asked.template)
        rounds = {k: replan(text.matches, k, fixed.max_new_tokens) for k in asked.lengths}
        predicted = {k: priced_speedup(each, watched.costs) for k, each in rounds.items()}
        found = BestK("rounds exact, times priced", predicted, {}, None, watched.conditions, found.machine)
        yield found
    for k in asked.lengths:
        if k in found.measured:
            continue
        found = replace(found, measured={**found.measured, k: run(replace(fixed, k=k), f"k = {k}")})
        if not exact:
            found = _with_formula(found, asked.lengths, costs())
        yield found
    if "cost" in registry.describe(fixed.drafter).policies and found.cost_aware is None:
        yield replace(found, cost_aware=run(replace(asked.settings, policy="cost", k=max(asked.lengths)), "cost-aware"))


def _with_formula(found: BestK, lengths: Sequence[int], watched: Watched) -> BestK:
    """The same with the prediction of the formula, with the α of everything that was measured."""
    alpha = _alpha(found.measured)
    how = f"the formula with the measured α = {alpha:.2f}, c and v"
    return replace(found, how=how, predicted=_by_formula(alpha, lengths, watched.costs), costs=watched.conditions)


def _alpha(measured: Mapping[int, MeasuredRow]) -> float:
    """Accepted over judged, of all runs."""
    judged = sum(row.judged for row in measured.values())
    return sum(row.accepted for row in measured.values()) / judged if judged else 0.0


def _by_formula(alpha: float, lengths: Sequence[int], costs: Costs) -> dict[int, float]:
    return {k: theory.speedup(alpha, k, costs.c, costs.verify(k)) for k in lengths}
