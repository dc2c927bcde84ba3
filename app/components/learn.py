"""Mounts the Learn screen."""

from collections.abc import Callable, Mapping
from typing import Any

from app.components.component import component, texts
from app.state.page_state import LEARN, component_value
from specviz.reporting.player.scripts import given, script, style

_learn = component(LEARN, script=script(LEARN), style=style(LEARN), html="<div class='learn'></div>")


def learn(
    data: dict[str, Any],
    *,
    go: Callable[[dict[str, str]], None],
    try_it: Callable[[], None],
    share: Callable[[dict[str, str]], None],
    lead: Mapping[str, str] | None = None,
) -> None:
    """Show a lesson or the list of chapters, at a stable position so that it survives reruns.

    Args:
        data: see `LearnData` in lesson_types.ts.
        go: is called with the parameters of the address that the reader wants to go to.
        try_it: is called when the reader wants to try it with a prompt of their own.
        share: is called with the `step` that the reader wants to show in another page.
        lead: the room that the lesson leads, see `Lead` in json_types.ts: it gets which page is open, whenever it is another one.
    """
    _learn(
        key=LEARN,
        data={**data, **given(), "lead": None if lead is None else dict(lead)},
        height="content",
        on_go_change=lambda: go(texts(component_value(LEARN, "go"))),
        on_try_change=try_it,
        on_share_change=lambda: share(texts(component_value(LEARN, "share"))),
    )
