"""How many tokens each round may draft: the policy "auto", which also says none.

A round that may draft n tokens is expected to commit E(n) = 1 + Σ P(the first i are all accepted) for i = 1 ... n, and costs T(n) = drafting
+ a pass of the target over n + 1 tokens (Leviathan et al., arXiv 2211.17192, section 3.3, with measured costs). The n with the largest
E(n) / T(n) is allowed; where no n beats plain decoding, E(0) / T(0), nothing is drafted, and after some rounds a short draft is tried again.

The number is fixed before the round's first token is drawn, from rounds that are over: the distribution of the text cannot depend on it.
How sure a copy is depends on what is copied, and is known before the round: there the copy's own estimates stand for P, and nothing is learned.
What rounds cost is learned from the clock where the text does not depend on the drafts: at temperature 0 and with shared noise. Elsewhere the costs
that were measured before the run decide, so that one seed gives one text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.settings import AUTO, Settings

PRIOR_TOKENS = 6.0  # weight of the prior acceptance rate at each position, in judged tokens
_FADING = 0.96  # weight of earlier rounds, with every round: a text changes its kind
_ASSUMED = (0.6, 0.55, 0.5)  # acceptance rate by position where nothing is known
_LEARNING = 0.15  # share of a round's cost in the new estimate of that cost
_OUTLIER = 2.5  # a cost is taken for at most so many times its estimate: a pause of the machine is not a cost
# Rounds without a draft before one is tried; twice as many each time that it does not pay.
_FIRST_WAIT, _LONGEST_WAIT = 4, 64
_TRYING = 0.02  # share of a run that such tries may lose: where a guess is dear, they are few
_SAFE = 1.25  # a promise above this stays a gain even if a cost was measured badly
# Where the promise is below `_SAFE`, a round without a draft shows the cost of plain decoding again after so many rounds, the first time sooner.
_UNCHECKED, _FIRST_CHECK = 24, 4
_MARGIN = 1.02  # drafting must promise so many times plain decoding's rate: below that, errors of the estimates decide


@dataclass(frozen=True, slots=True)
class RoundCost:
    """The drafted tokens of a round, and its cost.

    Attributes:
        drafted, accepted: tokens; of a tree all its tokens, and the accepted path.
        besides_s, verify_s: seconds of the target's pass, and of all that is done besides: drafting, judging, committing.
    """

    drafted: int
    accepted: int
    besides_s: float
    verify_s: float


class Pace:
    """Decides before each round how far it may draft; this one as far as possible, for every policy but "auto" and for plain decoding. One object
    serves one text."""

    def allow(self, limit: int, copied: Sequence[float] = ()) -> int:
        """How many tokens in a row this round may draft, at most `limit`. `copied`: where the draft is a copy, of each
        token the probability that it and all before it are accepted."""
        return limit

    def note(self, round_cost: RoundCost) -> None:
        """Report a round that is over."""


class ReplayPace(Pace):
    """Allows each round as many tokens as the same round of an earlier run had."""

    def __init__(self, allowed: Sequence[int]) -> None:
        self._allowed = iter(allowed)

    def allow(self, limit: int, copied: Sequence[float] = ()) -> int:
        return min(limit, next(self._allowed, limit))


class CostEstimate:
    """The cost of drafting n tokens and of checking them: at first from a measurement, then from the rounds themselves.

    Args:
        costs: in passes over one token; c for each token of a chain, and for each level of a tree, its part of the judging included.
        learns: False keeps the costs, whatever the clock says.
    """

    def __init__(self, costs: Costs, longest: int, nodes: int = 0, *, learns: bool = True) -> None:
        self.learns = learns
        self._guesses = [costs.c * n for n in range(longest + 1)]
        self._verify = [costs.verify(n) for n in range(max(longest, nodes) + 1)]
        # Seconds of a pass over one token: of rounds without a draft, before the first of them what a wider pass suggests.
        self._unit: float | None = None
        self._plain = False
        # The cost of every round besides the pass, one without a draft too: judging and committing, once two such rounds have shown it.
        self._every = 0.0
        self._first: float | None = None

    def draft(self, tokens: int) -> float:
        """The cost of all that is done besides the pass, with a chain of so many tokens, or a tree so deep."""
        return self._every + self._guesses[tokens]

    def cost(self, round_cost: RoundCost) -> float | None:
        """The cost of a round; None where the clock does not count or has shown nothing yet."""
        return (round_cost.besides_s + round_cost.verify_s) / self._unit if self.learns and self._unit else None

    def verify(self, drafted: int) -> float:
        """The cost of the pass that checks so many drafted tokens."""
        return self._verify[min(drafted, len(self._verify) - 1)]

    def note(self, depth: int, round_cost: RoundCost, *, refused: bool = False) -> None:
        """Learn from a round; `depth` is the length of its chain, or how many levels its tree was allowed. `refused`: its drafter was asked, and
        the policy admitted not even the first guess, which had been paid for."""
        if not self.learns or round_cost.verify_s <= 0:
            return
        width = min(round_cost.drafted, len(self._verify) - 1)
        unit = round_cost.verify_s / self._verify[width]
        if width == 0 or self._unit is None:
            self._unit = unit if not self._plain else _nearer(self._unit or unit, unit)
            self._plain = self._plain or width == 0
        if width:
            self._verify[width] = _nearer(self._verify[width], round_cost.verify_s / self._unit)
        besides = round_cost.besides_s / self._unit
        if width == 0:
            # In one round the machine may have paused: taken for a cost of every round, the pause would make guesses look free.
            besides = max(0.0, besides - self._guesses[1]) if refused else besides
            every = _nearer(self._every, besides) if self._every else min(besides, self._first or 0.0)
            self._first, self._every = self._first or besides, every
            return
        self._every = min(self._every, besides)
        if 0 < depth < len(self._guesses) and self._guesses[depth] > 0:
            ratio = _nearer(self._guesses[depth], max(0.0, besides - self._every)) / self._guesses[depth]
            self._guesses = [cost * ratio for cost in self._guesses]


class AdaptivePace(Pace):
    """Allows what promises the most tokens for its cost, and nothing where nothing pays.

    Args:
        spending: what rounds cost.
        prior: of a chain, the probability that a token is accepted where those before it are, by position; of a tree, that its path grows by
            one more token, by depth. () where nothing is known.
        nodes: the size of a tree; 0 for a chain.
    """

    def __init__(self, spending: CostEstimate, prior: Sequence[float] = (), nodes: int = 0) -> None:
        self._spending, self._nodes = spending, nodes
        self._prior = tuple(prior) or _ASSUMED
        self._right: list[float] = []
        self._judged: list[float] = []
        self._asked = self._drafted = 0.0  # rounds that might draft, and those that did
        self._allowed = self._waited = self._rounds = 0
        self._wait, self._unchecked = _FIRST_WAIT, _UNCHECKED - _FIRST_CHECK
        self._tokens, self._costs = (
            [1.0],
            [1.0],
        )  # of the current round, for every number of tokens that it could be allowed
        self._trying, self._lost, self._copies = False, 0.0, False

    def allow(self, limit: int, copied: Sequence[float] = ()) -> int:
        self._rounds += 1
        self._copies = bool(copied)
        if copied:
            promises = [
                (1 + sum(copied[:n])) / (self._spending.draft(0) + self._spending.verify(n))
                for n in range(min(limit, len(copied)) + 1)
            ]
            return max(range(len(promises)), key=promises.__getitem__)
        self._tokens, self._costs = self._expected(limit), [self._cost(n) for n in range(limit + 1)]
        promises = [tokens / cost for tokens, cost in zip(self._tokens, self._costs, strict=True)]
        best = max(range(limit + 1), key=promises.__getitem__)
        gain = promises[best] / promises[0]
        self._trying = False
        if best and gain > _MARGIN:
            self._waited, self._wait = 0, _FIRST_WAIT
            if self._spending.learns and gain < _SAFE and self._unchecked >= _UNCHECKED:
                best = 0
        elif (
            limit
            and self._waited >= self._wait
            and self._affords(trial := max(range(1, limit + 1), key=promises.__getitem__))
        ):
            self._waited, self._wait = 0, min(_LONGEST_WAIT, 2 * self._wait)
            best, self._trying = trial, True
        else:
            self._waited += limit > 0
            best = 0
        self._allowed = best
        self._unchecked = self._unchecked + 1 if best else 0
        return best

    def note(self, round_cost: RoundCost) -> None:
        if self._copies:
            self._spending.note(0, round_cost)
            return
        depth = self._allowed if self._nodes else round_cost.drafted
        self._spending.note(depth, round_cost, refused=self._allowed > 0 and not round_cost.drafted)
        if self._allowed:
            self._asked = _FADING * self._asked + 1
            self._drafted = _FADING * self._drafted + bool(round_cost.drafted)
        if self._trying:
            expected = self._costs[self._allowed]
            cost = min(self._spending.cost(round_cost) or expected, _OUTLIER * expected)
            self._lost = max(0.0, self._lost + cost - (round_cost.accepted + 1) * self._costs[0])
        if not round_cost.drafted:
            return
        self._right = [_FADING * count for count in self._right]
        self._judged = [_FADING * count for count in self._judged]
        for index in range(min(round_cost.accepted + 1, depth)):
            if index == len(self._judged):
                self._right.append(0.0)
                self._judged.append(0.0)
            self._judged[index] += 1
            self._right[index] += index < round_cost.accepted

    def rates(self, count: int) -> list[float]:
        """The estimated probability that the token at each position is accepted where those before it are."""
        rates: list[float] = []
        for index in range(count):
            rate = prior = self._prior_rate(index)
            if index:  # a text whose first guesses are right more often than usual has better later ones, which were not tried yet
                before, prior_before = rates[-1], self._prior_rate(index - 1)
                better = before > prior_before
                rate = (
                    1 - (1 - prior) * (1 - before) / (1 - prior_before)
                    if better
                    else prior * before / max(prior_before, 1e-9)
                )
            judged = index < len(self._judged)
            rates.append(
                (PRIOR_TOKENS * rate + self._right[index]) / (PRIOR_TOKENS + self._judged[index]) if judged else rate
            )
        return rates

    def _prior_rate(self, index: int) -> float:
        """The prior acceptance rate at this position, never quite 1."""
        return min(0.999, self._prior[min(index, len(self._prior) - 1)])

    def _expected(self, limit: int) -> list[float]:
        """The tokens of a round that is allowed none, one, ... `limit`."""
        tokens, reach = [1.0], self._admitted()
        for rate in self.rates(limit):
            reach *= rate
            tokens.append(tokens[-1] + reach)
        return tokens

    def _cost(self, allowed: int) -> float:
        """The cost of such a round, in passes over one token."""
        if not allowed:
            return self._spending.draft(0) + self._spending.verify(0)
        admitted, refused = self._admitted(), self._spending.draft(1) + self._spending.verify(0)
        cost = self._spending.draft(allowed) + self._spending.verify(self._nodes or allowed)
        return admitted * cost + (1 - admitted) * refused

    def _admitted(self) -> float:
        """The share of the rounds that might draft in which the policy admits the first guess; 1 where asking costs next to nothing."""
        if self._spending.draft(1) - self._spending.draft(0) < _MARGIN - 1:
            return 1.0
        return (PRIOR_TOKENS + self._drafted) / (PRIOR_TOKENS + self._asked)

    def _affords(self, allowed: int) -> bool:
        """A try with so many tokens is affordable if the expected loss of all tries stays within their share."""
        loss = max(0.0, self._costs[allowed] - self._tokens[allowed] * self._costs[0])
        return self._lost + loss <= _TRYING * self._rounds


def pace_for(
    settings: Settings, costs: Costs | None = None, prior: Sequence[float] = (), *, tree: bool = False
) -> Pace:
    """The pace of a run with these settings.

    Args:
        costs, prior: see `AdaptivePace`; where costs are not known, the default ones.
        tree: whether the drafter grows trees.
    """
    if settings.policy != AUTO:
        return Pace()
    nodes = settings.nodes if tree else 0
    return AdaptivePace(CostEstimate(costs or Costs(), settings.k, nodes, learns=settings.certain), prior, nodes)


def _nearer(estimate: float, measured: float) -> float:
    return estimate + _LEARNING * (min(measured, _OUTLIER * estimate) - estimate)
