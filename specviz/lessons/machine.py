"""What passes cost on the machine whose figures come with the project: what a lesson's pictures show. Standard library only."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from specviz.folders import ASSETS
from specviz.lessons.lesson import Recorded

_FILE = "recorded-costs.json"
_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}


def recorded_costs(recordings: Iterable[Recorded]) -> dict[str, Any] | None:
    """The figures, see `RecordedCosts` in cost_types.ts; None where no recording is of their target."""
    figures = _figures()
    passes = figures["passes"]
    cards = [recorded.run.card.target for recorded in recordings]
    target = next((card for card in cards if card.name == passes["target"]), None)
    if target is None:
        return None
    return {
        **passes,
        "file": f"assets/{_FILE}",
        "weights_bytes": target.parameters * _BYTES[passes["dtype"]],
        "guests": figures["guests"]["points"],
        "mixture": figures["experts"],
    }


@cache
def _figures() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ASSETS / _FILE).read_text(encoding="utf-8"))
    return found
