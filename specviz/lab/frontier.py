"""Which drafts pay: α against c, with lines of equal speedup at the best k. Standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.trace import theory

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


def levels(drafts: Sequence[DraftCandidate], v: Costs) -> list[tuple[str, list[tuple[float, float]]]]:
    """A line for each of the usual speedups, as far as the drafts reach."""
    most = 1.2 * max((draft.c for draft in drafts), default=1.0)
    return [(f"{speedup:g}×", level(speedup, v, most)) for speedup in LEVELS]
