"""Mounts what brings a stage the presenter's moment and the vote."""

from typing import Any

from app.component import component
from specviz.reporting.player.scripts import moment_script
from specviz.rooms.polls import State
from specviz.rooms.room import Room

_moment = component("moment", script=moment_script(), style="", html="<span hidden></span>")


def moment(data: dict[str, Any] | None, now: Room) -> None:
    """Show the stage of this page where the presenter is.

    Args:
        data: see `MomentNow` in types.d.ts; None where it does not follow.
        now: the room, whose vote the stage shows.
    """
    _moment(key="moment", data={"moment": data, "vote": _vote(now)}, height="content")


def _vote(now: Room) -> dict[str, Any] | None:
    """See `VoteNow` in types.d.ts."""
    poll = now.poll
    if poll is None or not poll.run:
        return None
    over = poll.state is State.RESOLVED
    return {"id": f"{now.code} {len(now.past)}", "run": poll.run, "round": poll.round, "over": over}
