"""What passes cost, measured in passes of the target over one token. Standard library only."""

import math
from dataclasses import dataclass

from specviz.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Costs:
    """The two cost ratios that decide whether drafting pays. Raises SettingsError if a cost is not a number above 0.

    Attributes:
        c: one draft pass.
        v: v[n] is a target pass that checks n drafted tokens together with the last committed one, so v[0] is 1. Beyond
            the end of the list its last value is used; with an empty list a pass over many tokens costs as much as over one.
    """

    c: float = 0.1
    v: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for name, cost in (("c", self.c), *((f"v[{n}]", cost) for n, cost in enumerate(self.v))):
            if not (math.isfinite(cost) and cost > 0):
                raise SettingsError(f"the cost {name} was {cost!r}: give a number above 0.")

    def verify(self, drafted: int) -> float:
        """The cost of the target's pass over this many drafted tokens."""
        return self.v[min(drafted, len(self.v) - 1)] if self.v else 1.0
