"""Mounts the lanes. They read rounds and figures with the player's own modules."""

from typing import Any

from app.components.component import component
from specviz.reporting.player.scripts import given, script, style

_component = component("race", script=script("race"), style=style("race"), html="<div class='stage race'>\n</div>")


def raceway(view: dict[str, Any], key: str) -> None:
    """Show a view (see `lanes.race` and `lanes.side_by_side`), at a stable position so that it survives reruns."""
    _component(
        key=key, data={"view": view, **given()}, height="content", on_over_change=lambda: None
    )  # the page is rerun
