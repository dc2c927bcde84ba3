"""Puts the page's own styles and script into the head of Streamlit's HTML. What Streamlit sends as an element comes when the page is painted
already, and then moves what a visitor is about to press.

An ASGI application around Streamlit's. It makes no Streamlit call.
"""

from functools import cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specviz.folders import BUILT

_HEAD, _STREAMLITS = b"</head>", b'<div id="root">'
_PACKED_OR_KNOWN = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Of a request: the page comes as it is, and complete, since a version of it that a browser keeps has the styles of an earlier version."""
_OF_THE_FILE = (b"content-length", b"etag", b"last-modified")


@cache
def _added() -> bytes:
    style, script = ((BUILT / name).read_text(encoding="utf-8") for name in ("page-style.css", "page.js"))
    return f'<style>{style}</style><script type="module">{script}</script>'.encode()


class Shell:
    """See above.

    Args:
        app: Streamlit's application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket for as long as it is open."""
        accepts = dict(scope.get("headers", ())).get(b"accept", b"")
        if scope["type"] != "http" or scope["method"] != "GET" or b"text/html" not in accepts:
            await self._app(scope, receive, send)
            return
        headers = [pair for pair in scope["headers"] if pair[0] not in _PACKED_OR_KNOWN]
        await self._app({**scope, "headers": headers}, receive, _with_head(send))


def _with_head(send: Send) -> Send:
    """Sends an HTML page in one piece, Streamlit's with what is added to its head; anything else as it is."""
    start: Message | None = None
    page = bytearray()

    async def sending(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            headers = dict(message["headers"])
            html = headers.get(b"content-type", b"").startswith(b"text/html")
            if html and message["status"] == 200 and b"content-encoding" not in headers:
                start = message
                return
        if start is None or message["type"] != "http.response.body":
            await send(message)
            return
        page.extend(message.get("body", b""))
        if message.get("more_body"):
            return
        body = bytes(page)
        if _STREAMLITS in body:
            body = body.replace(_HEAD, _added() + _HEAD, 1)
        kept = [(name, value) for name, value in start["headers"] if name not in _OF_THE_FILE]
        await send({**start, "headers": [*kept, (b"content-length", str(len(body)).encode("ascii"))]})
        await send({"type": "http.response.body", "body": body})

    return sending
