"""Mounts the lanes. They read rounds and figures with the player's own modules."""

from typing import Any

import streamlit as st

from specviz.reporting.player.scripts import given, race_script, race_style

_component = st.components.v2.component(
    "specviz_race", js=race_script(), css=race_style(), html="<div class='stage race'>\n</div>"
)


def raceway(view: dict[str, Any], key: str) -> None:
    """Show a view (see `lanes.race` and `lanes.side_by_side`), at a stable position so that it survives reruns."""
    _component(key=key, data={"view": view, **given()}, height="content")
