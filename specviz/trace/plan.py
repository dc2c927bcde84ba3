"""The choice of drafter, k and nodes that a person left to specviz, and its reasons. Standard library only."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The choice of drafter, draft length and size of the tree before a run begins, by the expected speedup (Leviathan et al., arXiv
    2211.17192, theorem 3.8, with the measured cost of a pass over several tokens instead of 1). Raises ValueError if a number is not finite
    or not possible.

    Attributes:
        left: the names that were left to specviz, of "drafter", "k" and "nodes".
        tokens: expected tokens of a round, the target's own included.
        checked: tokens that one pass of the target checks, the last committed one included.
        pass_cost: cost of this pass, in passes over one token.
        draft_cost: cost of drafting, in the same unit.
        measured: whether the costs were measured on this machine; else they are those of `machine`.
        machine: the processor on which they were measured.
        known: whether the acceptance comes from figures of this pair; else it is assumed.
        guess: the cost of one more drafted token, of a tree of one more level, in the same unit.
        passes: v[n], the cost of a pass over n drafted tokens and the last committed one, in the same unit. With these costs, the acceptance
            `rates` by position, and the same seed a run can be repeated on another machine.
    """

    left: tuple[str, ...]
    tokens: float
    checked: int
    pass_cost: float
    draft_cost: float
    measured: bool = True
    machine: str = ""
    known: bool = True
    guess: float = 0.0
    passes: tuple[float, ...] = ()
    rates: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        figures = (self.tokens, self.pass_cost, self.draft_cost, self.guess, *self.passes, *self.rates)
        if not all(math.isfinite(figure) and figure >= 0 for figure in figures):
            raise ValueError(f"a figure of the plan is not a number of at least 0: {self}")
        if self.tokens < 1 or self.checked < 1 or self.pass_cost == 0:
            raise ValueError(f"the plan is impossible: {self}")

    @property
    def predicted(self) -> float:
        """The expected speedup over plain decoding."""
        return self.tokens / (self.pass_cost + self.draft_cost)
