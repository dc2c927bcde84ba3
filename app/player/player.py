"""Mounts the player in the page."""

from collections.abc import Callable, Collection
from typing import Any

import streamlit as st

from app.component import component
from specviz.reporting.player.scripts import given, script, style

PARTS = frozenset(
    {"dial", "lanes", "transport", "pace", "predict", "rounds", "keys", "legend", "caption", "why", "whatif", "title"}
)
"""What of the stage a lesson may leave out."""


_component = component("player", script=script("player"), style=style("player"), html="<div class='stage'>\n</div>")


def player(
    view: dict[str, Any],
    *,
    talk: bool = False,
    hide: Collection[str] = (),
    lead: Callable[[dict[str, Any]], None] | None = None,
    following: bool = False,
    vote: Callable[[], None] | None = None,
) -> None:
    """Show a view of a run (see `Jobs.view`), at a stable position so that it survives reruns.

    Args:
        talk: large type, for the back of a room.
        hide: parts of the stage that are left out, of `PARTS`.
        lead: is called with where the stage is, see `Reported` in types.d.ts, whenever the viewer goes somewhere else.
        following: whether it goes where the presenter of a room goes.
        vote: is called when the presenter of a room presses the key that begins or ends a vote.
    """
    shown = {**view, "talk": talk, "hide": sorted(PARTS & set(hide))}
    if following:
        shown["following"] = True
    if lead is None:
        _component(key="player", data={"view": shown, **given()}, height="content")
        return
    shown["leading"] = True
    if vote is not None:
        shown["voting"] = True
    report, voted = lead, vote or (lambda: None)
    _component(
        key="player",
        data={"view": shown, **given()},
        height="content",
        on_moment_change=lambda: report(dict(st.session_state["player"].get("moment") or {})),
        on_vote_change=voted,
    )
