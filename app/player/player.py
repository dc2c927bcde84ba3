"""Mounts the player. Its script is one string: the component's code cannot import a neighbour file."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import streamlit as st

from app import theme

_HERE = Path(__file__).parent
_PURE = "timeline labels drafters replan words reasons"
_DRAWN = "dom frames dial manuscript why slot board tree stack desk bets lanes transport whatif help keys stage"
_FILES = f"{_PURE} {_DRAWN}".split()

PARTS = frozenset(
    {"dial", "lanes", "transport", "pace", "predict", "rounds", "keys", "legend", "caption", "why", "whatif"}
)
"""What of the stage a lesson may do without."""


def script() -> str:
    """All of the player's files, the pure ones first, joined into one module."""
    return "\n".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _FILES)


def style() -> str:
    """player.css behind the colours of the theme."""
    return theme.css_variables() + (_HERE / "player.css").read_text(encoding="utf-8")


_component = st.components.v2.component("specviz_player", js=script(), css=style(), html="<div class='stage'>\n</div>")


def player(view: dict[str, Any], *, talk: bool = False, hide: Collection[str] = ()) -> None:
    """Show a view of a run (see `Runs.view`), at a stable place so that it survives re-runs.

    Args:
        talk: large type, for the back of a room.
        hide: parts of the stage that are left out, of `PARTS`.
    """
    shown = {**view, "talk": talk, "hide": sorted(PARTS & set(hide))}
    _component(key="player", data={"view": shown, "looks": theme.looks()}, height="content")
