"""A recording with one thing wrong in it is refused. What is wrong in every field by itself: `test_files.py`."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from specviz.errors import TraceError
from specviz.trace.files import load
from tests.helpers.fuzz import at

TRACES = Path(__file__).parents[2] / "assets" / "traces"
PLAN = {"left": ["k"], "tokens": 1.9, "checked": 3, "pass_cost": 1.1, "draft_cost": 0.2}
DAMAGES: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "an unknown verdict": (("rounds", 0, "drafted", 0, "verdict"), "skipped"),
    "an unknown stop": (("stop",), "crash"),
    "a version of three parts": (("card", "versions"), [["torch", "2", "3"]]),
    "a version of one part": (("card", "versions"), [["torch"]]),
    "layers out of nowhere": (("card", "drafter", "layers"), []),
    "a plan of no token": (("plan",), {**PLAN, "tokens": 0.5}),
    "a plan with more in it": (("plan",), {**PLAN, "why": "because"}),
    "a plan that leaves nothing of it": (("plan",), {}),
    "an allowed number below none": (("rounds", 0, "allowed"), -1),
    "a head that reads nothing": (("card", "drafter", "taps"), []),
}
"""Where something else stands, and what."""


def test_damaged_recordings_are_refused() -> None:
    """A value that is impossible, of a shipped recording with a tree."""
    recording = json.loads((TRACES / "products-tree.json").read_text(encoding="ascii"))
    for damage, (path, wrong) in DAMAGES.items():
        damaged = copy.deepcopy(recording)
        at(damaged["traces"][0], path[:-1])[path[-1]] = wrong
        with pytest.raises(TraceError):
            pytest.fail(f"{damage}: {load(damaged)}")
