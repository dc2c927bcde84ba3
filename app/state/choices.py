"""The choices of a visit: the page keeps them, widgets show them, the address carries them.

Streamlit (1.67) cannot be trusted with a value. It stores one under an id that differs from screen to screen, drops it when its widget is
not rendered, and sends a value that the page gave to a widget only once: a message that is lost, because the page is rerun before it was
sent, leaves the browser with the widget's default, which the browser then reports as the visitor's. A visitor who changed screens while
the page was busy so lost the prompt.

Therefore no widget owns a value. Each is rendered with the kept value as its default, whenever it is rendered, so that a message may be
lost; what a visitor changes is taken at once, before anything is rendered, and what comes back as it was rendered is no change; and where
the page changes a value, or the screen changes, the widget gets another key, so that nothing that the browser still has of the one before
counts.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app.state import address
from specviz.serving import hosting
from specviz.settings import MAX_PROMPT

_TURNS, _SCREEN, _ARRIVED, _SHOWN, _IN_ADDRESS = "_turns", "_screen", "_arrived", "_shown", "_in_address"
_DEFAULTS = "_defaults"
"""The defaults with which widgets were rendered: another pair can have others."""
T = TypeVar("T")


def key(name: str) -> str:
    """The key of the widget that shows a choice now."""
    turns: dict[str, int] = st.session_state.setdefault(_TURNS, {})
    return f"{name}~{turns.get(name, 0) + turns.get('', 0)}"


def value(name: str, default: T) -> T:
    """The value of a choice: what its widget shows, else what is kept, else the default."""
    state = st.session_state
    now = key(name)
    found: T = _bounded(state[now] if now in state else state.get(name, default))
    return found


def put(name: str, new: Any) -> None:
    """Change a choice from within the page."""
    st.session_state[name] = new
    _turn(name)


def replace(wanted: Mapping[str, Any]) -> None:
    """Change all choices from within the page: to these, and every other one to its default."""
    for name in address.CHOICES:
        st.session_state.pop(name, None)
    st.session_state.update(wanted)
    _turn()


def show(name: str, default: T, widget: Callable[..., T]) -> T:
    """Render the widget of a choice. A choice that the visitor has not made follows its default, where that changes.

    Args:
        widget: is called with the value, and with the arguments that bind the widget; returns what it shows.
    """
    if _follows(name, default):
        _turn(name)
    st.session_state.setdefault(_DEFAULTS, {})[name] = default
    now = value(name, default)
    shown = _bounded(widget(now, key=key(name), on_change=_take, args=(name, key(name), now)))
    if shown != now or name in st.session_state:
        st.session_state[name] = shown
    note(name, default)
    return shown


def note(name: str, default: object) -> None:
    """The choice is on the page, so that the address carries it where it is not the default."""
    st.session_state.setdefault(_SHOWN, {})[name] = default


def noted() -> dict[str, object]:
    """The choices that were rendered since the address was written, with their defaults."""
    return dict(st.session_state.get(_SHOWN, {}))


def _follows(name: str, default: object) -> bool:
    """Whether the visitor has not made this choice, and its widget was rendered with another default than this."""
    state = st.session_state
    return name not in state and state.get(_DEFAULTS, {}).get(name, default) != default


def _take(name: str, shown_by: str, rendered: Any) -> None:
    """Keep what a visitor changed. What the widget was rendered with is no change: on a busy server the run of the script before this one can
    end after this widget was rendered, and Streamlit, which then forgets the widget's value, takes the browser's report of it for a change."""
    shown = _bounded(st.session_state[shown_by])
    if shown != rendered or name in st.session_state:
        st.session_state[name] = shown


def _bounded(given: T) -> T:
    """A text cut where it is longer than a prompt may be by one letter: a browser can send any, and a prompt that was cut is still too long."""
    return given[: MAX_PROMPT + 1] if isinstance(given, str) else given  # type: ignore[return-value]  # a text again


def _turn(name: str = "") -> None:
    """Give the widget of a choice another key, or all of them."""
    turns: dict[str, int] = st.session_state.setdefault(_TURNS, {})
    turns[name] = turns.get(name, 0) + 1


# ------------------------------------------------------------------ the address


def arrive() -> address.Linked | None:
    """Take the choices from the address, when a visitor arrives or goes back and forward in the browser's history, and return them; None at
    any other time."""
    state, context = st.session_state, get_script_run_ctx()
    back = context is not None and context.is_history_navigation
    screen = context.page_script_hash if context is not None else ""
    if state.setdefault(_SCREEN, screen) != screen:
        state[_SCREEN] = screen
        _turn()
    if _ARRIVED in state and not back:
        return None
    state[_ARRIVED] = True
    linked = address.read(st.query_params.to_dict(), hosting.current())
    for name in state.get(_IN_ADDRESS, ()) if back else ():
        state.pop(name, None)
    for name, given in linked.values.items():
        state[name] = given
    _turn()
    return linked


def write(others: Mapping[str, str | None]) -> None:
    """Write the choices that were rendered since the last call into the address, without those at their default, and without the rest.

    All in one message, so that the browser's history has one entry for it: an empty list removes a parameter.

    Args:
        others: parameters that are no choices; None for those that the address is not to have.
    """
    shown: dict[str, object] = st.session_state.pop(_SHOWN, {})
    wanted: dict[str, str | None] = dict.fromkeys(address.CHOICES)
    for name, default in shown.items():
        now = value(name, default)
        if (
            name in wanted
            and now != default
            and now is not None
            and len(said := address.written(name, now)) <= address.LONGEST
        ):
            wanted[name] = said
    wanted |= others
    st.session_state[_IN_ADDRESS] = tuple(shown)
    changes: dict[str, str | list[str]] = {
        name: [] if new is None else new for name, new in wanted.items() if st.query_params.get(name) != new
    }
    if changes:
        st.query_params.update(changes)
