"""The measurements of one number format: prompts, costs of passes, long contexts, and the formulas' predictions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from specviz.bench.contexts import fitting, measure_context
from specviz.bench.decoders import (
    LIBRARY_ASSISTED,
    LIBRARY_PLAIN,
    PLAIN,
    RECORDED,
    SPECULATIVE,
    Timed,
    in_turn,
    our_decoders,
    same_texts,
    traces_of,
)
from specviz.bench.ledger import ledger
from specviz.bench.machine import Machine
from specviz.bench.profile import Profile
from specviz.bench.reference import Library
from specviz.bench.results import ContextResult, Divergence, PromptResult, Result
from specviz.decoding.recorder import FULL
from specviz.models import Pair
from specviz.reporting.cost_curve import CostCurve, cost_curve
from specviz.reporting.figures import Figure, figure, ratios
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.race import median_pair, warm
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace import theory
from specviz.trace.conditions import Turn, counted
from specviz.trace.metrics import best_gap, most_possible, speedup, speedup_with_prompt, summarise
from specviz.trace.records import Trace


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure.

    Attributes:
        prompts: decoded by every decoder.
        settings: greedy, with the draft length and the number of new tokens.
        repeats: turns of every decoder, and sweeps of the cost curve.
        contexts: prompt lengths at which the cost of a round is measured.
    """

    prompts: tuple[ReadyPrompt, ...]
    settings: Settings
    repeats: int
    contexts: tuple[int, ...] = ()


def measure(pair: Pair, library: Library, plan: Plan, machine: Machine, announce: Callable[[str], None]) -> Result:
    """Measure everything in the pair's number format. Nothing else should run on the machine meanwhile.

    Args:
        announce: called with the next step, never during a measurement.

    Raises:
        PromptError: a prompt and its new tokens do not fit the models' context.
    """
    prompt_ids = {ready.title: Run(pair, ready.text, plan.settings).prompt_ids for ready in plan.prompts}
    announce("warming up")
    warm(pair)
    announce("costs of a pass")
    typical = int(median(len(ids) for ids in prompt_ids.values())) + plan.settings.max_new_tokens // 2
    costs = cost_curve(pair.target, pair.require_draft(), cached=typical, in_a_row=plan.settings.k, sweeps=plan.repeats)
    profile = _profile(pair, costs, machine)
    rows = []
    for number, ready in enumerate(plan.prompts, 1):
        announce(f"prompt {number} of {len(plan.prompts)}, {ready.title}")
        rows.append(_prompt(pair, library, ready, plan, profile))
    contexts = []
    for length in fitting(pair, plan.contexts):
        announce(f"context of {length} tokens")
        contexts.append(measure_context(pair, _words(plan.prompts), length, plan.settings.k, plan.repeats))
    return _result(
        rows, costs, profile, contexts, tuple(sorted(set(plan.contexts) - set(fitting(pair, plan.contexts))))
    )


def divergences(runs: Mapping[str, Sequence[Timed]], detailed: Trace) -> tuple[Divergence, ...]:
    """For each decoder whose text differs from that of our plain one, the first token that differs.

    Args:
        runs: the runs of each decoder, by name.
        detailed: our plain run with every candidate recorded.
    """
    ours = detailed.token_ids
    found = []
    for name, each in runs.items():
        other = next((run.token_ids for run in each if run.token_ids != ours), None)
        if other is None:
            continue
        index = next((i for i, (a, b) in enumerate(zip(ours, other, strict=False)) if a != b), None)
        gap = None if index is None else best_gap(detailed.rounds[index])
        found.append(Divergence(name, min(len(ours), len(other)) if index is None else index, gap))
    return tuple(found)


def _prompt(pair: Pair, library: Library, ready: ReadyPrompt, plan: Plan, profile: Profile) -> PromptResult:
    settings = plan.settings
    detailed = Run(pair, ready.text, settings, plain=True, recorder=FULL).finish()
    decoders = our_decoders(pair, ready.text, settings)
    decoders |= library.decoders(detailed.prompt_ids, settings.max_new_tokens)
    runs = in_turn(decoders, plan.repeats)
    timed = [(s, p) for s, p in zip(traces_of(runs[SPECULATIVE]), traces_of(runs[PLAIN]), strict=True)]
    speculative, plain = median_pair(timed)
    summary = summarise(speculative)
    alpha = summary.acceptance_rate or 0.0
    drafted = [len(round_.drafted) for round_ in speculative.rounds]
    predicted = theory.speedup_of_rounds(len(speculative.token_ids), drafted, profile.c, profile.v_at)
    measured = figure(speedup(p, s) for s, p in timed)
    turns = [
        Turn(
            speedup(p, s),
            None if ours.waited is None or other.waited is None else max(ours.waited, other.waited),
            most_possible(p, s),
        )
        for (s, p), ours, other in zip(timed, runs[SPECULATIVE], runs[PLAIN], strict=True)
    ]
    rates = {name: [run.rate for run in each] for name, each in runs.items()}
    return PromptResult(
        title=ready.title,
        category=ready.category,
        prompt_tokens=len(detailed.prompt_ids),
        tokens=len(detailed.token_ids),
        rates={name: figure(each) for name, each in rates.items()},
        plain_vs_transformers=ratios(rates[PLAIN], rates[LIBRARY_PLAIN]),
        speculative_vs_transformers=ratios(rates[SPECULATIVE], rates[LIBRARY_ASSISTED]),
        speedup=measured,
        speedup_with_prompt=figure(speedup_with_prompt(p, s) for s, p in timed),
        alpha=alpha,
        tokens_per_pass=summary.tokens_per_round,
        papers_speedup=theory.speedup(alpha, settings.k, profile.c),
        predicted_speedup=predicted,
        measured_over_predicted=measured.median / predicted,
        recording_cost=_recording_cost(runs[SPECULATIVE], runs[RECORDED]),
        ledger=ledger(plain, speculative),
        texts_agree=same_texts(runs),
        divergences=divergences(runs, detailed),
        trusted=counted(turns, len(turns))[0],
        waited=max((turn.waited for turn in turns if turn.waited is not None), default=None),
    )


def _recording_cost(light: Sequence[Timed], full: Sequence[Timed]) -> Figure:
    """The extra time per token when every candidate is recorded: a ratio of medians minus 1, with the spread over the turns."""
    slow, fast = [run.decoding_rate for run in full], [run.decoding_rate for run in light]
    turns = ratios(fast, slow)
    return Figure(median(fast) / median(slow) - 1, turns.low - 1, turns.high - 1)


def _result(
    rows: Sequence[PromptResult],
    costs: CostCurve,
    profile: Profile,
    contexts: Sequence[ContextResult],
    left_out: tuple[int, ...],
) -> Result:
    return Result(
        dtype=profile.dtype,
        plain_vs_transformers=figure(row.plain_vs_transformers.median for row in rows),
        speculative_vs_transformers=figure(row.speculative_vs_transformers.median for row in rows),
        speedup=figure(row.speedup.median for row in rows),
        speedup_with_prompt=figure(row.speedup_with_prompt.median for row in rows),
        papers_speedup=figure(row.papers_speedup for row in rows),
        predicted_speedup=figure(row.predicted_speedup for row in rows),
        measured_over_predicted=figure(row.measured_over_predicted for row in rows),
        alpha=figure(row.alpha for row in rows),
        c=costs.c,
        v=costs.v,
        recording_cost=figure(row.recording_cost.median for row in rows),
        texts_agree=all(row.texts_agree for row in rows),
        profile=profile,
        prompts=tuple(rows),
        contexts=tuple(contexts),
        contexts_left_out=left_out,
    )


def _profile(pair: Pair, costs: CostCurve, machine: Machine) -> Profile:
    return Profile(
        pair=pair.name,
        dtype=pair.card.dtype,
        device=pair.card.device,
        processor=machine.device_name,
        threads=machine.threads,
        cache_length=costs.cache_length,
        pass_s=costs.pass_s.median,
        c=costs.c.median,
        v=tuple((n, cost.median) for n, cost in costs.v.items()),
    )


def _words(prompts: Sequence[ReadyPrompt]) -> list[str]:
    return [word for ready in prompts for word in ready.text.split()]
