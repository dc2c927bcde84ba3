"""The examination of a trained head on its target, beside a draft model: acceptance, costs, speedups, texts."""

import gc
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

from specviz.decoding.drafters import registry
from specviz.decoding.recorder import LIGHT
from specviz.models.loading import load_pair
from specviz.models.pair import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.training.examination.costs import PassCosts, pass_costs, target_costs
from specviz.training.examination.draft import model_subject
from specviz.training.examination.rounds import (
    KS,
    WARM,
    Asked,
    Part,
    Steps,
    Subject,
    conditions,
    reference,
    same_text,
    temperature,
)

_ROUNDS_PER_RUN = 3
"""Timed runs (plain ones count) for which the progress display counts one prompt at one temperature."""
_COST_TOKENS = 48
_COST_RUNS = 3


@dataclass(frozen=True, slots=True)
class Examination:
    """What is examined, and how.

    Attributes:
        target: its source.
        draft: source of a draft model to compare with; None for none.
        head: folder of the head.
        kind: of the head, and the name of its drafter.
        longest: how many tokens it can draft at once, at most.
        kept: the ids that it may write; None for all.
        asked: on what.
        device, dtype: as `load_pair` takes them.
    """

    target: str
    draft: str | None
    head: str
    kind: str
    longest: int
    kept: frozenset[int] | None
    asked: Asked
    device: str
    dtype: str


def examine(examination: Examination, report: Callable[[int, int, str], object]) -> dict[str, Any]:
    """Measure everything; plain values that can be written as JSON.

    Args:
        report: callback with how many runs are done, of how many, and what is next. Never called during a measurement.

    Raises:
        SpecvizError: a model cannot be loaded, or a prompt does not fit.
    """
    asked = examination.asked
    pair = load_pair(
        target=examination.target,
        draft=examination.draft,
        head=examination.head,
        device=examination.device,
        dtype=examination.dtype,
    )
    lengths = [k + 1 for k in KS]
    costs = target_costs(pair.target, lengths) if pair.draft is None else pass_costs(pair.target, pair.draft, lengths)
    subjects = {examination.kind: _subject(pair, examination, costs.usual_v, costs.pass_s.median)}
    if isinstance(costs, PassCosts):
        subjects["model"] = model_subject(pair, costs)
    steps = Steps(report, total=len(asked.texts) * (2 * _ROUNDS_PER_RUN * len(subjects) + 1))
    found: dict[str, dict[str, Part]] = {
        name: {part: temperature(asked, subject, heat, steps) for part, heat in (("greedy", 0.0), ("sampled", WARM))}
        for name, subject in subjects.items()
    }
    card = pair.card
    greedy = found[examination.kind]["greedy"]
    same = {"plain decoding": [sum(map(same_text, greedy.timings)), len(greedy.timings)]}
    timings = [timing for parts in found.values() for part in parts.values() for timing in part.timings]
    del pair, subjects
    gc.collect()
    if card.dtype == "float32":
        same["transformers"] = [sum(reference(examination.target, asked, greedy.plain, steps)), len(greedy.plain)]
    return {
        "target": card.target.name,
        "revision": card.target.revision,
        "kind": examination.kind,
        "device": card.device,
        "dtype": card.dtype,
        "prompts": len(asked.texts),
        "tokens": asked.tokens,
        "repeats": asked.repeats,
        "pass_ms": {name: 1000 * seconds for name, seconds in asdict(costs.pass_s).items()},
        "v": {str(n): value for n, value in costs.usual_v.items()},
        "drafters": {name: {part: each.figures for part, each in parts.items()} for name, parts in found.items()},
        "same_text": same,
        **conditions(timings),
    }


def _subject(pair: Pair, examination: Examination, v: dict[int, float], pass_s: float) -> Subject:
    """The head as a chain; what drafting costs is measured in its own runs, so that it has everything that the head adds to a round."""
    settings = registry.fitted(Settings(drafter=examination.kind))
    drafting = {}
    for k in range(1, min(examination.longest, KS[-1]) + 1):
        seconds = [
            round_.draft_s
            for text in examination.asked.texts[:_COST_RUNS]
            for round_ in Run(
                pair,
                text,
                replace(settings, k=k, max_new_tokens=_COST_TOKENS),
                template=examination.asked.template,
                recorder=LIGHT,
            )
            .finish()
            .rounds[1:]
            if len(round_.drafted) == k
        ]
        if seconds:
            drafting[k] = median(seconds) / pass_s
    return Subject(pair, settings, drafting, v, examination.kept)
