"""When a draft stops growing. Every policy keeps the target's distribution.

For that, whether a token is admitted may depend on everything known before it is drawn, and on nothing that is
known only afterwards. A token once drawn is always judged by the target. (Dropping it for its own low probability would
let only likely drafts be accepted: p = (.7, .3) with q = (.5, .5) would give (.85, .15).)

Confidence is always the draft's own probability at temperature 1: at temperature 0 the rule sees only ones.
"""

from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.sampling import widen
from specviz.settings import AUTO, Settings


class Policy:
    """Decides token by token how far a chain is drafted. This one, "fixed", always drafts as many tokens as allowed.
    `blind`: it never reads the scores, so it never waits for the device, and `begin` alone decides the length."""

    blind = True

    def begin(self, limit: int) -> int:
        """How many tokens this draft may have, at most `limit`."""
        return limit

    def admits(self, logits: Tensor) -> bool:
        """True if another token may be drawn from these [V] scores. It has not been drawn yet."""
        return True

    def continues(self, logits: Tensor, token: Tensor) -> bool:
        """True to draft further after `token` [], which was drawn from these scores and is judged in any case."""
        return True


class Confidence(Policy):
    """Stops after the first token whose confidence is below the threshold; that token is still judged.

    Fetches one number per token from the device.
    """

    blind = False

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold

    def continues(self, logits: Tensor, token: Tensor) -> bool:
        return _confidence(logits, token) >= self._threshold


class CostAware(Policy):
    """Drafts as long as the next token promises more per cost than the round so far, as DSpark's scheduler does with
    the measured throughput of a whole server.

    With n drafted tokens a round yields E = 1 + Σ P(the first i tokens are all accepted) for i = 1 ... n tokens on average,
    and costs T = n·c + v(n). A further token is worth it if (its probability) / (its cost) exceeds E / T. This is checked
    twice: before the draft pass, when the probability is at most that of all tokens before it and the cost includes c for
    the pass; and after the pass, when the top probability is known and the pass has been paid for. Only then the token is
    drawn. The draft ends at the first position that is not worth it. Fetches up to two numbers per token from the device.
    """

    blind = False

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._passes = self._drafted = 0
        self._reach = self._expected = 1.0

    def begin(self, limit: int) -> int:
        self._passes = self._drafted = 0
        self._reach = self._expected = 1.0
        return limit if self._worth(self._costs.c) else 0

    def admits(self, logits: Tensor) -> bool:
        self._passes += 1
        top = float(widen(logits).softmax(dim=-1).max())
        worth = self._worth(0.0, top)
        self._expected += self._reach * top
        self._drafted += 1
        return worth

    def continues(self, logits: Tensor, token: Tensor) -> bool:
        self._reach *= _confidence(logits, token)
        return self._worth(self._costs.c)

    def _worth(self, pass_cost: float, probability: float = 1.0) -> bool:
        """True if one more token yields more per cost than the round so far; `pass_cost` is the remaining cost of its draft pass."""
        checked = self._costs.verify(self._drafted)
        cost = pass_cost + self._costs.verify(self._drafted + 1) - checked
        spent = self._passes * self._costs.c + checked
        return self._reach * probability * spent > self._expected * cost


def policy_for(settings: Settings, costs: Costs | None = None) -> Policy:
    """The policy of these settings; `costs` as measured on this machine, else the default ones."""
    if settings.policy == "confidence":
        return Confidence(settings.threshold)
    if settings.policy == "cost":
        return CostAware(costs or Costs())
    if settings.policy == AUTO and costs is not None:
        return CostAware(costs)  # within what `specviz.decoding.pace` allows
    return Policy()


def _confidence(logits: Tensor, token: Tensor) -> float:
    return float(widen(logits).softmax(dim=-1)[token])
