"""Mounts what brings a stage the presenter's moment and the vote."""

from collections.abc import Callable
from typing import Any

from app.component import component
from specviz.reporting.player.scripts import script
from specviz.rooms.polls import PollState
from specviz.rooms.room import Room

_moment = component("moment", script=script("moment"), style="", html="<span hidden></span>")


def moment(data: dict[str, Any] | None, now: Room, known_as: Callable[[str], str] = str) -> None:
    """Show the stage of this page where the presenter is.

    Args:
        data: see `MomentNow` in types.d.ts; None where it does not follow.
        now: the room, whose vote the stage shows.
        known_as: what this page calls a run.
    """
    _moment(key="moment", data={"moment": data, "vote": _vote(now, known_as)}, height="content")


def _vote(now: Room, known_as: Callable[[str], str]) -> dict[str, Any] | None:
    """See `VoteNow` in types.d.ts."""
    poll = now.poll
    if poll is None or not poll.run:
        return None
    over = poll.state is PollState.RESOLVED
    return {"id": f"{now.code} {len(now.past)}", "run": known_as(poll.run), "round": poll.round, "over": over}
