"""Mounts what tells a presenter's stage of the vote, and the plan."""

from collections.abc import Callable
from typing import Any

from app.classroom.polls import PollState
from app.classroom.room import Room
from app.components.component import component
from app.state.page_state import PLAN, component_value
from specviz.reporting.player.scripts import script, style

_moment = component("moment", script=script("moment"), style="", html="<span hidden></span>")
_plan = component("plan", script=script("plan"), style=style("plan"), html="<div class='plan'></div>")


def vote(room: Room) -> None:
    """Tell the presenter's stage on this page of the vote, see `VoteNow` in json_types.ts."""
    poll = room.poll
    vote_now = None
    if poll is not None and poll.run:
        over = poll.state is PollState.RESOLVED
        vote_now = {"id": f"{room.code} {len(room.past)}", "run": poll.run, "round": poll.round, "over": over}
    _moment(key="moment", data={"vote": vote_now}, height="content")


def plan(parts: list[dict[str, Any]], here: int, *, go: Callable[[int], None]) -> None:
    """The plan of a lesson, see `PlanPart` in lesson_plan.ts.

    Args:
        here: the index of the part that is open; -1 for none.
        go: is called with the index of the part that was chosen.
    """

    def chosen() -> None:
        index = component_value(PLAN, "go")
        if isinstance(index, int) and 0 <= index < len(parts):
            go(index)

    _plan(key=PLAN, data={"parts": parts, "here": here}, height="content", width="content", on_go_change=chosen)
