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
from specviz.training.examination.costs import PassCosts, TargetCosts, pass_costs, target_costs
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
    trees,
)

NODES = (8, 12, 16)
"""The sizes of trees that are timed."""
CHAIN = "chain"
_HEATS = {"greedy": 0.0, "sampled": WARM}
_PASSES = {CHAIN: 3, "tree": len(NODES)}
"""How often every prompt is run at one temperature, for the progress display."""
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
    ways = {
        name: described.shape
        for name, described in registry.descriptions().items()
        if described.head == examination.kind
    }
    found: dict[str, dict[str, Part]] = {}
    steps = Steps(
        report, total=len(asked.texts) * (2 * (_PASSES[CHAIN] + sum(map(_PASSES.__getitem__, ways.values()))) + 1)
    )
    for name, shape in ways.items():
        if shape == CHAIN:
            subject = _chain(pair, name, examination, costs)
            found[name] = {part: temperature(asked, subject, heat, steps) for part, heat in _HEATS.items()}
        else:
            settings = registry.fitted(Settings(drafter=name, k=examination.longest))
            found[name] = {part: trees(asked, pair, settings, heat, NODES, steps) for part, heat in _HEATS.items()}
    if isinstance(costs, PassCosts):
        subject = model_subject(pair, costs)
        found["model"] = {part: temperature(asked, subject, heat, steps) for part, heat in _HEATS.items()}
    card = pair.card
    greedy = [timing for parts in found.values() for timing in parts["greedy"].timings]
    plain = next(iter(found.values()))["greedy"].plain
    same = {"plain decoding": [sum(map(same_text, greedy)), len(greedy)]}
    timings = [timing for parts in found.values() for part in parts.values() for timing in part.timings]
    del pair, subject
    gc.collect()
    if card.dtype == "float32":
        same["transformers"] = [sum(reference(examination.target, asked, plain, steps)), len(plain)]
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


def _chain(pair: Pair, name: str, examination: Examination, costs: TargetCosts) -> Subject:
    """A drafter of chains; what drafting costs is measured in its own runs, so that it has everything that the head adds to a round."""
    settings = registry.fitted(Settings(drafter=name))
    drafting = {}
    for k in range(1, min(examination.longest, KS[-1]) + 1):
        asked = replace(settings, k=k, max_new_tokens=_COST_TOKENS)
        runs = [
            Run(pair, text, asked, template=examination.asked.template, recorder=LIGHT).finish()
            for text in examination.asked.texts[:_COST_RUNS]
        ]
        seconds = [round_.draft_s for run in runs for round_ in run.rounds[1:] if len(round_.drafted) == k]
        if seconds:
            drafting[k] = median(seconds) / costs.pass_s.median
    return Subject(pair, settings, drafting, costs.usual_v, examination.kept)
