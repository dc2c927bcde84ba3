"""A tab without a browser: it opens a page over its WebSocket, asks for reruns as often as the page says, and keeps its widgets and texts."""

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tools.classroom.events import Events, new_cookie

PLAYER = "specviz.player"
_EVENTS = re.compile(r'"events": "([^"]+)"')
_VIEW = re.compile(r'\{"view": \{"id": "([^"]*)", "status": "([^"]*)"')
# The id by which Streamlit (1.67) takes the events that a component reports.
_EVENT = "$$STREAMLIT_INTERNAL_KEY_{}__events"


class Guest:
    """One visitor.

    Args:
        number: in the sentences of errors.
        server: the address.
        query: of the address.
        new: this browser was never here.

    Attributes:
        buttons: label -> id, of the page as it is now.
        components: name -> id and data as JSON text, of the page as it is now.
        texts: markup and text on the page, the latest last.
        bytes: the number of bytes received through the socket.
        run: of the live run on the stage; None where there is none.
        failed: sentences of errors on the page.
        query: of the address.
        rests: nothing is being rendered.
    """

    def __init__(self, number: int, server: str, query: str = "", *, new: bool = False) -> None:
        self.number, self.query = number, query
        self.cookie = ""
        self._server, self._new = server, new
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._polls: dict[str, asyncio.Task[None]] = {}
        self._parts: dict[str, str] = {}
        self._page_hash = ""
        self._news = asyncio.Event()
        self.buttons: dict[str, str] = {}
        self.components: dict[str, tuple[str, str]] = {}
        self.texts: list[str] = []
        self.failed: list[str] = []
        self.bytes = 0
        self.run: Events | None = None
        self._followed = ""
        self.rests = False

    async def open(self) -> None:
        """Connect and ask for the page."""
        self.cookie = await new_cookie(self._server)
        visited = "" if self._new else "; specviz_visited=1"
        self._socket = await connect(
            self._server.replace("http://", "ws://") + "/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={"Cookie": f"{self.cookie}{visited}", "User-Agent": "specviz classroom"},
            max_size=None,
            compression=None,
            open_timeout=120,
            ping_interval=None,
        )
        self._tasks.append(asyncio.create_task(self._listen()))
        await self._ask()

    async def close(self) -> None:
        """Leave."""
        if self.run is not None:
            self.run.end()
        for task in (*self._tasks, *self._polls.values()):
            task.cancel()
        self._polls.clear()
        self._tasks.clear()
        if self._socket is not None:
            with suppress(ConnectionClosed, TimeoutError):
                await asyncio.wait_for(self._socket.close(), 5)
            self._socket = None

    async def press(self, label: str) -> None:
        """Press the button with this label."""
        pressed = self.buttons[label]
        await self._ask(state=WidgetState(id=pressed, trigger_value=True), fragment=self._parts.get(pressed, ""))

    def view(self) -> tuple[str, str]:
        """The id and the status of the run on the stage; both empty where there is none."""
        if self.run is not None and (state := self.run.slots.get("state")):
            return state["id"], state["status"]
        _, text = self.components.get(PLAYER, ("", ""))
        match = _VIEW.match(text)
        return (match[1], match[2]) if match else ("", "")

    @property
    def usable(self) -> bool:
        """True if Watch is there, with a Run that can be pressed; a link with a prompt has no stage before its first run."""
        return self.rests and "Run" in self.buttons

    async def until(self, enough: Callable[[], bool], seconds: float, what: str) -> None:
        """Return as soon as there is enough. Raises TimeoutError if it took too long."""
        deadline = monotonic() + seconds
        while not enough():
            self._news.clear()
            left = deadline - monotonic()
            if left <= 0:
                raise TimeoutError(f"guest {self.number}: {what} did not come within {seconds:.0f} s")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), min(left, 1.0))

    async def _is_over(self) -> None:
        """Report the end of the run, as the player does."""
        player, _ = self.components[PLAYER]
        over = WidgetState(
            id=_EVENT.format(player), json_trigger_value=json.dumps([{"event": "over", "value": monotonic()}])
        )
        await self._ask(state=over, fragment=self._parts.get(player, ""))

    async def _ask(self, *, state: WidgetState | None = None, fragment: str = "") -> None:
        """Have the script run, or one of its parts, as a browser does."""
        back = BackMsg()
        rerun = back.rerun_script
        rerun.query_string, rerun.page_script_hash = self.query, self._page_hash
        if fragment:
            rerun.fragment_id, rerun.is_auto_rerun = fragment, state is None
        if state is not None:
            rerun.widget_states.widgets.append(state)
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(back.SerializeToString())

    async def _again(self, fragment: str, interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            await self._ask(fragment=fragment)

    async def _listen(self) -> None:
        assert self._socket is not None
        with suppress(ConnectionClosed):
            async for data in self._socket:
                assert isinstance(data, bytes), "the page speaks in bytes"
                self.bytes += len(data)
                self._take(ForwardMsg.FromString(data))
                self._news.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._see(message.delta)
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "new_session":
            self.rests = False
            if not message.metadata.run.fragment_ids:
                self._stop(list(self._polls))
        elif kind == "script_finished":
            self.rests = True
        elif kind == "auto_rerun":
            fragment = message.auto_rerun.fragment_id
            self._stop([fragment])
            self._polls[fragment] = asyncio.create_task(self._again(fragment, message.auto_rerun.interval))
        elif kind == "stop_auto_rerun":
            self._stop(message.stop_auto_rerun.fragment_ids)

    def _stop(self, fragments: Any) -> None:
        for fragment in fragments:
            if (task := self._polls.pop(fragment, None)) is not None:
                task.cancel()

    def _follow(self, view: str) -> None:
        """Follow the run on the stage, as the player does; when it is over, the page is asked for once more."""
        address = _EVENTS.search(view)
        path = address[1] if address else ""
        if path == self._followed:
            return
        self._followed = path
        if self.run is not None:
            self.run.end()
        self.run = None
        if path:
            run = self.run = Events(self._server, path, self.cookie)

            def news() -> None:
                self._news.set()
                if run.over:
                    self._tasks.append(asyncio.create_task(self._is_over()))

            run.news = news
            run.begin()

    def _see(self, delta: Delta) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        self._parts |= {part.id: delta.fragment_id for part in (element.button, element.bidi_component) if part.id}
        if kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "bidi_component":
            component = element.bidi_component
            text = component.json or component.mixed.json
            self.components[component.component_name] = component.id, text
            if component.component_name == PLAYER:
                self._follow(text)
        elif kind == "html":
            self.texts = [*self.texts[-20:], element.html.body]
        elif kind == "markdown":
            self.texts = [*self.texts[-20:], element.markdown.body]
        elif kind == "alert":
            self.failed = [*self.failed[-20:], element.alert.body]
        elif kind == "exception":
            self.failed = [*self.failed[-20:], element.exception.message]
