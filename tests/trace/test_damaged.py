"""A recording with one thing wrong in it is refused."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from specviz.errors import TraceError
from specviz.trace.files import load
from tests.helpers.fuzz import at

TRACES = Path(__file__).parents[2] / "assets" / "traces"
Damage = Callable[[Any], None]


@pytest.fixture(scope="module")
def recording() -> Any:
    """A shipped recording with a tree, as JSON values."""
    return json.loads((TRACES / "products-tree.json").read_text(encoding="ascii"))


def _set(*path: Any, to: Any) -> Damage:
    def damage(value: Any) -> None:
        at(value, path[:-1])[path[-1]] = to

    return damage


def _drop(*path: Any) -> Damage:
    def damage(value: Any) -> None:
        del at(value, path[:-1])[path[-1]]

    return damage


TRACE, ROUND = ("traces", 0), ("traces", 0, "rounds", 0)
PLAN = {"left": ["k"], "tokens": 1.9, "checked": 3, "pass_cost": 1.1, "draft_cost": 0.2}
DAMAGES: dict[str, Damage] = {
    "an unknown schema": _set("schema", to="specviz.trace/3"),
    "no traces": _set("traces", to=[]),
    "a field beside": _set("more", to=1),
    "a missing field": _drop(*ROUND, "verify_s"),
    "an unknown field": _set(*ROUND, "verify", to=1.0),
    "a wrong type": _set(*TRACE, "prompt", to=7),
    "an unknown verdict": _set(*ROUND, "drafted", 0, "verdict", to="skipped"),
    "an unknown stop": _set(*TRACE, "stop", to="crash"),
    "a version of three parts": _set(*TRACE, "card", "versions", to=[["torch", "2", "3"]]),
    "a version of one part": _set(*TRACE, "card", "versions", to=[["torch"]]),
    "bytes that are no base64": _set(*TRACE, "tokens", to={"1": {"data": "?", "special": False}}),
    "an id that is none": _set(*TRACE, "tokens", to={"01": {"data": "QQ==", "special": False}}),
    "layers out of nowhere": _set(*TRACE, "card", "drafter", "layers", to=[]),
    "a plan of no token": _set(*TRACE, "plan", to={**PLAN, "tokens": 0.5}),
    "a plan with more in it": _set(*TRACE, "plan", to={**PLAN, "why": "because"}),
    "a plan that leaves nothing of it": _set(*TRACE, "plan", to={}),
    "an allowed number below none": _set(*TRACE, "rounds", 0, "allowed", to=-1),
    "a head that reads nothing": _set(*TRACE, "card", "drafter", "taps", to=[]),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_recordings_are_refused(recording: Any, damage: Damage) -> None:
    """A field that is missing, unknown or impossible, wherever it is."""
    damaged = copy.deepcopy(recording)
    damage(damaged)
    with pytest.raises(TraceError):
        load(damaged)
