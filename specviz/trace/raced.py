"""The recorded runs of a race and their timings."""

from dataclasses import dataclass

from specviz.trace import records
from specviz.trace.conditions import Conditions


@dataclass(frozen=True, slots=True)
class RacedTraces:
    """The recorded runs of a race, the speculative one first; a notebook shows them on one clock.

    Attributes:
        speedups, timed, conditions: of all timed pairs of runs, as in `run_figures.figures_of`.
        doubt: the reason, in words, why no lane may have a speedup; "" where it may.
    """

    traces: tuple[records.Trace, ...]
    speedups: tuple[float, ...] = ()
    timed: int = 1
    conditions: Conditions | None = None
    doubt: str = ""

    def _repr_html_(self) -> str | None:
        """The lanes with these runs inside; None without a round to play."""
        page = records.notebook_page
        return page(self) if page and any(trace.rounds for trace in self.traces) else None
