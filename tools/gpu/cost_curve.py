"""What passes cost, measured in sweeps over all lengths: v(n), a target pass over n tokens relative to one over a single token, and c, a draft
pass relative to a target pass. The medians of the sweeps, each with the lowest and the highest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specviz.models.cached_model import CachedModel
from specviz.models.timing import fill, pass_seconds
from tools.gpu.spread import Figure, figure, ratios

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)
_CACHED = 128
_IN_A_ROW = 4
_SWEEPS = 5


@dataclass(frozen=True, slots=True)
class CostCurve:
    """Measured costs of passes at batch 1: v(n), a target pass over n tokens relative to one over a single token, and c, a draft pass
    relative to a target pass.

    Attributes:
        cache_length: tokens in the caches.
        pass_s: seconds of a target pass over one token.
        v: from n to v(n).
        drafting: c; None without a draft.
    """

    cache_length: int
    pass_s: Figure
    v: Mapping[int, Figure]
    drafting: Figure | None = None

    @property
    def c(self) -> Figure:
        """The cost ratio; there must have been a draft."""
        assert self.drafting is not None, "no draft was measured"
        return self.drafting


def cost_curve(
    target: CachedModel,
    draft: CachedModel | None = None,
    lengths: Sequence[int] = LENGTHS,
    *,
    cached: int = _CACHED,
    in_a_row: int = _IN_A_ROW,
    sweeps: int = _SWEEPS,
) -> CostCurve:
    """Time passes of every length, after one sweep to warm up; each pass is rolled back.

    A draft pass is one of several in a row with one device synchronisation at their end, as in a round.

    Args:
        lengths: the n of v(n); those that are longer than the target's context are left out.
        cached: tokens in the caches; fewer where a model's context has no room for them and the longest pass.
        in_a_row: consecutive draft passes, as many as a round drafts.
        sweeps: those that count.
    """
    models = (target,) if draft is None else (target, draft)
    lengths = [n for n in lengths if n < target.context]
    cached = max(1, min(cached, *(model.context - max(*lengths, in_a_row) for model in models)))
    for model in models:
        fill(model, cached, max(*lengths, in_a_row))
    single: list[float] = []
    drafting: list[float] = []
    several: dict[int, list[float]] = {n: [] for n in lengths}
    for sweep in range(sweeps + 1):
        timed = {n: pass_seconds(target, n) for n in (1, *lengths)}
        drafted = None if draft is None else pass_seconds(draft, 1, in_a_row=in_a_row) / in_a_row
        if sweep:
            single.append(timed[1])
            drafting += [] if drafted is None else [drafted]
            for n in lengths:
                several[n].append(timed[n])
    v = {n: ratios(seconds, single) for n, seconds in several.items()}
    return CostCurve(cached, figure(single), v, ratios(drafting, single) if drafting else None)
