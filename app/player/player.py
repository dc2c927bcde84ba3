"""Mounts the player. Its modules are joined into one script: the component's code cannot import a neighbour file."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import streamlit as st

from app import theme
from app.player.bundle import bundle
from specviz.decoding.constants import DELTA, EPSILON
from specviz.decoding.drafters import registry

_HERE = Path(__file__).parent

PARTS = frozenset(
    {"dial", "lanes", "transport", "pace", "predict", "rounds", "keys", "legend", "caption", "why", "whatif"}
)
"""What of the stage a lesson may leave out."""


def script() -> str:
    """The player as one module, which exports how it is mounted."""
    return bundle(_HERE / "component.js")


def alone_script() -> str:
    """The player as one module that mounts itself, for a page of its own."""
    return bundle(_HERE / "alone.js")


def style() -> str:
    """player.css after the colours of the theme."""
    return theme.css_variables() + (_HERE / "player.css").read_text(encoding="utf-8")


def given() -> dict[str, Any]:
    """What the player needs beside a view, the same for all views: looks, drafters, constants of the rules."""
    return {
        "looks": theme.looks(),
        "drafters": registry.catalogue(),
        "rules": {"typical": {"epsilon": EPSILON, "delta": DELTA}},
    }


_component = st.components.v2.component("specviz_player", js=script(), css=style(), html="<div class='stage'>\n</div>")


def player(view: dict[str, Any], *, talk: bool = False, hide: Collection[str] = ()) -> None:
    """Show a view of a run (see `Jobs.view`), at a stable position so that it survives reruns.

    Args:
        talk: large type, for the back of a room.
        hide: parts of the stage that are left out, of `PARTS`.
    """
    shown = {**view, "talk": talk, "hide": sorted(PARTS & set(hide))}
    _component(key="player", data={"view": shown, **given()}, height="content")
