"""Mounts the lanes. They read rounds and figures with the player's own modules."""

from pathlib import Path
from typing import Any

import streamlit as st

from app import theme
from app.player.bundle import bundle
from app.player.player import given

_HERE = Path(__file__).parent


def script() -> str:
    """The component as one module."""
    return bundle(_HERE / "component.js")


def style() -> str:
    """race.css after the colours of the theme."""
    return theme.css_variables() + (_HERE / "race.css").read_text(encoding="utf-8")


_component = st.components.v2.component(
    "specviz_race", js=script(), css=style(), html="<div class='stage race'>\n</div>"
)


def raceway(view: dict[str, Any], key: str) -> None:
    """Show a view (see `lanes.race` and `lanes.side_by_side`), at a stable position so that it survives reruns."""
    _component(key=key, data={"view": view, **given()}, height="content")
