"""Mounts the player in the page."""

from collections.abc import Collection
from typing import Any

from app.component import component
from specviz.reporting.player.scripts import given, script, style

PARTS = frozenset(
    {"dial", "lanes", "transport", "pace", "predict", "rounds", "keys", "legend", "caption", "why", "whatif", "title"}
)
"""What of the stage a lesson may leave out."""


_component = component("player", script=script(), style=style(), html="<div class='stage'>\n</div>")


def player(view: dict[str, Any], *, talk: bool = False, hide: Collection[str] = ()) -> None:
    """Show a view of a run (see `Jobs.view`), at a stable position so that it survives reruns.

    Args:
        talk: large type, for the back of a room.
        hide: parts of the stage that are left out, of `PARTS`.
    """
    shown = {**view, "talk": talk, "hide": sorted(PARTS & set(hide))}
    _component(key="player", data={"view": shown, **given()}, height="content")
