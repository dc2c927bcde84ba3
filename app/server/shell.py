"""Puts the page's own styles and script into Streamlit's HTML. What Streamlit sends as an element comes when the page is painted already, and
then moves what a visitor is about to press.

An ASGI application around Streamlit's. It makes no Streamlit call.
"""

from functools import cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specviz.folders import BUILT

_PAGE_MARK = b'<div id="root">'
_HEAD, _BODY = b"</head>", b"</body>"
"""Before the one goes the script. Before the other go the styles: Streamlit's own are written into the head, and of rules of one weight the last
counts."""
_REQUEST_HEADERS_DROPPED = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Of a request: the page comes as it is, and complete, since a version of it that a browser keeps has the styles of an earlier version."""
_ANSWER_HEADERS_DROPPED = (b"content-length", b"etag", b"last-modified")


@cache
def _added() -> tuple[bytes, bytes]:
    """The element with the script, and that with the styles."""
    script, style = ((BUILT / name).read_text(encoding="utf-8") for name in ("page.js", "page-style.css"))
    return f'<script type="module">{script}</script>'.encode(), f"<style>{style}</style>".encode()


class Shell:
    """The middleware, see the module. `app`: Streamlit's application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket for as long as it is open."""
        accepts = dict(scope.get("headers", ())).get(b"accept", b"")
        if scope["type"] != "http" or scope["method"] != "GET" or b"text/html" not in accepts:
            await self._app(scope, receive, send)
            return
        headers = [pair for pair in scope["headers"] if pair[0] not in _REQUEST_HEADERS_DROPPED]
        await self._app({**scope, "headers": headers}, receive, _completed(send))


def _completed(send: Send) -> Send:
    """Sends an HTML page in one piece, Streamlit's with what is added to it; anything else as it is."""
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
        if _PAGE_MARK in body:
            script, style = _added()
            body = body.replace(_HEAD, script + _HEAD, 1).replace(_BODY, style + _BODY, 1)
        kept_headers = [(name, value) for name, value in start["headers"] if name not in _ANSWER_HEADERS_DROPPED]
        await send({**start, "headers": [*kept_headers, (b"content-length", str(len(body)).encode("ascii"))]})
        await send({"type": "http.response.body", "body": body})

    return sending
