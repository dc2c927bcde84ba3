"""Carries out the runs of a sweep and stores each when it is over: what is missing is measured, so a sweep that was stopped goes on."""

import gc
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from itertools import groupby
from time import perf_counter

from specviz.bench.contexts import prompt_of
from specviz.bench.ledger import ledger
from specviz.chosen import heads_here
from specviz.compare.contestants import Contestant
from specviz.compare.measure import measure_one, pairs_for
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.kit import DraftsWithHead
from specviz.decoding.protocols import Drafter, DraftsTokenByToken, ReadsWithModel
from specviz.errors import DeviceLostError, InputError, PairError
from specviz.lab.axes import DTYPE, LENGTH, K, contestant
from specviz.lab.costs import Watched, watched_costs
from specviz.lab.plan import Plan, Task, duration, run_seconds, time_left, values_at
from specviz.lab.results import LEFT_OUT, MEASURED, Found
from specviz.lab.shortcut import PlainText, plain_text, replanned
from specviz.lab.store import Store
from specviz.models import Pair, load_pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.calm import Glance, glance
from specviz.runs.prepare import can_replan
from specviz.trace import theory
from specviz.trace.files import dumps
from specviz.trace.records import Trace

Say = Callable[[str], None]
_EXACT = ("float32", "float64")
"""In these formats a text does not depend on how many tokens a pass reads, so that rounds can be replanned."""


def load(plan: Plan, dtype: str, say: Say) -> Pair:
    """The pair of a plan in this number format."""
    models = plan.models
    return load_pair(
        models.pair or None,
        target=models.target or None,
        draft=models.draft or None,
        head=models.head or None,
        device=models.device,
        dtype=dtype,
        progress=lambda what, share: say(what),
    )


def carry_out(
    store: Store,
    name: str,
    say: Say,
    *,
    stop: Callable[[], bool] = lambda: False,
    only: Collection[int] | None = None,
    pair: Pair | None = None,
) -> int:
    """Measure what is missing of a stored sweep; returns how many runs were made. Nothing else should run on the machine meanwhile.

    Args:
        say: called with the next step and the time left, never during a measurement.
        stop: checked between runs; what was measured stays.
        only: these runs, measured for real even where they were replanned or measured before.
        pair: a loaded one, used for its own number format.

    Raises:
        InputError: there is no such sweep.
        SpecvizError: the models cannot be loaded, or the device was lost; what was measured stays.
    """
    sweep = store.sweep(name)
    plan, tasks = sweep.plan, sweep.tasks
    done = {each.task for each in sweep.found}
    missing = [task for task in tasks if (task.index in only if only is not None else task.index not in done)]
    first_s = store.run_seconds()
    spent: list[float] = []
    for dtype, group in groupby(missing, key=lambda task: values_at(plan, task).get(DTYPE, plan.models.dtype)):
        if stop():
            break
        usable = pair if pair is not None and dtype in ("auto", pair.card.dtype) else load(plan, dtype, say)
        bench = _Bench(plan, usable, say, shortcut=plan.shortcut and only is None)
        for task in group:
            if stop():
                return len(spent)
            estimated = run_seconds(plan, task, bench.known, bench.pass_s) if first_s is None else first_s
            left = time_left(spent, len(missing) - len(spent), estimated)
            say(f"run {len(spent) + 1} of {len(missing)}, about {duration(left)} left: {_title(plan, task)}")
            began = perf_counter()
            found, recording = bench.one(task)
            found = replace(found, wall_s=perf_counter() - began)
            store.keep(name, found, recording)
            spent.append(perf_counter() - began)
        del bench, usable
        gc.collect()
    return len(spent)


@dataclass(slots=True)
class _Bench:
    """Measures the runs of one number format.

    Attributes:
        known, pass_s: costs measured so far, for the estimate of the time that is left.
    """

    plan: Plan
    pair: Pair
    say: Say
    shortcut: bool
    known: Costs = field(default_factory=Costs)
    pass_s: float = 0.01
    _pairs: dict[str, Pair] = field(default_factory=dict)
    _plain: dict[tuple[str, ...], PlainText] = field(default_factory=dict)
    _costs: dict[tuple[int, str], Watched] = field(default_factory=dict)
    _before: Glance | None = None

    def one(self, task: Task) -> tuple[Found, str | None]:
        """What was found, and its recording; a run that cannot be made is left out with the reason."""
        at = values_at(self.plan, task)
        models = self.plan.models
        try:
            chosen = contestant(
                at, self.plan.settings, models.pair or None, heads_here(models.pair or None, models.head or None)
            )
            pair = self._pair_for(chosen)
            ready, template = self._prompt(at, task)
            if self.shortcut and K in at and can_replan(chosen.settings) and pair.card.dtype in _EXACT:
                return self._replanned(task, at, chosen, pair, ready, template=template), None
            return self._measured(task, chosen, pair, ready, template=template)
        except DeviceLostError:
            raise
        except (PairError, InputError) as error:
            return Found(task.index, LEFT_OUT, None, None, None, str(error), 0.0, 0.0), None

    def _measured(
        self, task: Task, chosen: Contestant, pair: Pair, ready: ReadyPrompt, *, template: bool
    ) -> tuple[Found, str]:
        costs = self._costs_of(pair, chosen.settings.drafter).costs
        before, self._before = self._before, glance()
        outcome = measure_one(
            pair, chosen, ready, self.plan.repeats, template=template, announce=self.say, before=before
        )
        speculative, plain = outcome.kept
        self.known, self.pass_s = costs, plain.rounds[-1].ended_s / len(plain.rounds)
        decoding = sum(_seconds(trace) for both in outcome.timed for trace in both)
        predicted = predicted_speedup(outcome.drafter, speculative, costs)
        found = Found(task.index, MEASURED, outcome.row, predicted, ledger(plain, speculative), "", decoding, decoding)
        return found, dumps(outcome.kept)

    def _replanned(
        self, task: Task, at: dict[str, str], chosen: Contestant, pair: Pair, ready: ReadyPrompt, *, template: bool
    ) -> Found:
        key = (*(value for axis, value in at.items() if axis != K), str(task.prompt))
        if key not in self._plain:
            costs = self._costs_of(pair, chosen.settings.drafter)
            self.say(f"one plain run and one pass over its text give every k: {ready.title}")
            self._plain = {key: plain_text(pair, ready.text, chosen.settings, costs, template=template)}
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

    def _prompt(self, at: dict[str, str], task: Task) -> tuple[ReadyPrompt, bool]:
        """The prompt, as long as the cell says; one that is made to a length goes in without a template."""
        ready = self.plan.prompts[task.prompt]
        if LENGTH not in at:
            return ready, self.plan.template
        return replace(ready, text=prompt_of(self.pair, ready.text.split(), int(at[LENGTH]))), False


def predicted_speedup(drafter: Drafter, run: Trace, costs: Costs) -> float | None:
    """The speedup of these rounds at the measured costs of passes; None where the drafter's passes cannot be counted from a round.

    They can where a chain is drafted with a pass for each token, or copied without any.
    """
    described = registry.descriptions().get(drafter.name)
    countable = isinstance(drafter, DraftsTokenByToken) or not isinstance(drafter, ReadsWithModel | DraftsWithHead)
    if described is None or described.shape != "chain" or not countable or described.needs == "other tokenizer":
        return None
    drafted = [len(round_.drafted) for round_ in run.rounds]
    return theory.speedup_of_rounds(len(run.token_ids), drafted, costs.c, lambda n: costs.verify(n - 1))


def _seconds(trace: Trace) -> float:
    return trace.prefill.target_s + trace.prefill.draft_s + (trace.rounds[-1].ended_s if trace.rounds else 0.0)


def _title(plan: Plan, task: Task) -> str:
    values = ", ".join(f"{axis} {value}" for axis, value in values_at(plan, task).items())
    return f"{values}: {plan.prompts[task.prompt].title}"
