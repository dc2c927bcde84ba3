"""Mounts the player. Its script is one string: the component's code cannot import a neighbour file."""

from pathlib import Path
from typing import Any

import streamlit as st

from app import theme

_HERE = Path(__file__).parent
_FILES = ("timeline", "words", "dom", "dial", "manuscript", "desk", "transport", "stage")


def script() -> str:
    """All of the player's files, the pure ones first, joined into one module."""
    return "\n".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _FILES)


def style() -> str:
    """player.css behind the colours of the theme."""
    return theme.css_variables() + (_HERE / "player.css").read_text(encoding="utf-8")


_component = st.components.v2.component("specviz_player", js=script(), css=style(), html="<div class='stage'>\n</div>")


def player(view: dict[str, Any]) -> None:
    """Show a view of a run (see `Runs.view`), at a stable place so that it survives re-runs."""
    _component(key="player", data={"view": view, "looks": theme.looks()}, height="content")
