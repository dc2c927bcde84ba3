"""What passes cost: c, a draft pass relative to a target pass, and v(n), a target pass over n tokens relative to one over a single token."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from specviz.models.cached_model import CachedModel
from specviz.models.timing import fill, pass_seconds
from specviz.reporting.figures import Figure, figure, ratios

_CACHED = 128
"""Tokens in the caches while passes are timed, fewer where the models cannot read as many."""
_IN_A_ROW = 4
"""Draft passes that are timed together, as in a round."""
_SWEEPS = 5


@dataclass(frozen=True, slots=True)
class TargetCosts:
    """Costs of the target's passes at batch 1, each the median over sweeps with the lowest and the highest.

    Attributes:
        pass_s: seconds of a pass over one token.
        v: from n to v(n).
    """

    pass_s: Figure
    v: Mapping[int, Figure]

    @property
    def usual_v(self) -> dict[int, float]:
        """The medians of v(n)."""
        return {n: one.median for n, one in self.v.items()}


@dataclass(frozen=True, slots=True)
class PassCosts(TargetCosts):
    """The same with the draft's.

    Attributes:
        c: see above.
    """

    c: Figure


def target_costs(target: CachedModel, lengths: Sequence[int]) -> TargetCosts:
    """Time passes of the target, after one sweep to warm up; each pass is rolled back.

    Args:
        lengths: the n of v(n).
    """
    fill(target, max(1, min(_CACHED, target.context - max(lengths))), max(lengths))
    single, several, _ = _sweeps(target, lengths, lambda: 0.0)
    return TargetCosts(figure(single), {n: ratios(seconds, single) for n, seconds in several.items()})


def pass_costs(target: CachedModel, draft: CachedModel, lengths: Sequence[int]) -> PassCosts:
    """The same of both models in turn."""
    room = min(target.context, draft.context) - max(*lengths, _IN_A_ROW)
    cached = max(1, min(_CACHED, room))
    for model in (target, draft):
        fill(model, cached, max(*lengths, _IN_A_ROW))
    single, several, drafting = _sweeps(target, lengths, lambda: pass_seconds(draft, 1, in_a_row=_IN_A_ROW) / _IN_A_ROW)
    v = {n: ratios(seconds, single) for n, seconds in several.items()}
    return PassCosts(figure(single), v, ratios(drafting, single))


def _sweeps(
    target: CachedModel, lengths: Sequence[int], drafted: Callable[[], float]
) -> tuple[list[float], dict[int, list[float]], list[float]]:
    """Seconds of each sweep after the first: of a pass over one token, of passes over several, of what `drafted` measures."""
    single: list[float] = []
    drafting: list[float] = []
    several: dict[int, list[float]] = {n: [] for n in lengths}
    for sweep in range(_SWEEPS + 1):
        one = pass_seconds(target, 1)
        passes = drafted()
        longer = {n: pass_seconds(target, n) for n in lengths}
        if sweep:
            single.append(one)
            drafting.append(passes)
            for n, seconds in longer.items():
                several[n].append(seconds)
    return single, several, drafting
