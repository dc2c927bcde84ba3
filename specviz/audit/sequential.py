"""A sequential test of "these tokens were drawn from p": bets against the claim. Standard library only.

Every bet starts with a wealth of 1. For each token it is multiplied by r/p, the probability of this token under an alternative r, which may
depend on everything seen before but not on the token itself, over p. If the claim holds, the expected factor is at most 1, so the wealth is
a nonnegative supermartingale, and so is the mean of several bets. By Ville's inequality it ever reaches 1/α with a probability of at most α:
one may look after every token and stop when one likes (Ramdas, Grünwald, Vovk and Shafer, "Game-theoretic statistics and safe
anytime-valid inference", arXiv 2210.01948).

The alternatives learned from the data are those of Lindon and Malek, "Anytime-valid inference for multinomial count data" (NeurIPS 2022):
the mean of all distributions under a Dirichlet prior, here with the mean p, separately for every context. Its probability for the next token x
is (a·p(x) + n(x)) / (a + n), where n(x) of the n tokens in this context were x and a is the strength of the prior. In a context that was
never seen before it is p(x), so that rare contexts cost nothing.
"""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

# The strengths of the priors: large ones find small biases, with many samples; small ones find large biases at once.
STRENGTHS = (2.0, 20.0, 200.0)


class Bets:
    """The bets against one claim.

    Args:
        false_alarm: how often the claim may be rejected although it holds, however long the test runs.
        contexts: the kinds of contexts for which alternatives are learned; each of them makes a bet for every strength.
        alternatives: the names of further alternatives, whose probabilities are given with each token.

    Attributes:
        seen: the number of tokens so far.
        highest: the largest logarithm of the mean wealth so far.
    """

    def __init__(self, false_alarm: float, contexts: Sequence[str], alternatives: Sequence[str] = ()) -> None:
        self.limit = -math.log(false_alarm)
        self.seen = 0
        self.highest = 0.0
        self._learned = dict.fromkeys([(name, strength) for name in contexts for strength in STRENGTHS], 0.0)
        self._given = dict.fromkeys(alternatives, 0.0)
        self._tokens: dict[tuple[str, Hashable], Counter[Hashable]] = {}
        self._totals: Counter[tuple[str, Hashable]] = Counter()

    @property
    def log_wealth(self) -> float:
        """The logarithm of the mean wealth of all bets."""
        return log_mean([*self._learned.values(), *self._given.values()])

    @property
    def rejected(self) -> bool:
        """True if the claim was rejected, now or before."""
        return self.highest >= self.limit

    @property
    def best(self) -> str:
        """The name of the alternative or kind of context that won most."""
        wealths = [*((wealth, name) for (name, _), wealth in self._learned.items())]
        wealths += [(wealth, name) for name, wealth in self._given.items()]
        return max(wealths)[1]

    def see(
        self,
        token: Hashable,
        p: float,
        contexts: Mapping[str, Hashable],
        alternatives: Mapping[str, float] | None = None,
    ) -> None:
        """One more token.

        Args:
            p: its probability if the claim holds.
            contexts: by kind, what came before it; a kind that is left out does not bet.
            alternatives: by name, its probability; one that is left out does not bet.
        """
        self.seen += 1
        if p <= 0:  # a token that cannot be drawn
            self._learned = dict.fromkeys(self._learned, math.inf)
            self.highest = math.inf
            return
        for name, key in contexts.items():
            counts = self._tokens.setdefault((name, key), Counter())
            total, same = self._totals[name, key], counts[token]
            for strength in STRENGTHS:
                self._learned[name, strength] += math.log((strength + same / p) / (strength + total))
            counts[token] += 1
            self._totals[name, key] += 1
        for name, r in (alternatives or {}).items():
            self._given[name] += math.log(r / p) if r > 0 else -math.inf
        self.highest = max(self.highest, self.log_wealth)


def log_mean(logs: Sequence[float]) -> float:
    """The logarithm of the mean of numbers that are given by their logarithms."""
    top = max(logs)
    if math.isinf(top):
        return top
    return top + math.log(sum(math.exp(log - top) for log in logs) / len(logs))


def odds(log: float) -> str:
    """A wealth that is given by its logarithm, with two digits, for people."""
    value = float(f"{math.exp(min(log, 50)):.2g}")
    return f"{value:,.0f}" if value < 1e7 else f"{value:.2g}"


def log_learned(counts: Mapping[int, int], p: Sequence[float], strength: float) -> float:
    """The logarithm of the wealth of a learned alternative after these counts of one context; the order of the tokens does not matter."""
    total = sum(counts.values())
    log = math.lgamma(strength) - math.lgamma(strength + total)
    for token, count in counts.items():
        prior = strength * p[token]
        log += math.lgamma(prior + count) - math.lgamma(prior) - count * math.log(p[token])
    return log
