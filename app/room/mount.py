"""Mounts what tells a presenter's stage of the vote."""

from app.component import component
from specviz.reporting.player.scripts import script
from specviz.rooms.polls import PollState
from specviz.rooms.room import Room

_moment = component("moment", script=script("moment"), style="", html="<span hidden></span>")


def vote(now: Room) -> None:
    """Tell the presenter's stage on this page of the vote, see `VoteNow` in types.d.ts."""
    poll = now.poll
    told = None
    if poll is not None and poll.run:
        over = poll.state is PollState.RESOLVED
        told = {"id": f"{now.code} {len(now.past)}", "run": poll.run, "round": poll.round, "over": over}
    _moment(key="moment", data={"vote": told}, height="content")
