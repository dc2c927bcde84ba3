"""The examination of a trained head on its target, beside a draft model: acceptance, costs, speedups, texts."""

import gc
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

from specviz.decoding.drafters import registry
from specviz.decoding.recorder import LIGHT
from specviz.errors import TrainingError
from specviz.models.heads.folder import read_spec, read_tokens
from specviz.models.heads.spec import Spec
from specviz.models.pair import Pair
from specviz.reporting.cost_curve import cost_curve
from specviz.reporting.figures import CostCurve
from specviz.runs.first_guesses import use_anyway
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.cards import PairCard
from specviz.training.examination.draft import model_subject
from specviz.training.examination.rounds import (
    KS,
    WARM,
    Examination,
    ExaminationPart,
    ExaminationRequest,
    ExaminedDrafter,
    Steps,
    conditions,
    reference,
    same_text,
    temperature,
    trees,
)
from specviz.training.heads.making import kind_named

NODES = (8, 12, 16)
"""The sizes of trees that are timed."""
CHAIN = "chain"
_HEATS = {"greedy": 0.0, "sampled": WARM}
_PASSES = {CHAIN: 3, "tree": len(NODES)}
"""How often every prompt is run at one temperature, for the progress display."""
_COST_TOKENS = 48
_COST_RUNS = 3


def examine(examination: Examination, report: Callable[[int, int, str], object]) -> dict[str, Any]:
    """Measure everything; plain values that can be written as JSON.

    Args:
        report: callback with how many runs are done, of how many, and what is next. Never called during a measurement.

    Raises:
        SpecvizError: a model cannot be loaded, or a prompt does not fit.
    """
    assert examination.head is not None, "a head is examined"
    asked, spec = examination.asked, read_spec(examination.head)
    ways = {name: each.shape for name, each in registry.descriptions().items() if each.head == spec.kind}
    turns = _PASSES[CHAIN] + sum(_PASSES[shape] for shape in ways.values())
    steps = Steps(report, total=len(asked.texts) * (len(_HEATS) * turns + 1))
    runs = _runs(examination, spec, ways, steps)
    gc.collect()
    card, parts = runs.card, [part for found in runs.found.values() for part in found.values()]
    greedy = [timing for found in runs.found.values() for timing in found["greedy"].timings]
    same = {"plain decoding": [sum(map(same_text, greedy)), len(greedy)]}
    if card.dtype == "float32":
        plain = next(iter(runs.found.values()))["greedy"].plain
        same["transformers"] = [sum(reference(examination.target, asked, plain, steps)), len(plain)]
    return {
        **examination.about(card),
        "kind": spec.kind,
        "pass_ms": {name: 1000 * seconds for name, seconds in asdict(runs.costs.pass_s).items()},
        "v": {str(n): value for n, value in runs.costs.usual_v.items()},
        "drafters": {name: {part: each.figures for part, each in found.items()} for name, found in runs.found.items()},
        "same_text": same,
        **conditions([timing for part in parts for timing in part.timings]),
    }


@dataclass(frozen=True, slots=True)
class _Runs:
    """What was found with the pair, which is dropped afterwards: drafter -> part of the examination -> figures."""

    card: PairCard
    costs: CostCurve
    found: dict[str, dict[str, ExaminationPart]]


def _runs(examination: Examination, spec: Spec, ways: Mapping[str, str], steps: Steps) -> _Runs:
    asked, pair, longest = examination.asked, examination.pair(), kind_named(spec.kind).longest(spec.options)
    use_anyway(pair, spec.kind)
    tokens = None if examination.head is None else read_tokens(examination.head, spec)
    kept = None if tokens is None else frozenset(tokens.tolist())
    lengths = sorted({1 + size for size in (*KS, *NODES)})
    costs = cost_curve(pair.target, pair.draft, lengths)
    found: dict[str, dict[str, ExaminationPart]] = {}
    for name, shape in ways.items():
        if shape == CHAIN:
            chain = _chain(pair, name, asked, longest, costs, kept)
            found[name] = {part: temperature(asked, chain, heat, steps) for part, heat in _HEATS.items()}
        else:
            settings = registry.fitted(Settings(drafter=name, k=min(longest, KS[-1])))
            found[name] = {
                part: trees(asked, pair, settings, heat, NODES, costs, steps) for part, heat in _HEATS.items()
            }
    if costs.drafting is not None:
        model = model_subject(pair, costs)
        found["model"] = {part: temperature(asked, model, heat, steps) for part, heat in _HEATS.items()}
    return _Runs(pair.card, costs, found)


def _chain(
    pair: Pair, name: str, request: ExaminationRequest, longest: int, costs: CostCurve, kept: frozenset[int] | None
) -> ExaminedDrafter:
    """A drafter of chains; what drafting costs is measured in its own runs, so that it has everything that the head adds to a round."""
    settings = registry.fitted(Settings(drafter=name))
    drafting = {}
    for k in range(1, min(longest, KS[-1]) + 1):
        asked = replace(settings, k=k, max_new_tokens=_COST_TOKENS)
        runs = [
            Run(pair, text, asked, template=request.template, recorder=LIGHT).finish()
            for text in request.texts[:_COST_RUNS]
        ]
        seconds = [round_.draft_s for run in runs for round_ in run.rounds[1:] if round_.drafted]
        if seconds:
            drafting[k] = median(seconds) / costs.pass_s.median
    if not drafting:
        raise TrainingError(f"The drafter {name} proposed nothing in {_COST_RUNS} runs.")
    return ExaminedDrafter(pair, settings, drafting, costs.usual_v, kept)
