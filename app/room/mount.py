"""Mounts what tells a follower's stage of the presenter's moment."""

from typing import Any

from app.component import component
from specviz.reporting.player.scripts import moment_script

_moment = component("moment", script=moment_script(), style="", html="<span hidden></span>")


def moment(data: dict[str, Any]) -> None:
    """Tell the stage of this page.

    Args:
        data: see `MomentNow` in types.d.ts.
    """
    _moment(key="moment", data=data, height="content")
