"""Mounts the lanes. Reading of tokens and small helpers are the player's; the component's code cannot import a neighbour."""

from pathlib import Path
from typing import Any

import streamlit as st

from app import theme

_APP = Path(__file__).parents[1]
_FILES = (
    "player/timeline",
    "player/labels",
    "player/dom",
    "player/frames",
    "race/course",
    "race/words",
    "race/lane",
    "race/controls",
    "race/raceway",
)


def script() -> str:
    """All of the component's files, the pure ones first, joined into one module."""
    return "\n".join((_APP / f"{name}.js").read_text(encoding="utf-8") for name in _FILES)


def style() -> str:
    """race.css behind the colours of the theme."""
    return theme.css_variables() + (_APP / "race" / "race.css").read_text(encoding="utf-8")


_component = st.components.v2.component(
    "specviz_race", js=script(), css=style(), html="<div class='stage race'>\n</div>"
)


def raceway(view: dict[str, Any], key: str) -> None:
    """Show a view (see `lanes.race` and `lanes.side_by_side`), at a stable place so that it survives re-runs."""
    _component(key=key, data={"view": view, "looks": theme.looks()}, height="content")
