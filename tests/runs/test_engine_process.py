"""The engine's events: what the last one says of other draft lengths."""

import io
import json
from typing import Any

import pytest
import torch

from specviz.models import Pair
from specviz.runs import engine_process as worker
from specviz.runs.engine_process import Engine
from specviz.runs.replan import replan
from specviz.settings import MAX_DRAFT_LENGTH
from specviz.trace.records import Closing


def done(embedded: Pair, settings: dict[str, Any], *, plain: bool = True, cancel: bool = False) -> dict[str, Any]:
    """The last event of a run on the embedded pair."""
    out = io.StringIO()
    engine = Engine(out)
    asked = {"name": "embedded"}
    engine._pair, engine._asked = embedded, asked
    if cancel:
        engine.cancel("job")
    settings = {"max_new_tokens": 12, **settings}
    engine.do({"do": "run", "job": "job", "pair": asked, "prompt": "Once upon a time", "settings": settings, "plain": plain})  # fmt: skip
    last: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])
    assert last["event"] == "done", last
    return last


@pytest.mark.parametrize("drafter", ["model", "early-exit", "layer-skip"])
@pytest.mark.parametrize("chance", [{}, {"temperature": 1.0, "shared_noise": True}], ids=["greedy", "noise"])
def test_what_other_draft_lengths_would_do(embedded: Pair, drafter: str, chance: dict[str, Any]) -> None:
    """The event has what a plan needs, and with the run's own k the plan is the recorded run."""
    event = done(embedded, {"drafter": drafter, "k": 3, **chance})
    told = event["replan"]
    assert set(told) == {"matches", "c", "v", "pass_s"}
    assert told["c"] > 0
    assert told["pass_s"] > 0
    assert len(told["v"]) == MAX_DRAFT_LENGTH + 1
    assert told["v"][0] == pytest.approx(1)
    rounds = event["recording"]["traces"][0]["rounds"]
    plan = replan(told["matches"], 3, 12)
    assert [(r.start, r.drafted, r.accepted) for r in plan] == [
        (r["start"], len(r["drafted"]), len(r["accepted"])) for r in rounds
    ]
    assert [r.closing and r.closing.value for r in plan] == [r["closing"] and r["closing"]["how"] for r in rounds]
    assert Closing.BONUS in [r.closing for r in plan]


@pytest.mark.parametrize(
    "other",
    [{"drafter": "ngram"}, {"drafter": "tree"}, {"policy": "confidence"}, {"temperature": 1.0}],
)
def test_nothing_is_said_where_it_does_not_follow(embedded: Pair, other: dict[str, Any]) -> None:
    """Where one text does not tell every round the event says null."""
    assert done(embedded, other)["replan"] is None


def test_nothing_is_said_without_a_plain_run_or_of_a_cancelled_one(embedded: Pair) -> None:
    """There is no plain text to compare with, or nobody waits."""
    assert done(embedded, {}, plain=False)["replan"] is None
    assert done(embedded, {}, cancel=True)["replan"] is None


def test_a_plan_that_finds_no_memory_does_not_cost_the_run(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the memory runs out while costs are measured, which no test can cause, the run is told without a plan."""

    def starved(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(worker, "costs_of", starved)
    event = done(embedded, {})
    assert event["replan"] is None
    assert len(event["recording"]["traces"]) == 2
