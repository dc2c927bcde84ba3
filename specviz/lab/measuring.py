"""Measures one run of a sweep, or calculates it: what `specviz lab sweep` and the page's task share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from time import perf_counter

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.protocols import Drafter, TokenByToken
from specviz.errors import DeviceLostError, InputError, PairError
from specviz.lab.axes import LENGTH, contestant
from specviz.lab.cell import measure_one, pairs_for
from specviz.lab.contestants import Contestant
from specviz.lab.costs import watched_costs
from specviz.lab.expected import is_calculated
from specviz.lab.ledger import ledger
from specviz.lab.plan import SweepPlan, Task, tasks, values_at
from specviz.lab.results import LEFT_OUT, MEASURED, Found
from specviz.lab.shortcut import PlainText, plain_text, replanned
from specviz.lab.study import Watched
from specviz.model_choice import heads_here
from specviz.models import Pair
from specviz.reporting.machine import this_machine
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.pass_costs import fitting_nodes
from specviz.runs.run import Run
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
        nodes: the size of trees; None for what this machine checks for little more than one token.
        remember: a drafter that copies from earlier texts gets its own of the runs before in the same category; otherwise it gets none, so
            that every figure is of one prompt alone.
        predicts: whether costs of passes are measured, so that a speedup can be predicted.
    """

    pair: Pair
    say: Say
    stop: Callable[[], bool] = _never
    reserve: int = 0
    known: Costs = field(default_factory=Costs)
    pass_s: float = 0.01
    nodes: int | None = None
    remember: bool = False
    predicts: bool = True
    _pairs: dict[str, Pair] = field(default_factory=dict)
    _plain: dict[tuple[int, str, bool, Settings], PlainText] = field(default_factory=dict)
    _costs: dict[tuple[int, str], Watched] = field(default_factory=dict)
    _written: dict[tuple[str, str], list[tuple[int, ...]]] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)

    def check(self, plan: SweepPlan) -> None:
        """Whether every run of a plan can begin; nothing is measured.

        Raises:
            PairError: a drafter cannot draft for this target.
            PromptError: a prompt and its new tokens do not fit the models' context.
        """
        for task in tasks(plan):
            chosen, pair = self._chosen(plan, task)
            ready, template = self._prompt(plan, values_at(plan, task), task)
            Run(pair, ready.text, chosen.settings, template=template)

    def calculated(self, plan: SweepPlan) -> tuple[Found, ...]:
        """Those runs of a plan that follow from a plain run; nothing but plain runs and costs of passes is measured.

        Raises:
            SpecvizError: one of them cannot be made.
        """
        found = []
        for task in tasks(plan):
            at = values_at(plan, task)
            chosen, pair = self._chosen(plan, task)
            if is_calculated(at, chosen.settings, pair.card.dtype):
                ready, template = self._prompt(plan, at, task)
                found.append(self._replanned(task, chosen, pair, ready, template=template))
        return tuple(found)

    def one(self, plan: SweepPlan, task: Task) -> tuple[Found, str | None]:
        """What was found, and its recording; a run that cannot be made is left out with the reason."""
        began = perf_counter()
        try:
            found, recording = self._one(plan, task)
        except DeviceLostError:
            raise
        except (PairError, InputError) as error:
            found, recording = Found(task.index, LEFT_OUT, None, None, None, str(error), 0.0, 0.0), None
        return replace(found, wall_s=perf_counter() - began), recording

    def _one(self, plan: SweepPlan, task: Task) -> tuple[Found, str | None]:
        at = values_at(plan, task)
        chosen, pair = self._chosen(plan, task)
        ready, template = self._prompt(plan, at, task)
        if plan.shortcut and is_calculated(at, chosen.settings, pair.card.dtype):
            return self._replanned(task, chosen, pair, ready, template=template), None
        return self._measured(task, chosen, pair, ready, plan.repeats, template=template)

    def _chosen(self, plan: SweepPlan, task: Task) -> tuple[Contestant, Pair]:
        """What runs, and the pair that it runs on."""
        name = plan.models.pair or None
        chosen = contestant(values_at(plan, task), plan.settings, name, heads_here(name, plan.models.head or None))
        pair = self._pair_for(chosen)
        if registry.describe(chosen.settings.drafter).shape == "tree":  # no axis varies its size
            nodes = fitting_nodes(pair) if self.nodes is None else self.nodes
            chosen = replace(chosen, settings=replace(chosen.settings, nodes=nodes))
        return chosen, pair

    def _busy(self, what: str) -> None:
        """Say once, and not for every run, that the machine is busy."""
        if what not in self._said:
            self._said.add(what)
            self.say(what)

    def _measured(
        self, task: Task, chosen: Contestant, pair: Pair, ready: ReadyPrompt, repeats: int, *, template: bool
    ) -> tuple[Found, str]:
        texts = self._written.setdefault((chosen.name, ready.category), [])
        outcome = measure_one(
            pair,
            chosen,
            ready,
            repeats,
            template=template,
            announce=self._busy,
            earlier=tuple(texts),
            reserve=self.reserve,
            stop=self.stop,
        )
        texts += [outcome.text] * self.remember
        speculative, plain = outcome.kept
        self.pass_s = plain.rounds[-1].ended_s / len(plain.rounds)
        predicted = None
        if self.predicts and is_countable(outcome.drafter):
            watched = self._costs_of(pair, chosen.settings.drafter)
            self.known = watched.costs
            predicted = predicted_speedup(speculative, self.known) if watched.conditions.trusted else None
        decoding = sum(run_seconds_of(trace) for both in outcome.timed for trace in both)
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

    def _prompt(self, plan: SweepPlan, at: dict[str, str], task: Task) -> tuple[ReadyPrompt, bool]:
        """The prompt, as long as the cell says; one that is made to a length goes in without a template."""
        ready = plan.prompts[task.prompt]
        if LENGTH not in at:
            return ready, plan.template
        return replace(ready, text=prompt_of(self.pair, ready.text.split(), int(at[LENGTH]))), False


def is_countable(drafter: Drafter) -> bool:
    """Whether the drafter's passes can be counted from a round: where a chain is drafted with a pass for each token, or copied without any."""
    described = registry.descriptions().get(drafter.name)
    countable = isinstance(drafter, TokenByToken) or (drafter.model is None and drafter.head is None)
    return described is not None and described.shape == "chain" and countable


def predicted_speedup(run: Trace, costs: Costs) -> float:
    """The speedup of these rounds at the measured costs of passes."""
    drafted = [len(round_.drafted) for round_ in run.rounds]
    return theory.speedup_of_rounds(len(run.token_ids), drafted, costs.c, lambda n: costs.verify(n - 1))


def prompt_of(pair: Pair, words: Sequence[str], length: int) -> str:
    """The longest text of these words, repeated, that has at most `length` tokens; at least one word."""

    def text(count: int) -> str:
        return " ".join(islice(cycle(words), count))

    fits, too_long = 1, length + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if len(pair.text.encode(text(middle), template=False)) <= length:
            fits = middle
        else:
            too_long = middle
    return text(fits)


def run_seconds_of(trace: Trace) -> float:
    """Seconds of a run, the prompt included."""
    return trace.prefill.target_s + trace.prefill.draft_s + (trace.rounds[-1].ended_s if trace.rounds else 0.0)


def machine_of(pair: Pair, dtype: str) -> str:
    """Where it is measured, and in which number format where the request left that open.

    Args:
        dtype: as it was asked for.
    """
    words = this_machine(pair.target.device).words
    return f"{pair.card.dtype}, {words}" if dtype == "auto" else words
