"""The open pages of this server, and how one is asked to render a part again without its browser: for `app.push`.

Streamlit (1.67) has no name for it. When a part is to be polled, the browser sends a request to rerun it, which reaches
`AppSession.request_rerun` on the server's event loop; this module calls the same with the same request. Two names that it reads are not
public: `AppSession._scriptrunner`, None while nothing of a page is being rendered, and `AppSession._browser_queue`, what was rendered
and not sent. If they are ever gone, every page counts as closed: nothing is pushed, and what relies on pushes is polled slowly.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from streamlit.runtime import exists, get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page, with what its browser would send along when it polls it.

    Attributes:
        session: the page's.
        name: Streamlit's id of the part.
        query, page, context: the page's query string, the hash of its screen, and what the browser said of itself.
    """

    session: str
    name: str
    query: str = ""
    page: str = ""
    context: Any = None


def here() -> PagePart | None:
    """The part that is being rendered now; None outside of any."""
    context, name = get_script_run_ctx(), ThreadState.get().fragment_id
    if context is None or name is None:
        return None
    return PagePart(context.session_id, name, context.query_string, context.page_script_hash, context.context_info)


class AskedPages:
    """See `app.push.Pages`. The thread is that of the server's event loop.

    Args:
        loop: the server's.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Call it on the loop. A server that ends calls nothing more."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(lambda: self._loop.call_later(seconds, do) if seconds else do())

    def is_there(self, part: PagePart) -> bool:
        """Whether the page is open and has this part: a rerun of the page can have dropped it."""
        session = _session(part.session)
        return session is not None and session.has_fragment(part.name)

    def is_busy(self, session: str) -> bool:
        """Whether something of the page is being rendered, or was and has not been sent: a push then would drop what was not."""
        found = _session(session)
        return found is not None and (found._scriptrunner is not None or not found._browser_queue.is_empty())

    def render(self, part: PagePart) -> None:
        """Ask as the browser does when a part is polled, but without values of widgets: they stay what they are."""
        session = _session(part.session)
        if session is None:
            return
        asked = SimpleNamespace(
            fragment_id=part.name,
            query_string=part.query,
            page_script_hash=part.page,
            page_name="",
            widget_states=None,
            is_auto_rerun=True,
            is_history_navigation=False,
            cached_message_hashes=(),
            context_info=part.context,
            HasField=lambda name: name == "context_info" and part.context is not None,
        )
        session.request_rerun(asked)  # type: ignore[arg-type]  # the fields of a ClientState, of which widget_states cannot be None


def _session(name: str) -> AppSession | None:
    """The open page of this name."""
    if not exists():
        return None
    found = get_instance().get_app_session(name)
    return found if found is not None and hasattr(found, "_scriptrunner") and hasattr(found, "_browser_queue") else None


def server_loop() -> asyncio.AbstractEventLoop:
    """The event loop of the server, asked for by a page while it is being rendered."""
    context = get_script_run_ctx()
    session = None if context is None else _session(context.session_id)
    assert session is not None, "a page is rendered for a session"
    return session._event_loop
