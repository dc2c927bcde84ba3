"""The sequential test itself, without any decoder."""

import math
from collections import Counter
from random import Random

import pytest

from specviz.audit.sequential import Bets, log_learned, log_mean, power

P = (0.4, 0.3, 0.2, 0.1)


def rejections(q: tuple[float, ...], streams: int, tokens: int, false_alarm: float) -> int:
    """How many streams of tokens that are drawn from q are rejected although the claim is P."""
    random, found = Random(1), 0  # noqa: S311  # not for secrets
    for _ in range(streams):
        bets = Bets(false_alarm, ("all", "after"), ("flatter",))
        before = -1
        for token in random.choices(range(4), q, k=tokens):
            bets.see(token, P[token], {"all": (), "after": before}, {"flatter": 0.25})
            before = token
        found += bets.rejected
    return found


def test_false_alarms_stay_below_the_limit_and_a_bias_is_found() -> None:
    """Looking after every token, at most 5% of honest streams are ever rejected; of biased ones nearly all are."""
    assert rejections(P, 400, 60, 0.05) <= 0.05 * 400 + 3 * math.sqrt(0.05 * 400)
    assert rejections((0.1, 0.2, 0.3, 0.4), 40, 60, 0.001) >= 36


def test_wealth_does_not_depend_on_the_order() -> None:
    """The product over single tokens is the closed form over counts."""
    tokens = [0, 2, 2, 1, 3, 2, 0, 0, 2]
    bets = Bets(0.001, ("all",))
    for token in tokens:
        bets.see(token, P[token], {"all": ()})
    closed = [log_learned(Counter(tokens), P, strength) for strength in (2.0, 20.0, 200.0)]
    assert bets.log_wealth == pytest.approx(log_mean(closed), abs=1e-9)


def test_an_impossible_token_is_decisive() -> None:
    """A token of probability 0 rejects the claim at once, and later tokens do not change that."""
    bets = Bets(0.001, ("all",))
    bets.see(7, 0.0, {"all": ()})
    bets.see(0, 0.4, {"all": ()})
    assert bets.rejected
    assert bets.highest == math.inf


def test_power_grows_with_bias_and_samples() -> None:
    """A bias of 40% is found with 400 samples, one of 2% with 20 is not, and more samples find more."""
    few, many = (power([(P, samples)], math.log(2000), 14, 40) for samples in (20, 400))
    assert many[-1].probability > 0.95
    assert few[0].probability < 0.1
    assert [one.bias for one in many] == [0.02, 0.05, 0.1, 0.2, 0.4]
    assert all(more.probability >= less.probability for less, more in zip(few, many, strict=True))
