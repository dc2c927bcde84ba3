"""Mounts the player in the page."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from app.components.component import component, texts
from app.state.page_state import PLAYER, component_value
from specviz.reporting.player.scripts import given, script, style

PARTS = frozenset({"dial", "lanes", "transport", "pace", "predict", "keys", "legend", "caption", "why", "title", "end"})  # fmt: skip
"""What of the stage a lesson may leave out."""


_component = component("player", script=script("player"), style=style("player"), html="<div class='stage'>\n</div>")


def player(
    view: dict[str, Any],
    *,
    talk: bool = False,
    paired: bool = False,
    hide: Collection[str] = (),
    lead: Mapping[str, str] | None = None,
    vote: Callable[[], None] | None = None,
    able: Collection[str] = (),
    suggested: Callable[[dict[str, str]], None] | None = None,
    over: Callable[[], None] = lambda: None,
    begun: str = "",
) -> None:
    """Show a view of a run (see `session.view`), at a stable position so that it survives reruns.

    Args:
        talk: large type, for the back of a room.
        paired: a run that the page begins is shown as two lanes, until the viewer wants to see its rounds.
        hide: parts of the stage that are left out, of `PARTS`.
        lead: the room that the stage leads, see `Lead` in json_types.ts: it gets where the stage is, whenever the viewer goes somewhere else.
        vote: is called when the presenter of a room presses the key that begins or ends a vote.
        able: the drafters that the form of the page offers for the models of the run; none where it has no form for them.
        suggested: runs the page's form with the settings that the card at the end of a run suggests, as an address has them, when its button is pressed.
        begun: where the run is that the page's Run button begins (`app.stage.run_routes.StartedRun`): the player follows it at once.
        over: is called when a live run has ended; what mounts the player is rerun then.
    """
    shown = {**view, "talk": talk, "paired": paired, "hide": sorted(PARTS & set(hide)), "able": list(able)}
    if view.get("recorded_at"):
        shown.pop("recording", None)  # the browser fetches it there, once
    if lead is not None:
        shown |= {"leading": True, "lead": dict(lead), "voting": vote is not None}
    _component(
        key=PLAYER,
        data={"view": shown, "begun": begun, **given()},
        height="content",
        on_over_change=over,
        on_vote_change=vote or (lambda: None),
        on_suggested_change=lambda: suggested and suggested(texts(component_value(PLAYER, "suggested"))),
    )
