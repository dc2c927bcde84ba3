"""When a draft stops growing. Whatever stops it, the target's distribution is kept.

That asks for care: whether a token is admitted may depend on everything before it was drawn, and on nothing that is
known only afterwards. A token once drawn is always handed to the target. (Dropping it for its own low probability would
let only likely drafts be accepted: p = (.7, .3) with q = (.5, .5) would come out as (.85, .15).)

Confidence is always the draft's own probability at temperature 1: at temperature 0 the rule sees only ones.
"""

from typing import Protocol

from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.sampling import widen
from specviz.settings import Settings


class Policy(Protocol):
    """Asked again and again while a chain is drafted. One object serves one text.

    Attributes:
        blind: it never looks at the scores, so only `begin` has a say.
    """

    blind: bool

    def begin(self, limit: int) -> int:
        """How many tokens this draft may have, at most `limit`."""
        ...

    def admits(self, logits: Tensor) -> bool:
        """Whether a token may be drawn that follows these [V] scores. It has not been drawn yet."""
        ...

    def goes_on(self, logits: Tensor, token: Tensor) -> bool:
        """Whether to read on behind `token` [], drawn from these scores and handed to the target in any case."""
        ...

    def judged(self, drafted: int, accepted: int) -> None:
        """How the whole draft fared."""
        ...


class Fixed:
    """Always as many as there is room for. Never looks at the scores, so the device is never waited for."""

    blind = True

    def begin(self, limit: int) -> int:
        return limit

    def admits(self, logits: Tensor) -> bool:
        return True

    def goes_on(self, logits: Tensor, token: Tensor) -> bool:
        return True

    def judged(self, drafted: int, accepted: int) -> None:
        """Nothing is learned from it."""


class Confidence(Fixed):
    """Stops behind the first token whose confidence is below the threshold; that token is still judged.

    Reads one number a token back from the device.
    """

    blind = False

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold

    def goes_on(self, logits: Tensor, token: Tensor) -> bool:
        return _confidence(logits, token) >= self._threshold


class History(Fixed):
    """One token more after a draft that was accepted whole, one fewer after one refused in its first half.

    Between 1 and `most`; begins with `most`. Never looks at the scores.
    """

    def __init__(self, most: int) -> None:
        self.length = most
        self._most = most

    def begin(self, limit: int) -> int:
        return min(self.length, limit)

    def judged(self, drafted: int, accepted: int) -> None:
        if drafted and accepted == drafted:
            self.length = min(self._most, self.length + 1)
        elif 2 * accepted < drafted:
            self.length = max(1, self.length - 1)


class CostAware(Fixed):
    """Goes on as long as the next token promises more for its cost than the round so far, as DSpark's scheduler does with
    the measured throughput of a whole server.

    With n tokens drafted the round promises E = 1 + Σ of the chances that the 1st, the 2nd, ... n-th are all accepted, and
    costs T = n·c + v(n). A further token is worth it where (its chance) / (its cost) exceeds E / T. That is asked twice:
    before the pass, when its chance is at most that of the tokens before it and its cost is c more for the pass; and
    behind the pass, when the top probability is known and the pass has been paid for. The token itself is drawn only then.
    The draft ends at the first position that is not worth it. Reads up to two numbers a token back from the device.
    """

    blind = False

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._passes = self._drafted = 0
        self._reach = self._promised = 1.0

    def begin(self, limit: int) -> int:
        self._passes = self._drafted = 0
        self._reach = self._promised = 1.0
        return limit if self._worth(self._costs.c) else 0

    def admits(self, logits: Tensor) -> bool:
        self._passes += 1
        top = float(widen(logits).softmax(dim=-1).max())
        worth = self._worth(0.0, top)
        self._promised += self._reach * top
        self._drafted += 1
        return worth

    def goes_on(self, logits: Tensor, token: Tensor) -> bool:
        self._reach *= _confidence(logits, token)
        return self._worth(self._costs.c)

    def _worth(self, reading: float, chance: float = 1.0) -> bool:
        """Whether one token more, at this cost of reading, gives more per cost than the round so far."""
        checked = self._costs.verify(self._drafted)
        cost = reading + self._costs.verify(self._drafted + 1) - checked
        spent = self._passes * self._costs.c + checked
        return self._reach * chance * spent > self._promised * cost


def policy_for(settings: Settings, costs: Costs | None = None) -> Policy:
    """The policy that these settings call for; `costs` as measured on this machine, else the usual ones."""
    if settings.policy == "confidence":
        return Confidence(settings.threshold)
    if settings.policy == "history":
        return History(settings.k)
    if settings.policy == "cost":
        return CostAware(costs or Costs())
    return Fixed()


def _confidence(logits: Tensor, token: Tensor) -> float:
    return float(widen(logits).softmax(dim=-1)[token])
