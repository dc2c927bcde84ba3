"""The power of a sequential test: the biases it would have caught, by simulation with the exact p of the first tokens. Standard library only."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from random import Random

from specviz.audit.records import Power
from specviz.audit.sequential import STRENGTHS, log_learned, log_mean

BIASES = (0.02, 0.05, 0.1, 0.2, 0.4)  # the total variation distances that are tried
_DIRECTIONS = 3  # see `_biased`
_CELLS = 64  # tokens less likely than the first so many are one cell: their order does not matter to the bias


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
