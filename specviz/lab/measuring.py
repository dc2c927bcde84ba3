"""Measures one run of a sweep, or calculates it: what `specviz lab sweep` and the page's task share."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from specviz.bench.contexts import prompt_of
from specviz.bench.ledger import ledger
from specviz.chosen import heads_here
from specviz.compare.contestants import Contestant
from specviz.compare.measure import measure_one, pairs_for
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.protocols import Drafter, TokenByToken
from specviz.errors import DeviceLostError, InputError, PairError
from specviz.lab.axes import LENGTH, contestant
from specviz.lab.costs import Watched, watched_costs
from specviz.lab.expected import is_calculated
from specviz.lab.plan import Plan, Task, values_at
from specviz.lab.results import LEFT_OUT, MEASURED, Found
from specviz.lab.shortcut import PlainText, plain_text, replanned
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.calm import Glance, glance
from specviz.runs.pass_costs import fitting_nodes
from specviz.settings import Settings
from specviz.trace import theory
from specviz.trace.files import dumps
from specviz.trace.records import Trace

Say = Callable[[str], None]
_MOST_TEXTS = 256
"""So many plain texts are kept for the runs after them."""


def _never() -> bool:
    """Nobody stops it."""
    return False


@dataclass(slots=True)
class Bench:
    """Measures runs with one loaded pair, and keeps what several of them need: costs of passes, plain texts, other drafts.

    Attributes:
        say: called with the next step, never during a measurement.
        stop: checked between runs; then `specviz.runs.race.Stopped` is raised, and what was not over is lost.
        reserve: cores that are left to others.
        known, pass_s: costs measured so far, for the estimate of the time that is left.
    """

    pair: Pair
    say: Say
    stop: Callable[[], bool] = _never
    reserve: int = 0
    known: Costs = field(default_factory=Costs)
    pass_s: float = 0.01
    _pairs: dict[str, Pair] = field(default_factory=dict)
    _plain: dict[tuple[int, str, bool, Settings], PlainText] = field(default_factory=dict)
    _costs: dict[tuple[int, str], Watched] = field(default_factory=dict)
    _before: Glance | None = None

    def one(self, plan: Plan, task: Task) -> tuple[Found, str | None]:
        """What was found, and its recording; a run that cannot be made is left out with the reason."""
        at = values_at(plan, task)
        models = plan.models
        try:
            chosen = contestant(
                at, plan.settings, models.pair or None, heads_here(models.pair or None, models.head or None)
            )
            pair = self._pair_for(chosen)
            if registry.describe(chosen.settings.drafter).shape == "tree":  # no axis varies its size
                chosen = replace(chosen, settings=replace(chosen.settings, nodes=fitting_nodes(pair)))
            ready, template = self._prompt(plan, at, task)
            if plan.shortcut and is_calculated(at, chosen.settings, pair.card.dtype):
                return self._replanned(task, chosen, pair, ready, template=template), None
            return self._measured(task, chosen, pair, ready, plan.repeats, template=template)
        except DeviceLostError:
            raise
        except (PairError, InputError) as error:
            return Found(task.index, LEFT_OUT, None, None, None, str(error), 0.0, 0.0), None

    def _measured(
        self, task: Task, chosen: Contestant, pair: Pair, ready: ReadyPrompt, repeats: int, *, template: bool
    ) -> tuple[Found, str]:
        costs = self._costs_of(pair, chosen.settings.drafter).costs
        before, self._before = self._before, glance()
        outcome = measure_one(
            pair,
            chosen,
            ready,
            repeats,
            template=template,
            announce=self.say,
            before=before,
            reserve=self.reserve,
            stop=self.stop,
        )
        speculative, plain = outcome.kept
        self.known, self.pass_s = costs, plain.rounds[-1].ended_s / len(plain.rounds)
        decoding = sum(_seconds(trace) for both in outcome.timed for trace in both)
        predicted = predicted_speedup(outcome.drafter, speculative, costs)
        found = Found(task.index, MEASURED, outcome.row, predicted, ledger(plain, speculative), "", decoding, decoding)
        return found, dumps(outcome.kept)

    def _replanned(self, task: Task, chosen: Contestant, pair: Pair, ready: ReadyPrompt, *, template: bool) -> Found:
        key = (id(pair), ready.text, template, replace(chosen.settings, k=1))
        if key not in self._plain:
            costs = self._costs_of(pair, chosen.settings.drafter)
            self.say(f"one plain run and one pass over its text give every k: {ready.title}")
            if len(self._plain) >= _MOST_TEXTS:
                self._plain.clear()
            self._plain[key] = plain_text(pair, ready.text, chosen.settings, costs, template=template)
        return replanned(task.index, self._plain[key], pair, chosen, ready)

    def _costs_of(self, pair: Pair, drafter: str) -> Watched:
        key = (id(pair), drafter)
        if key not in self._costs:
            self.say("measuring what passes cost")
            self._costs[key] = watched_costs(pair, drafter)
        return self._costs[key]

    def _pair_for(self, chosen: Contestant) -> Pair:
        if chosen.draft is None:
            return self.pair
        if chosen.draft not in self._pairs:
            self._pairs |= pairs_for(self.pair, [chosen], lambda what, share: self.say(what))
        return self._pairs[chosen.draft]

    def _prompt(self, plan: Plan, at: dict[str, str], task: Task) -> tuple[ReadyPrompt, bool]:
        """The prompt, as long as the cell says; one that is made to a length goes in without a template."""
        ready = plan.prompts[task.prompt]
        if LENGTH not in at:
            return ready, plan.template
        return replace(ready, text=prompt_of(self.pair, ready.text.split(), int(at[LENGTH]))), False


def predicted_speedup(drafter: Drafter, run: Trace, costs: Costs) -> float | None:
    """The speedup of these rounds at the measured costs of passes; None where the drafter's passes cannot be counted from a round.

    They can where a chain is drafted with a pass for each token, or copied without any.
    """
    described = registry.descriptions().get(drafter.name)
    countable = isinstance(drafter, TokenByToken) or (drafter.model is None and drafter.head is None)
    if described is None or described.shape != "chain" or not countable or described.needs == "other tokenizer":
        return None
    drafted = [len(round_.drafted) for round_ in run.rounds]
    return theory.speedup_of_rounds(len(run.token_ids), drafted, costs.c, lambda n: costs.verify(n - 1))


def _seconds(trace: Trace) -> float:
    return trace.prefill.target_s + trace.prefill.draft_s + (trace.rounds[-1].ended_s if trace.rounds else 0.0)
