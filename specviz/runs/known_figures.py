"""What is known of the drafters before they run on this machine: how often they guess right, and what that cost where it was measured.

It comes from the figures that ship with the pairs of the project (`python -m tools.known_figures` makes them), else from the examination
beside a trained head.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from specviz.decoding.drafters import registry
from specviz.folders import ASSETS
from specviz.models.pair import Pair
from specviz.settings import Settings

FILE = ASSETS / "acceptance.json"
"""The figures of the pairs that come with the project."""
_JUDGED = 20
"""Figures of a position in an examination count from so many judged tokens on."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a drafter before it runs on this machine.

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
    """The file."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def shipped_figures() -> Mapping[str, Mapping[str, tuple[Known, ...]]]:
    """Pair -> drafter -> what is known of it, once for each size of a tree."""
    return {
        pair: {name: tuple(map(_read, rows)) for name, rows in drafters.items()}
        for pair, drafters in _shipped()["pairs"].items()
    }


def _read(row: Mapping[str, Any]) -> Known:
    return Known(**{**row, "greedy": tuple(row["greedy"]), "sampled": tuple(row["sampled"])})


def _rates(values: Sequence[float | None]) -> tuple[float, ...]:
    """Probabilities by position, up to the first that is not known."""
    rates: list[float] = []
    for value in values:
        if not isinstance(value, int | float) or not 0 <= value <= 1:
            break
        rates.append(float(value))
    return tuple(rates)


def examined(pair: Pair, name: str) -> Known | None:
    """What the examination beside the trained head says of this drafter; None where there is none."""
    described = registry.describe(name)
    folder = pair.head_folders.get(described.head) if described.shape == "chain" and described.head else None
    if folder is None:
        return None
    try:
        found = json.loads((Path(folder) / "examination.json").read_text(encoding="utf-8"))["drafters"][name]
        greedy, sampled = (_examined_rates(found[kind]) for kind in ("greedy", "sampled"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return Known(greedy, sampled or greedy, 0.1) if greedy else None


def _examined_rates(found: Mapping[str, Any]) -> tuple[float, ...]:
    judged = found["judged_by_position"]
    return _rates(
        [rate if count >= _JUDGED else None for rate, count in zip(found["alpha_by_position"], judged, strict=False)]
    )


def shipped_costs(pair: str) -> tuple[tuple[float, ...], str]:
    """What passes of this pair's target cost where the figures were measured, v[n] of `Costs`, and on which machine. For a pair that is not there,
    the costs of the embedded one."""
    measured = pair if pair in _shipped()["passes"] else "embedded"
    return tuple(_shipped()["passes"][measured]), _shipped()["machines"][measured]
