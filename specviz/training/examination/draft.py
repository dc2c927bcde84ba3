"""The examination of a draft with its target, on prompts that no training saw: acceptance, costs, speedups, texts."""

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean, median
from typing import Any

import torch
from transformers import GenerationConfig

from specviz.decoding.recorder import LIGHT
from specviz.models.loading import load_pair, load_target
from specviz.models.networks.kept_head import KeptHead
from specviz.models.pair import Pair
from specviz.models.sources import short_name
from specviz.runs.race import Timings, in_turn, median_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import speedup, speedup_with_prompt, summarise
from specviz.trace.records import Trace
from specviz.training.examination.acceptance import Acceptance
from specviz.training.examination.costs import PassCosts, pass_costs
from specviz.training.examination.positions import by_position, tokens_per_round

KS = (1, 2, 3, 4, 5, 6, 7, 8)
"""Draft lengths k for which a speedup is predicted."""
USUAL_K = 4
WARM = 0.7
"""The temperature beside 0."""
_WARM_ROUNDS = 3

Prompts = Mapping[str, Sequence[str]]
"""Kind -> prompts."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What is examined, and how.

    Attributes:
        target, draft: their sources.
        prompts: kind -> prompts.
        template: whether they go into the chat template, where there is one.
        tokens: new tokens of a run.
        repeats: timed pairs of runs for each prompt.
        device, dtype: as `load_pair` takes them.
    """

    target: str
    draft: str
    prompts: Prompts
    template: bool
    tokens: int
    repeats: int
    device: str
    dtype: str

    @property
    def texts(self) -> list[str]:
        """All prompts, kind by kind."""
        return [prompt for prompts in self.prompts.values() for prompt in prompts]


def examine(asked: Examination, report: Callable[[int, int, str], object]) -> dict[str, Any]:
    """Measure everything; plain values that can be written as JSON.

    Args:
        report: callback with how many runs are done, of how many, and what is next. Never called during a measurement.

    Raises:
        SpecvizError: a model cannot be loaded, or a prompt does not fit.
    """
    pair = load_pair(target=asked.target, draft=asked.draft, device=asked.device, dtype=asked.dtype)
    costs = pass_costs(pair.target, pair.require_draft(), [k + 1 for k in KS])
    kept = _kept(pair)
    steps = _Steps(report, total=2 * len(asked.texts) * 3 + len(asked.texts))
    parts = {
        name: _temperature(asked, pair, heat, costs, kept, steps) for name, heat in (("greedy", 0.0), ("sampled", WARM))
    }
    card = pair.card
    plain = parts["greedy"].plain
    same = {"plain decoding": [sum(map(_same, parts["greedy"].timings)), len(parts["greedy"].timings)]}
    timings = [timing for part in parts.values() for timing in part.timings]
    waited = [timing.conditions.waited for timing in timings if timing.conditions.waited is not None]
    del pair
    gc.collect()
    if card.dtype == "float32":
        same["transformers"] = [sum(_reference(asked, plain, steps)), len(plain)]
    return {
        "target": card.target.name,
        "revision": card.target.revision,
        "draft": short_name(asked.draft),
        "device": card.device,
        "dtype": card.dtype,
        "prompts": len(asked.texts),
        "tokens": asked.tokens,
        "repeats": asked.repeats,
        "kept": None if kept is None else len(kept),
        "pass_ms": {name: 1000 * seconds for name, seconds in asdict(costs.pass_s).items()},
        "c": asdict(costs.c),
        "v": {str(n): one.median for n, one in costs.v.items()},
        **{name: part.figures for name, part in parts.items()},
        "same_text": same,
        "waited": fmean(waited) if waited else None,
        "trusted": [sum(timing.conditions.trusted for timing in timings), len(timings)],
        "threads": torch.get_num_threads(),
    }


@dataclass(slots=True)
class _Steps:
    """Counts runs for the progress display."""

    report: Callable[[int, int, str], object]
    total: int
    done: int = 0

    def next(self, what: str) -> None:
        """One more prompt begins."""
        self.report(min(self.done, self.total), self.total, what)
        self.done += 1


@dataclass(frozen=True, slots=True)
class _Part:
    """What was found at one temperature: its figures, the plain run of each prompt, and all timings."""

    figures: dict[str, Any]
    plain: list[Trace]
    timings: list[Timings]


def _temperature(
    asked: Examination, pair: Pair, heat: float, costs: PassCosts, kept: frozenset[int] | None, steps: _Steps
) -> _Part:
    """Acceptance by position with the longest drafts, then timed runs at the best predicted k and at the usual one."""
    longest = Settings(k=KS[-1], temperature=heat, max_new_tokens=asked.tokens)
    traces = []
    for text in asked.texts:
        steps.next(f"temperature {heat:g}, k = {longest.k}")
        traces.append(Run(pair, text, longest, template=asked.template, recorder=LIGHT).finish())
    positions = by_position(traces, longest.k)
    rates = [position.alpha for position in positions]
    v = {n: one.median for n, one in costs.v.items()}
    predicted = {k: tokens_per_round(rates, k) / (k * costs.c.median + v[k + 1]) for k in KS}
    best = max(KS, key=lambda k: predicted[k])
    measured = {}
    timings: list[Timings] = []
    plain: list[Trace] = []
    for k in dict.fromkeys((USUAL_K, best)):
        timed = _timed(asked, pair, Settings(k=k, temperature=heat, max_new_tokens=asked.tokens), steps)
        measured[str(k)] = _measured(timed)
        timings += timed
        plain = plain or [timing.pairs[0][1] for timing in timed]
    figures = {
        "alpha": measured[str(USUAL_K)]["alpha"],
        "alpha_by_position": rates,
        "judged_by_position": [position.judged for position in positions],
        "alpha_by_kind": _by_kind(asked.prompts, traces),
        "cap": _cap(plain, kept),
        "best_k": best,
        "predicted": {str(k): value for k, value in predicted.items()},
        "measured": measured,
    }
    return _Part(figures, plain, timings)


def _timed(asked: Examination, pair: Pair, settings: Settings, steps: _Steps) -> list[Timings]:
    """Plain and speculative runs of every prompt, in turn."""
    found = []
    for text in asked.texts:
        steps.next(f"temperature {settings.temperature:g}, k = {settings.k}, timed")

        def prepare(text: str = text) -> None:
            for plain in (True, False):
                run = Run(pair, text, settings, plain=plain, template=asked.template, recorder=LIGHT)
                for _ in islice(run, _WARM_ROUNDS):
                    pass

        found.append(in_turn(pair, text, settings, asked.repeats, prepare=prepare, template=asked.template))
    return found


def _measured(timed: Sequence[Timings]) -> dict[str, Any]:
    """The figures at one k: medians over the prompts of the medians over pairs of runs, with the lowest and the highest prompt."""
    speeds = [median(speedup(plain, own) for own, plain in timing.pairs) for timing in timed]
    with_prompt = [median(speedup_with_prompt(plain, own) for own, plain in timing.pairs) for timing in timed]
    runs = [summarise(median_pair(timing.pairs)[0]) for timing in timed]
    accepted, judged = sum(run.accepted for run in runs), sum(run.judged for run in runs)
    order = sorted(range(len(runs)), key=lambda index: -runs[index].tokens_per_round)
    return {
        "speedup": median(speeds),
        "low": min(speeds),
        "high": max(speeds),
        "with_prompt": median(with_prompt),
        "predictable_half": median(speeds[index] for index in order[: (len(order) + 1) // 2]),
        "by_prompt": speeds,
        "alpha": Acceptance(accepted, judged).alpha,
        "tokens_per_round": sum(len(run.token_ids) for run in runs) / sum(run.rounds for run in runs),
    }


def _by_kind(prompts: Prompts, traces: Sequence[Trace]) -> dict[str, float | None]:
    """Acceptance of the first drafted token by kind of prompt, from traces in the order of the prompts."""
    found, start = {}, 0
    for kind, texts in prompts.items():
        found[kind] = by_position(traces[start : start + len(texts)], KS[-1])[0].alpha
        start += len(texts)
    return found


def _kept(pair: Pair) -> frozenset[int] | None:
    """The ids that the draft may write; None if it may write all."""
    head = pair.require_draft().model.get_output_embeddings()
    return frozenset(head.kept.tolist()) if isinstance(head, KeptHead) else None


def _cap(plain: Sequence[Trace], kept: frozenset[int] | None) -> float:
    """The share of the target's own tokens that the draft may write: over many tokens no acceptance rate is higher."""
    tokens = [token for trace in plain for token in trace.token_ids]
    return 1.0 if kept is None or not tokens else sum(token in kept for token in tokens) / len(tokens)


def _same(timing: Timings) -> bool:
    return all(own.token_ids == plain.token_ids for own, plain in timing.pairs)


@torch.inference_mode()
def _reference(asked: Examination, plain: Sequence[Trace], steps: _Steps) -> list[bool]:
    """Whether transformers' own generate writes the same tokens, for each prompt."""
    device = torch.device(plain[0].card.device)
    target = load_target(asked.target, device=device, dtype=torch.float32)
    settings = GenerationConfig(
        do_sample=False,
        max_new_tokens=asked.tokens,
        eos_token_id=sorted(target.ends) or None,
        pad_token_id=min(target.ends, default=0),
    )
    target.model.generation_config = settings
    found = []
    for trace in plain:
        steps.next("transformers' own text")
        ids = torch.tensor([trace.prompt_ids], device=device)
        written = target.model.generate(ids, attention_mask=torch.ones_like(ids), generation_config=settings)
        found.append(tuple(written[0, ids.shape[1] :].tolist()) == trace.token_ids)
    return found
