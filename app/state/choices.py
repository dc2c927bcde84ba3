"""The choices of a visit: the page keeps them, widgets show them, the address carries them.

Streamlit (1.67) cannot be trusted with a value. It stores one under an id that differs from screen to screen, drops it when its widget is
not rendered, and sends a value that the page gave to a widget only once: a message that is lost, because the page is rerun before it was
sent, leaves the browser with the widget's default, which the browser then reports as the visitor's. A visitor who changed screens while
the page was busy so lost the prompt.

Therefore no widget owns a value. Each is rendered with the stored value as its default, whenever it is rendered, so that a message may be
lost; what a visitor changes is stored at once, before anything is rendered, and what comes back as it was rendered is no change; and where
the page changes a value, or the screen changes, the widget gets another key, so that nothing that the browser still has of the one before
counts.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx

from app.state import address
from app.state.page_state import page_state, widget_value
from specviz.serving import hosting
from specviz.settings import MAX_PROMPT

T = TypeVar("T")
_NONE: Any = object()


def key(name: str) -> str:
    """The key of the widget that shows a choice now."""
    numbers = page_state().form.key_numbers
    return f"{name}~{numbers.get(name, 0) + numbers.get('', 0)}"


def value(name: str, default: T) -> T:
    """The value of a choice: what its widget shows, else what is stored, else the default."""
    shown = widget_value(key(name), _NONE)
    chosen: T = page_state().form.values.get(name, default) if shown is _NONE else shown
    return _bounded(chosen)


def is_made(name: str) -> bool:
    """True where the visitor, a link or the page has made this choice; False where it is at its default."""
    return name in page_state().form.values


def put(name: str, new: Any) -> None:
    """Change a choice from within the page."""
    page_state().form.values[name] = new
    _renew_widget(name)


def replace(values: Mapping[str, Any]) -> None:
    """Change all choices from within the page: to these, and every other one to its default."""
    form = page_state().form
    form.values = {name: chosen for name, chosen in form.values.items() if name not in address.CHOICES} | dict(values)
    _renew_widget()


def show(name: str, default: T, widget: Callable[..., T]) -> T:
    """Render the widget of a choice. A choice that the visitor has not made follows its default, where that changes.
    `widget`: is called with the value, and with the arguments that bind the widget; returns what it shows."""
    form = page_state().form
    if name not in form.values and form.defaults.get(name, default) != default:
        _renew_widget(name)
    form.defaults[name] = default
    rendered = value(name, default)
    shown = _bounded(widget(rendered, key=key(name), on_change=_store, args=(name, key(name), rendered)))
    if shown != rendered or name in form.values:
        form.values[name] = shown
    note(name, default)
    return shown


def note(name: str, default: object) -> None:
    """The choice is on the page, so that the address carries it where it is not the default."""
    page_state().form.rendered[name] = default


def noted() -> dict[str, object]:
    """The choices that were rendered since the address was written, with their defaults."""
    return dict(page_state().form.rendered)


def _store(name: str, widget_key: str, rendered: Any) -> None:
    """Store what a visitor changed. What the widget was rendered with is no change: on a busy server the run of the script before this one can
    end after this widget was rendered, and Streamlit, which then forgets the widget's value, takes the browser's report of it for a change."""
    values, shown = page_state().form.values, _bounded(widget_value(widget_key, rendered))
    if shown != rendered or name in values:
        values[name] = shown


def _bounded(chosen: T) -> T:
    """A text cut where it is longer than a prompt may be by one letter: a browser can send any, and a prompt that was cut is still too long."""
    return chosen[: MAX_PROMPT + 1] if isinstance(chosen, str) else chosen  # type: ignore[return-value]  # a text again


def _renew_widget(name: str = "") -> None:
    """Give the widget of a choice another key, or all of them."""
    numbers = page_state().form.key_numbers
    numbers[name] = numbers.get(name, 0) + 1


# ------------------------------------------------------------------ the address


def arrive() -> address.LinkedChoices | None:
    """Take the choices from the address, when a visitor arrives or goes back and forward in the browser's history, and return them; None at
    any other time."""
    form, context = page_state().form, get_script_run_ctx()
    back = context is not None and context.is_history_navigation
    screen = context.page_script_hash if context is not None else ""
    if form.screen not in (None, screen):
        _renew_widget()
    form.screen = screen
    if form.arrived and not back:
        return None
    form.arrived = True
    linked = address.read(address.parameters(), hosting.current())
    for name in form.in_address if back else ():
        form.values.pop(name, None)
    form.values |= linked.values
    _renew_widget()
    return linked


def write(others: Mapping[str, str]) -> None:
    """Write the choices that were rendered since the last call into the address, without those at their default, and
    without the rest. `others`: parameters that are no choices; "" for those that the address is not to have."""
    form = page_state().form
    written = dict.fromkeys(address.CHOICES, "")
    for name, default in form.rendered.items():
        chosen = value(name, default)
        text = "" if chosen is None or chosen == default else address.written(name, chosen)
        if name in written and len(text) <= address.LONGEST:
            written[name] = text
    form.in_address, form.rendered = tuple(form.rendered), {}
    address.change({**written, **others})
