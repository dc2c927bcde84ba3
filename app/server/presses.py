"""A press counts, and once. Streamlit's page (1.67) can lose or repeat one:

- It keeps a press until the next turn of its browser's loop, then sends and forgets it. Where a timed part of the page is due in between, as on a
  browser that was busy, its request has the press too, and the server would act twice.
- A press on the name of another screen, while a menu is open, also closes the menu. The page reports that a moment later, for the screen that it
  has not yet left, and the server would go back to it.

An ASGI application around Streamlit's. It makes no Streamlit call.
"""

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

_PRESSES = ("trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value")


class Presses:
    """The middleware, see the module. `app`: Streamlit's application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket for as long as it is open."""

        socket = PageSocket()

        async def receiving() -> Message:
            message = await receive()
            return {**message, "bytes": socket.heard(message["bytes"])} if message.get("bytes") else message

        await self._app(scope, receiving if scope["type"] == "websocket" else receive, send)


class PageSocket:
    """What one page has sent so far."""

    def __init__(self) -> None:
        self._screen = self._left = ""
        self._navigation = b""

    def heard(self, sent: bytes) -> bytes:
        """The message that Streamlit is to hear in place of this one, mostly the same."""
        message = BackMsg()
        try:
            message.ParseFromString(sent)
        except DecodeError:  # Streamlit says what it makes of it
            return sent
        rerun = message.rerun_script
        if message.WhichOneof("type") != "rerun_script":
            return sent
        if not rerun.widget_states.widgets and not rerun.fragment_id:  # the page opens, or goes to another screen
            self._left, self._screen, self._navigation = self._screen, rerun.page_script_hash, sent
            return sent
        if rerun.is_auto_rerun:
            without_presses(message)
        pressed = any(state.WhichOneof("value") in _PRESSES for state in rerun.widget_states.widgets)
        if rerun.page_script_hash == self._left != self._screen and not pressed:
            return self._navigation
        if rerun.page_script_hash != self._left or pressed:
            self._left, self._screen = "", rerun.page_script_hash
        return bytes(message.SerializeToString()) if rerun.is_auto_rerun else sent


def without_presses(message: BackMsg) -> None:
    """Take the presses out of what a timer sent: the page's next message has them."""
    states = message.rerun_script.widget_states.widgets
    kept = [state for state in states if state.WhichOneof("value") not in _PRESSES]
    del states[:]
    states.extend(kept)
