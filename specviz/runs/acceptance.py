"""Acceptance priors: how often each drafter guesses right, and what a guess cost where that was measured, before it runs on this machine.

They come from the figures that ship with the pairs of the project; `python -m tools.known_figures` makes them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from specviz.decoding.drafters import registry
from specviz.folders import ASSETS
from specviz.known_pairs import EMBEDDED, FAMILY
from specviz.settings import Settings

FILE = ASSETS / "acceptance.json"  # the figures of the pairs that come with the project


@dataclass(frozen=True, slots=True)
class AcceptancePrior:
    """The acceptance and the cost of a drafter before it runs on this machine.

    Attributes:
        greedy, sampled: the probability that a token is accepted where those before it are, by position; of a tree that its path grows.
        draft: the cost of one more drafted token, of a tree of one more level, in passes of the target, on the machine where it was measured.
        nodes: the size of the tree; 0 for a chain.
        share: the share of rounds in which it proposes anything: one that copies finds nothing in the others.
    """

    greedy: tuple[float, ...]
    sampled: tuple[float, ...]
    draft: float
    nodes: int = 0
    share: float = 1.0

    def rates(self, settings: Settings) -> tuple[float, ...]:
        """The probabilities with these settings."""
        return self.greedy if settings.greedy else self.sampled


@cache
def _shipped() -> Mapping[str, Any]:
    figures: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return figures


@cache
def shipped_priors() -> Mapping[str, Mapping[str, tuple[AcceptancePrior, ...]]]:
    """Pair -> drafter -> its priors, one for each size of a tree. A pair with another draft of the embedded target has those of the drafters that
    take no draft model."""
    priors = {
        pair: {name: tuple(map(_read, rows)) for name, rows in drafters.items()}
        for pair, drafters in _shipped()["pairs"].items()
    }
    own = {name: rows for name, rows in priors[EMBEDDED].items() if registry.describe(name).needs != "draft model"}
    return {**dict.fromkeys(FAMILY, own), **priors}


def _read(row: Mapping[str, Any]) -> AcceptancePrior:
    return AcceptancePrior(**{**row, "greedy": tuple(row["greedy"]), "sampled": tuple(row["sampled"])})


def shipped_costs(pair: str) -> tuple[tuple[float, ...], str]:
    """The cost of passes of this pair's target where the figures were measured, v[n] of `Costs`, and that machine; for a pair that is not there, the
    costs of the embedded one."""
    measured = pair if pair in _shipped()["passes"] else "embedded"
    return tuple(_shipped()["passes"][measured]), _shipped()["machines"][measured]
