"""What the embedded pair's ready-made prompts say to look for is seen in their runs, at the page's settings."""

import json
from collections import Counter
from typing import Any

import pytest

from specviz.decoding.recorder import LIGHT
from specviz.folders import ASSETS
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from specviz.trace.records import Trace
from tests.helpers.hints import contradicted

READY: list[dict[str, Any]] = json.loads((ASSETS / "prompts" / "embedded.json").read_text(encoding="utf-8"))
pytestmark = pytest.mark.slow
EASY = 0.75
"""The share of checked guesses that are accepted in a category that is called easy to guess."""


@pytest.fixture(scope="module")
def runs(embedded: Pair) -> list[Trace]:
    """The run of every prompt with the settings that the page opens with."""
    return [Run(embedded, ready["prompt"], Settings(), recorder=LIGHT).finish() for ready in READY]


def test_every_hint_is_true_of_its_run(runs: list[Trace]) -> None:
    """The run shows what is claimed of it, and something is claimed of each."""
    wrong = {
        ready["title"]: found
        for ready, run in zip(READY, runs, strict=True)
        if (found := contradicted(ready["claims"], run) if ready["claims"] else ["nothing is claimed"])
    }
    assert not wrong


def test_easy_to_guess_is_measured(runs: list[Trace]) -> None:
    """A category is easy to guess where at least three quarters of its checked guesses are accepted, else hard."""
    accepted, checked = Counter[str](), Counter[str]()
    for ready, run in zip(READY, runs, strict=True):
        accepted[ready["category"]] += summarise(run).accepted
        checked[ready["category"]] += summarise(run).judged
    for ready in READY:
        share = accepted[ready["category"]] / checked[ready["category"]]
        assert ready["kind"] == ("easy to guess" if share >= EASY else "hard to guess"), (ready["category"], share)
