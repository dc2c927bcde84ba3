"""Live views for the pure modules: rounds as letters, plain rounds by the moments at which they ended."""

from typing import Any

from specviz.reporting.player.scripts import given
from specviz.trace.files import to_json
from tests.helpers.views import live_of, round_of, trace_of

EIGHT = ["aaa", "ard", "rdd", ""]
"""Four rounds of 8 ms that write 4, 2, 1 and 1 tokens."""
GIVEN = given()


def plain_round(start: int, began: float, ended: float) -> dict[str, Any]:
    """A round without drafts."""
    round_ = {**to_json(round_of(start, "", 0)), "began_s": began, "ended_s": ended}
    return {**round_, "draft_s": 0.0, "verify_s": ended - began}


def view(
    rounds: list[str] | None = None, plain_ends: list[float] | None = None, rate: float | None = None
) -> dict[str, Any]:
    """A live run when these rounds have come, and plain rounds that ended at these seconds."""
    live = live_of(trace_of(rounds)) if rounds else None
    if live:
        ends = plain_ends or []
        live["plain_rounds"] = [plain_round(i, ([0.0, *ends])[i], end) for i, end in enumerate(ends)]
    return {"id": "x", "status": "done", "plain_rate": rate, "live": live, "recording": None}
