"""A press counts once. Streamlit's page (1.67) keeps a press until the next turn of its browser's loop, then sends and forgets it. Where a timed
part of the page is due in between, as on a browser that was busy, its request has the press too, and the server would act twice.

An ASGI application around Streamlit's. It makes no Streamlit call.
"""

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

_PRESSES = ("trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value")


class Presses:
    """The middleware, see the module.

    Args:
        app: Streamlit's application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket for as long as it is open."""

        async def receiving() -> Message:
            message = await receive()
            return {**message, "bytes": without_presses(message["bytes"])} if message.get("bytes") else message

        await self._app(scope, receiving if scope["type"] == "websocket" else receive, send)


def without_presses(sent: bytes) -> bytes:
    """The same message; where a timer sent it, without presses, which the page's next message has."""
    message = BackMsg()
    try:
        message.ParseFromString(sent)
    except DecodeError:  # Streamlit says what it makes of it
        return sent
    if not message.rerun_script.is_auto_rerun:
        return sent
    states = message.rerun_script.widget_states
    kept = [state for state in states.widgets if state.WhichOneof("value") not in _PRESSES]
    if len(kept) == len(states.widgets):
        return sent
    del states.widgets[:]
    states.widgets.extend(kept)
    return bytes(message.SerializeToString())
