"""How often the audit reports something about a decoder without a bug: many audits of the zoo's honest parts, each with seeds of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from specviz.audit.subject import Budget
from specviz.audit.zoo.exhibit import Exhibit
from specviz.audit.zoo.measure import BUDGET, Row, measure

SAMPLES = 150
"""Runs of the sequential checks in each audit."""


@dataclass(frozen=True, slots=True)
class Honest:
    """One audit: the settings are those of this exhibit, and its bug is left out."""

    number: int
    row: Row


def honest_audits(exhibits: Sequence[Exhibit], count: int, budget: Budget | None = None) -> Iterator[Honest]:
    """Audit honest parts so many times, the settings of the exhibits in turn. No two audits share a seed.

    Lossy rules have no honest twin with their settings, and are left out.
    """
    budget = budget or replace(BUDGET, samples=SAMPLES)
    usable = [one for one in exhibits if not one.lossy]
    apart = budget.samples + budget.texts + 1
    for number in range(count):
        seeded = replace(budget, first_seed=budget.first_seed + number * apart)
        yield Honest(number, measure(usable[number % len(usable)], seeded, honest=True))
