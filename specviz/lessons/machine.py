"""What passes cost on the machine whose profile comes with the project: what a lesson's pictures show before the reader measures. Standard
library only.
"""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from specviz.folders import ASSETS
from specviz.lessons.lesson import Recorded

_FILE = "profiles/two-cores-epyc.json"
_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}


def recorded_costs(recordings: Iterable[Recorded]) -> dict[str, Any] | None:
    """The profile as a measurement of pass costs, see `RecordedCosts` in types.d.ts; None where no recording is of its target."""
    profile = _read(_FILE)
    cards = [recorded.run.card.target for recorded in recordings]
    target = next((card for card in cards if card.name in profile["models"]), None)
    if target is None:
        return None
    return {
        "kind": "pass cost",
        "recorded": profile["name"],
        "file": f"assets/{_FILE}",
        "target": target.name,
        "device": profile["device"],
        "processor": profile["about"],
        "dtype": profile["dtype"],
        "measured_at": profile["measured_on"],
        "context": profile["cache_length"],
        "weights_bytes": target.parameters * _BYTES[profile["dtype"]],
        "points": [{"tokens": tokens, "pass_s": profile["pass_s"] * cost} for tokens, cost in profile["v"]],
        "mixture": _read("experts.json"),
    }


@cache
def _read(file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ASSETS / file).read_text(encoding="utf-8"))
    return found
