"""A toy server with arrivals: a seeded simulation, event by event, with measured costs of passes. Its results are labelled "simulated".

Requests arrive at random moments (a Poisson process) and join the running batch between two passes, as many as there is room for. In one
step the server drafts and checks for all guests together; each guest gains the tokens up to its first rejection and one of the target's
own. A drafted token of a guest is accepted with the α of its kind of text, independently. Standard library only.
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import mean, median, quantiles

from specviz.errors import InputError
from specviz.lab.guests import Surface
from specviz.trace import theory

OFF, ON, ADAPTIVE, ROUTED = "off", "on", "adaptive", "routed"
MODES = {
    OFF: "plain decoding for everyone",
    ON: "every guest drafts k tokens in every step",
    ADAPTIVE: "in every step the draft length that pays most for so many guests, or none",
    ROUTED: "guests draft k tokens where their kind of text pays at so many guests, others decode plainly in the same pass",
}
LABEL = "simulated"
MOST_REQUESTS = 20_000
MOST_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class ServiceLoad:
    """What comes to the server.

    Attributes:
        rate: requests a second.
        tokens: that each request wants.
        requests: how many come.
        alphas: the acceptance rate of each kind of text; each request is of one kind, drawn with equal probability.
        k: draft length.
        room: how many guests may be in the batch.

    Raises:
        InputError: a value cannot be used.
    """

    rate: float
    tokens: int
    requests: int
    alphas: Mapping[str, float]
    k: int
    room: int
    seed: int = 0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.rate) and self.rate > 0):
            raise InputError(f"rate was {self.rate}: give requests a second, above 0.")
        for name, value, most in (("tokens", self.tokens, MOST_TOKENS), ("requests", self.requests, MOST_REQUESTS)):
            if not 1 <= value <= most:
                raise InputError(f"{name} was {value}: give a whole number from 1 to {most:,}.")
        if not self.alphas or not all(0 <= alpha <= 1 for alpha in self.alphas.values()):
            raise InputError("an acceptance rate is outside 0 to 1, or there is none: give some, as in code=0.9.")
        if self.k < 1 or self.room < 1:
            raise InputError(f"k was {self.k} and room {self.room}: both are at least 1.")


@dataclass(frozen=True, slots=True)
class Served:
    """What the guests saw; simulated.

    Attributes:
        rate: requests a second.
        latency_s, median_s, slow_s: from arrival to the last token: the mean, the median, and what one guest in twenty exceeds.
        tokens_per_s: tokens written over the time from the first arrival to the last token.
        guests: mean number of guests in a step.
        drafting: share of the steps in which something was drafted.
    """

    mode: str
    rate: float
    latency_s: float
    median_s: float
    slow_s: float
    tokens_per_s: float
    guests: float
    drafting: float
    label: str = LABEL


@dataclass(slots=True)
class _Guest:
    arrived_s: float
    alpha: float
    left: int


def simulate(surface: Surface, load: ServiceLoad, mode: str) -> Served:
    """Serve every request. The same seed gives the same arrivals, and the same kinds of text, in every mode.

    Raises:
        InputError: no such mode, or the costs of such passes were not measured.
    """
    if mode not in MODES:
        raise InputError(f"mode was {mode!r:.40}: choose one of {', '.join(MODES)}.")
    if load.room > surface.most_guests or load.k + 1 > surface.lengths[-1]:
        raise InputError(
            f"room was {load.room} and k {load.k}: measured are up to {surface.most_guests} guests and k = {surface.lengths[-1] - 1}."
        )
    costs = _Costs(surface)
    arrivals, chance = _arrivals(load), random.Random(load.seed + 1)  # noqa: S311  # a simulation
    waiting, batch, latencies = list(reversed(arrivals)), list[_Guest](), list[float]()
    clock, steps, present, drafting = arrivals[0].arrived_s, 0, 0, 0
    while waiting or batch:
        if not batch and waiting[-1].arrived_s > clock:
            clock = waiting[-1].arrived_s
        while waiting and waiting[-1].arrived_s <= clock and len(batch) < load.room:
            batch.append(waiting.pop())
        drafted = _lengths(costs, load, mode, batch)
        clock += costs.step_s(drafted)
        steps, present, drafting = steps + 1, present + len(batch), drafting + any(drafted)
        for guest, k in zip(batch, drafted, strict=True):
            guest.left -= 1 + _accepted(guest.alpha, k, chance)
            if guest.left <= 0:
                latencies.append(clock - guest.arrived_s)
        batch = [guest for guest in batch if guest.left > 0]
    slow = quantiles(latencies, n=20, method="inclusive")[-1] if len(latencies) > 1 else latencies[0]
    written = load.requests * load.tokens
    span = clock - arrivals[0].arrived_s
    means = written / span, present / steps, drafting / steps
    return Served(mode, load.rate, mean(latencies), median(latencies), slow, *means)


def step_seconds(surface: Surface, drafted: list[int]) -> float:
    """Seconds of one step: draft passes over those who still draft, then one pass of the target over everyone's tokens.

    Where guests draft different numbers, the pass costs what it costs for their mean.
    """
    guests = len(drafted)
    check = surface.pass_s(guests, 1 + sum(drafted) / guests)
    assert check is not None, "the room and k were checked"
    draft = 0.0
    for index in range(max(drafted)):
        seconds = surface.draft_s(sum(k > index for k in drafted))
        if seconds is None:
            raise InputError(
                "The draft's passes were not measured for so many guests: measure them with `specviz profile`."
            )
        draft += seconds
    return draft + check


def _arrivals(load: ServiceLoad) -> list[_Guest]:
    chance = random.Random(load.seed)  # noqa: S311  # a simulation
    kinds = list(load.alphas.values())
    clock, found = 0.0, []
    for _ in range(load.requests):
        clock += chance.expovariate(load.rate)
        found.append(_Guest(clock, chance.choice(kinds), load.tokens))
    return found


class _Costs:
    """The seconds of steps, each calculated once."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._known: dict[tuple[int, ...], float] = {}

    def step_s(self, drafted: list[int]) -> float:
        """As `step_seconds`; the order of the guests does not matter."""
        key = (len(drafted), *sorted(filter(None, drafted)))
        if key not in self._known:
            self._known[key] = step_seconds(self._surface, drafted)
        return self._known[key]

    def best(self, alphas: list[float], most: int) -> int:
        """The draft length, 0 included, with the most expected tokens a second."""

        def rate(k: int) -> float:
            return sum(_expected(alpha, k) for alpha in alphas) / self.step_s([k] * len(alphas))

        return max(range(most + 1), key=rate)

    def pays(self, guests: int, alpha: float, k: int) -> bool:
        """Whether drafting pays for texts of this kind, if so many guests all do it."""
        return _expected(alpha, k) / self.step_s([k] * guests) > 1 / self.step_s([0] * guests)


def _lengths(costs: _Costs, load: ServiceLoad, mode: str, batch: list[_Guest]) -> list[int]:
    """How many tokens each guest drafts in this step."""
    count = len(batch)
    if mode == OFF:
        return [0] * count
    if mode == ON:
        return [load.k] * count
    if mode == ADAPTIVE:
        return [costs.best([guest.alpha for guest in batch], load.k)] * count
    return [load.k if costs.pays(count, guest.alpha, load.k) else 0 for guest in batch]


@cache
def _expected(alpha: float, k: int) -> float:
    return theory.tokens_per_pass(alpha, k)


def _accepted(alpha: float, k: int, chance: random.Random) -> int:
    """How many of k drafted tokens are accepted before the first rejection."""
    count = 0
    while count < k and chance.random() < alpha:
        count += 1
    return count
