"""Mounts the predicted speedup over the draft length, of the run that is on the stage of the same page."""

from app.component import component
from specviz.reporting.player.scripts import script, style

_component = component("k", script=script("k"), style=style("k"), html="<div class='k-beside'></div>")


def k_curve(k: int) -> None:
    """Show it with this draft length; 0 leaves it to specviz."""
    _component(key="k-curve", data={"k": k}, height="content")
