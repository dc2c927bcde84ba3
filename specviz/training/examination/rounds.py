"""Runs of one drafter on prompts that no training saw, counted and timed: what every examination is made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import Any

import torch
from transformers import GenerationConfig

from specviz.decoding.recorder import LIGHT
from specviz.models.loading import load_pair, load_target
from specviz.models.pair import Pair
from specviz.reporting.figures import CostCurve
from specviz.runs.race import Timings, in_turn, median_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.cards import PairCard
from specviz.trace.metrics import speedup, speedup_with_prompt, summarise
from specviz.trace.records import Trace
from specviz.training.examination.positions import Acceptance, by_position, tokens_per_round

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
        target: its source.
        draft: source of the draft that is examined, or that is compared with the head; None for none.
        head: folder of the head that is examined; None where it is the draft.
        asked: on what.
        device, dtype: as `load_pair` takes them.
    """

    target: str
    draft: str | None
    head: Path | None
    asked: "ExaminationRequest"
    device: str
    dtype: str

    def pair(self) -> Pair:
        """The models, loaded."""
        head = None if self.head is None else str(self.head)
        return load_pair(target=self.target, draft=self.draft, head=head, device=self.device, dtype=self.dtype)

    def about(self, card: PairCard) -> dict[str, Any]:
        """Plain values for the figures: with which target, where, and on how much."""
        return {
            "target": card.target.name,
            "revision": card.target.revision,
            "device": card.device,
            "dtype": card.dtype,
            "prompts": len(self.asked.texts),
            "tokens": self.asked.tokens,
            "repeats": self.asked.repeats,
        }


@dataclass(frozen=True, slots=True)
class ExaminedDrafter:
    """A drafter that is examined on a pair.

    Attributes:
        pair: with everything that the drafter needs.
        settings: its drafter and what else is special about it; k, temperature and length are set for each run.
        drafting: k -> what drafting k tokens costs, in passes of the target.
        v: n -> what a pass of the target over n tokens costs.
        kept: the ids that it may write; None if it may write all.
    """

    pair: Pair
    settings: Settings
    drafting: Mapping[int, float]
    v: Mapping[int, float]
    kept: frozenset[int] | None = None

    @property
    def ks(self) -> tuple[int, ...]:
        """The draft lengths for which a speedup is predicted."""
        return tuple(sorted(self.drafting))

    @property
    def usual_k(self) -> int:
        """The usual draft length, or the longest where that is shorter."""
        return min(USUAL_K, self.ks[-1])


@dataclass(frozen=True, slots=True)
class ExaminationRequest:
    """On what a drafter is examined.

    Attributes:
        prompts: kind -> prompts.
        template: whether they go into the chat template, where there is one.
        tokens: new tokens of a run.
        repeats: timed pairs of runs for each prompt.
    """

    prompts: Prompts
    template: bool
    tokens: int
    repeats: int

    @property
    def texts(self) -> list[str]:
        """All prompts, kind by kind."""
        return [prompt for prompts in self.prompts.values() for prompt in prompts]


@dataclass(slots=True)
class Steps:
    """Counts runs for the progress display."""

    report: Callable[[int, int, str], object]
    total: int
    done: int = 0

    def next(self, what: str) -> None:
        """One more prompt begins."""
        self.report(min(self.done, self.total), self.total, what)
        self.done += 1


@dataclass(frozen=True, slots=True)
class ExaminationPart:
    """What was found at one temperature: its figures, the plain run of each prompt, and all timings."""

    figures: dict[str, Any]
    plain: list[Trace]
    timings: list[Timings]


def temperature(asked: ExaminationRequest, subject: ExaminedDrafter, heat: float, steps: Steps) -> ExaminationPart:
    """Acceptance by position with the longest drafts, then timed runs at the best predicted k and at the usual one."""
    usual = replace(subject.settings, temperature=heat, max_new_tokens=asked.tokens)
    longest = replace(usual, k=subject.ks[-1])
    traces = []
    for text in asked.texts:
        steps.next(f"temperature {heat:g}, k = {longest.k}")
        traces.append(Run(subject.pair, text, longest, template=asked.template, recorder=LIGHT).finish())
    positions = by_position(traces, longest.k)
    rates = [position.alpha for position in positions]
    predicted = {k: tokens_per_round(rates, k) / (subject.drafting[k] + subject.v[k + 1]) for k in subject.ks}
    best = max(subject.ks, key=lambda k: predicted[k])
    measured = {}
    timings: list[Timings] = []
    plain: list[Trace] = []
    for k in dict.fromkeys((subject.usual_k, best)):
        timed = _timed(asked, subject.pair, replace(usual, k=k), steps)
        measured[str(k)] = _measured(timed)
        timings += timed
        plain = plain or [timing.pairs[0][1] for timing in timed]
    figures = {
        "alpha": measured[str(subject.usual_k)]["alpha"],
        "alpha_by_position": rates,
        "judged_by_position": [position.judged for position in positions],
        "alpha_by_kind": _by_kind(asked.prompts, traces, longest.k),
        "cap": _cap(plain, subject.kept),
        "best_k": best,
        "drafting": {str(k): value for k, value in subject.drafting.items()},
        "predicted": {str(k): value for k, value in predicted.items()},
        "measured": measured,
    }
    return ExaminationPart(figures, plain, timings)


def trees(
    asked: ExaminationRequest,
    pair: Pair,
    settings: Settings,
    heat: float,
    sizes: Sequence[int],
    costs: CostCurve,
    steps: Steps,
) -> ExaminationPart:
    """Timed runs with trees of each of these sizes; the best one is that with the best measured speedup.

    The tokens a round of the tree were measured, and so was what drafting it costs; a pass over a tree is priced as one over as many tokens
    in a row.
    """
    usual = replace(settings, temperature=heat, max_new_tokens=asked.tokens)
    measured = {}
    drafting, predicted = {}, {}
    timings: list[Timings] = []
    for nodes in sizes:
        timed = _timed(asked, pair, replace(usual, nodes=nodes), steps)
        size = str(nodes)
        measured[size] = _measured(timed)
        drafting[size] = _draft_seconds(timed) / costs.pass_s.median
        predicted[size] = measured[size]["tokens_per_round"] / (drafting[size] + costs.usual_v[nodes + 1])
        timings += timed
    best = max(sizes, key=lambda nodes: measured[str(nodes)]["speedup"])
    plain = [timing.pairs[0][1] for timing in timings[: len(asked.texts)]]
    figures = {"best_nodes": best, "drafting": drafting, "predicted": predicted, "measured": measured}
    return ExaminationPart(figures, plain, timings)


def _draft_seconds(timed: Sequence[Timings]) -> float:
    """Median seconds of drafting a round."""
    runs = [own for timing in timed for own, _ in timing.pairs]
    return median([one.draft_s for run in runs for one in run.rounds if one.drafted] or [0.0])


def _timed(asked: ExaminationRequest, pair: Pair, settings: Settings, steps: Steps) -> list[Timings]:
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


def _by_kind(prompts: Prompts, traces: Sequence[Trace], k: int) -> dict[str, float | None]:
    """Acceptance of the first drafted token by kind of prompt, from traces in the order of the prompts."""
    found, start = {}, 0
    for kind, texts in prompts.items():
        found[kind] = by_position(traces[start : start + len(texts)], k)[0].alpha
        start += len(texts)
    return found


def _cap(plain: Sequence[Trace], kept: frozenset[int] | None) -> float:
    """The share of the target's own tokens that the draft may write: over many tokens no acceptance rate is higher."""
    tokens = [token for trace in plain for token in trace.token_ids]
    return 1.0 if kept is None or not tokens else sum(token in kept for token in tokens) / len(tokens)


def same_text(timing: Timings) -> bool:
    """Whether every run wrote the text of the plain run beside it."""
    return all(own.token_ids == plain.token_ids for own, plain in timing.pairs)


def conditions(timings: Sequence[Timings]) -> dict[str, Any]:
    """Under which conditions the runs were timed."""
    waited = [timing.conditions.waited for timing in timings if timing.conditions.waited is not None]
    return {
        "waited": fmean(waited) if waited else None,
        "trusted": [sum(timing.conditions.trusted for timing in timings), len(timings)],
        "threads": torch.get_num_threads(),
    }


@torch.inference_mode()
def reference(target: str, asked: ExaminationRequest, plain: Sequence[Trace], steps: Steps) -> list[bool]:
    """Whether transformers' own generate writes the same tokens, for each prompt."""
    device = torch.device(plain[0].card.device)
    loaded = load_target(target, device=device, dtype=torch.float32)
    settings = GenerationConfig(
        do_sample=False,
        max_new_tokens=asked.tokens,
        eos_token_id=sorted(loaded.ends) or None,
        pad_token_id=min(loaded.ends, default=0),
    )
    loaded.model.generation_config = settings
    found = []
    for trace in plain:
        steps.next("transformers' own text")
        ids = torch.tensor([trace.prompt_ids], device=device)
        written = loaded.model.generate(ids, attention_mask=torch.ones_like(ids), generation_config=settings)
        found.append(tuple(written[0, ids.shape[1] :].tolist()) == trace.token_ids)
    return found
