"""A sequential test of "these tokens were drawn from p": bets against the claim, and the biases that it would have caught. Standard library only.

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
from itertools import accumulate
from random import Random

from specviz.audit.records import Power

# The strengths of the priors: large ones find small biases, with many samples; small ones find large biases at once.
STRENGTHS = (2.0, 20.0, 200.0)
BIASES = (0.02, 0.05, 0.1, 0.2, 0.4)  # the total variation distances that are tried
_DIRECTIONS = 3  # see `_biased`
_CELLS = 64  # tokens less likely than the first so many are one cell: their order does not matter to the bias


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


# ------------------------------------------------------------------ power


def power(
    starts: Sequence[tuple[Sequence[float], int]], limit: float, bets: int, simulations: int
) -> tuple[Power, ...]:
    """For each of `BIASES`, how likely it would have been caught if the first token after every prompt had it.

    A lower bound up to the simulation's own error: only the bets on first tokens are counted, and only at the end of the test. A bias that
    no direction can have, because the other tokens are too unlikely, is left out.

    Args:
        starts: for each prompt the exact p of its first new token, and how many runs began with this prompt.
        limit: the logarithm of the wealth at which the claim is rejected.
        bets: the number of bets of the test; those on first tokens are a part of them.
        simulations: the number of simulations of each direction.
    """
    if not simulations:
        return ()
    random, cells = Random(0), [_cells(p) for p, _ in starts]  # noqa: S311  # not for secrets
    powers = []
    for bias in BIASES:
        least = 2.0
        for direction in range(_DIRECTIONS):
            biased = [_biased(p, bias, direction) for p in cells]
            if any(q is None for q in biased):
                continue
            sources = [(q, p, samples) for q, p, (_, samples) in zip(biased, cells, starts, strict=True) if q]
            caught = sum(_wealth(sources, random, bets) >= limit for _ in range(simulations))
            least = min(least, caught / simulations)
        if least <= 1:
            powers.append(Power(bias, least, sum(samples for _, samples in starts)))
    return tuple(powers)


def _wealth(sources: Sequence[tuple[Sequence[float], Sequence[float], int]], random: Random, bets: int) -> float:
    logs = [0.0] * len(STRENGTHS)
    for q, p, samples in sources:
        counts = Counter(random.choices(range(len(q)), cum_weights=list(accumulate(q)), k=samples))
        logs = [log + log_learned(counts, p, strength) for log, strength in zip(logs, STRENGTHS, strict=True)]
    return log_mean([*logs, *[-1e9] * (bets - len(logs))])


def _biased(p: Sequence[float], bias: float, direction: int) -> list[float] | None:
    """p with a share `bias` of the probability moved: to the most likely token, away from it, or from every second token to the others."""
    gains = [(index == 0, index > 0, index % 2 == 0)[direction] for index in range(len(p))]
    gaining = sum(value for value, gain in zip(p, gains, strict=True) if gain)
    losing = sum(value for value, gain in zip(p, gains, strict=True) if not gain)
    if gaining <= 0 or losing < bias:
        return None
    return [
        value * (1 + bias / gaining) if gain else value * (1 - bias / losing)
        for value, gain in zip(p, gains, strict=True)
    ]


def _cells(p: Sequence[float]) -> list[float]:
    """The positive probabilities, the largest first; small ones are added up."""
    ordered = sorted((value for value in p if value > 0), reverse=True)
    return ordered if len(ordered) <= _CELLS else [*ordered[: _CELLS - 1], sum(ordered[_CELLS - 1 :])]
