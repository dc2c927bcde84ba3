"""The acceptance rate by position in a draft, and the tokens a round that follow from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from specviz.trace.records import Trace, Verdict


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Drafted tokens of some runs: how many the target judged, and how many of these it accepted."""

    accepted: int
    judged: int

    @property
    def alpha(self) -> float | None:
        """The acceptance rate α = accepted / judged; None if nothing was judged."""
        return self.accepted / self.judged if self.judged else None


def by_position(traces: Iterable[Trace], k: int) -> list[Acceptance]:
    """For each position 1 to k of a draft: how many tokens there were judged and accepted. A token is judged if all before it were accepted."""
    judged, accepted = [0] * k, [0] * k
    for trace in traces:
        for round_ in trace.rounds:
            for index, drafted in enumerate(round_.drafted):
                judged[index] += drafted.verdict is not Verdict.DISCARDED
                accepted[index] += drafted.verdict is Verdict.ACCEPTED
    return [Acceptance(right, asked) for right, asked in zip(accepted, judged, strict=True)]


def tokens_per_round(rates: Sequence[float | None], k: int) -> float:
    """Expected tokens of a round of k drafted tokens: 1 + a1 + a1 a2 + ..., with one acceptance rate for each position.

    With equal rates it is Leviathan et al., arXiv 2211.17192, equation 1. A position that was never judged counts as 0.
    """
    known = [rate or 0.0 for rate in rates[:k]]
    return 1 + sum(prod(known[:count]) for count in range(1, k + 1))
