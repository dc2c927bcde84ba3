"""The drafts of one target, and its trained heads, on the same prompts: α against c, with lines of equal speedup at the best k. Standard
library only."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.known_pairs import FAMILY
from specviz.lab.axes import DRAFTER, Axis
from specviz.lab.plan import SweepPlan, tasks
from specviz.lab.rows import lines
from specviz.lab.study import Answer, Asked, CostsAsked, RunAsked, RunMade, Watched, one_run
from specviz.trace import theory
from specviz.trace.conditions import Conditions

LEVELS = (1.0, 1.5, 2.0, 3.0)
_MOST_K = 16
_STEPS = 60
_HALVINGS = 40


@dataclass(frozen=True, slots=True)
class DraftCandidate:
    """One way of drafting, as measured on the same prompts.

    Attributes:
        verdict: "pays", "too weak" (too seldom right for its cost) or "too strong" (would pay at a tenth of its cost).
        best_k, speedup: what the formula gives for its α and c; below 1 it is a slowdown.
        measured: the measured speedup at the k of the measurement; None where it is not trusted.
    """

    name: str
    alpha: float
    c: float
    best_k: int
    speedup: float
    measured: float | None
    verdict: str


@dataclass(frozen=True, slots=True)
class DraftsFound:
    """What was found so far.

    Attributes:
        levels: lines of equal speedup at the best k: points (c, α), by their labels.
        prompts: on how many prompts so far.
        left_out: why others cannot draft here, a sentence each.
        costs: the conditions under which the costs of the target's passes were measured.
    """

    drafts: tuple[DraftCandidate, ...]
    levels: dict[str, list[tuple[float, float]]]
    prompts: int
    left_out: tuple[str, ...]
    costs: Conditions
    machine: str


def axis(pair: str | None, heads: Collection[str]) -> Axis:
    """What is compared: the pair's own draft, the other drafts of its target, and the trained heads that draft a chain."""
    described = registry.descriptions()
    others = [other for other in FAMILY if pair in FAMILY and other != pair]
    able = registry.able(draft=True, heads=heads)
    return Axis(DRAFTER, ("model", *others, *(e for e in able if described[e].head and described[e].shape == "chain")))


def requests(plan: SweepPlan) -> tuple[Asked, ...]:
    """What is asked for: what passes cost, then every run of a sweep over drafts, prompt by prompt."""
    return (CostsAsked(), *(one_run(plan, task) for task in tasks(plan)))


def found(asked: Sequence[Asked], answers: Sequence[Answer]) -> DraftsFound | None:
    """What the answers say, as far as they go; a draft that drafted nothing has no place. None before the first run."""
    costs = next((each for each in answers if isinstance(each, Watched)), None)
    runs = [
        (a.plan, b) for a, b in zip(asked, answers, strict=False) if isinstance(a, RunAsked) and isinstance(b, RunMade)
    ]
    if costs is None or not runs:
        return None
    drafts = tuple(
        placed(line.drafter, line.alpha, line.c, costs.costs, line.speedup.median if line.trusted else None)
        for line in lines([made.found.row for _, made in runs if made.found.row is not None])
        if line.alpha is not None and line.c is not None
    )
    left_out = [f"{plan.axes[0].values[0]}: {made.found.why}" for plan, made in runs if made.found.row is None]
    prompts = len({plan.prompts[0] for plan, _ in runs})
    machine = runs[0][1].machine
    return DraftsFound(
        drafts, levels(drafts, costs.costs), prompts, tuple(dict.fromkeys(left_out)), costs.conditions, machine
    )


def best(alpha: float, c: float, v: Costs) -> tuple[int, float]:
    """The draft length with the highest speedup, and that speedup; v are the measured costs of passes that check."""
    found = [(theory.speedup(alpha, k, c, v.verify(k)), -k) for k in range(1, _MOST_K + 1)]
    speedup, k = max(found)
    return -k, speedup


def placed(name: str, alpha: float, c: float, v: Costs, measured: float | None) -> DraftCandidate:
    """A draft with what the formula says of it."""
    k, speedup = best(alpha, c, v)
    cheap = best(alpha, c / 10, v)[1]
    verdict = "pays" if speedup >= 1 else "too strong" if cheap >= 1 else "too weak"
    return DraftCandidate(name, alpha, c, k, speedup, measured, verdict)


def level(speedup: float, v: Costs, most_c: float) -> list[tuple[float, float]]:
    """The points (c, α) at which the best k gives this speedup; only those with an α of at most 1."""
    points = []
    for step in range(_STEPS + 1):
        c = max(1e-6, most_c * step / _STEPS)
        if best(1.0, c, v)[1] < speedup:
            break
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if best(middle, c, v)[1] >= speedup else (middle, high)
        points.append((c, high))
    return points


def levels(drafts: Sequence[DraftCandidate], v: Costs) -> dict[str, list[tuple[float, float]]]:
    """A line for each of the usual speedups, as far as the drafts reach."""
    most = 1.2 * max((draft.c for draft in drafts), default=1.0)
    return {f"{speedup:g}×": level(speedup, v, most) for speedup in LEVELS}
