"""The examination of a draft with its target, on prompts that no training saw: acceptance, costs, speedups, texts."""

import gc
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from specviz.models.networks.kept_head import KeptHead
from specviz.models.pair import Pair
from specviz.models.sources import short_name
from specviz.reporting.cost_curve import cost_curve
from specviz.reporting.figures import CostCurve
from specviz.settings import Settings
from specviz.training.examination.rounds import (
    KS,
    WARM,
    Examination,
    ExaminedDrafter,
    Steps,
    conditions,
    reference,
    same_text,
    temperature,
)


def examine(examination: Examination, report: Callable[[int, int, str], object]) -> dict[str, Any]:
    """Measure everything; plain values that can be written as JSON.

    Args:
        report: callback with how many runs are done, of how many, and what is next. Never called during a measurement.

    Raises:
        SpecvizError: a model cannot be loaded, or a prompt does not fit.
    """
    asked = examination.asked
    pair = examination.pair()
    costs = cost_curve(pair.target, pair.require_draft(), [k + 1 for k in KS])
    subject = model_subject(pair, costs)
    steps = Steps(report, total=2 * len(asked.texts) * 3 + len(asked.texts))
    parts = {name: temperature(asked, subject, heat, steps) for name, heat in (("greedy", 0.0), ("sampled", WARM))}
    card, kept = pair.card, subject.kept
    plain = parts["greedy"].plain
    same = {"plain decoding": [sum(map(same_text, parts["greedy"].timings)), len(parts["greedy"].timings)]}
    timings = [timing for part in parts.values() for timing in part.timings]
    del pair, subject
    gc.collect()
    if card.dtype == "float32":
        same["transformers"] = [sum(reference(examination.target, asked, plain, steps)), len(plain)]
    return {
        **examination.about(card),
        "draft": short_name(str(examination.draft)),
        "kept": None if kept is None else len(kept),
        "pass_ms": {name: 1000 * seconds for name, seconds in asdict(costs.pass_s).items()},
        "c": asdict(costs.c),
        "v": {str(n): value for n, value in costs.usual_v.items()},
        **{name: part.figures for name, part in parts.items()},
        "same_text": same,
        **conditions(timings),
    }


def model_subject(pair: Pair, costs: CostCurve) -> ExaminedDrafter:
    """The pair's draft model as a chain."""
    drafting = {k: k * costs.c.median for k in KS}
    return ExaminedDrafter(pair, Settings(drafter="model"), drafting, costs.usual_v, _kept(pair))


def _kept(pair: Pair) -> frozenset[int] | None:
    """The ids that the draft may write; None if it may write all."""
    head = pair.require_draft().model.get_output_embeddings()
    return frozenset(head.kept.tolist()) if isinstance(head, KeptHead) else None
