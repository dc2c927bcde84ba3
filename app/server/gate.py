"""ASGI middleware before the page: the visitor's cookie, the number of open pages, uploads, the names of this server, and security headers.

It makes no Streamlit call.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server import visitors
from app.server.addresses import who
from app.server.visitors import FULL, HERE, Visitors
from specviz.serving import hosting

_UPLOAD = re.compile(r".*/_stcore/upload_file/([^/]+)/[^/]+")
_HEALTH, _HOST_CONFIG = "/_stcore/health", "/_stcore/host-config"
"""What Streamlit's page asks for first, to find out below which address its server is: on `/learn` it asks below `/learn` before it asks above."""
_UPLOADS, _UPLOAD_S = 2, 120.0  # so many files come at a time, and none takes longer
FILES_OF_PAGE, FILES, FILE_S = 3, 8, 120.0
"""Uploaded files that are kept: of one page, whose oldest goes for a new one, and of all, where those older than so many seconds go: a page reads
a file at once."""
_TOO_MANY = "This server has as many uploaded files as it takes: try again in a few minutes."


class Gate:
    """The middleware, see the module.

    Args:
        app: the application that gets what is let through.
        visitors_here: the visitors with open pages.
        hosts: gives the names that this server answers to; none: any.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        visitors_here: Visitors = HERE,
        hosts: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._app, self._visitors, self._hosts = app, visitors_here, hosts
        self._uploads = asyncio.Semaphore(_UPLOADS)
        self._files: list[tuple[float, str, Scope]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket for as long as it is open."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
            return
        if scope["type"] == "http":
            send = _with_headers(send, *_security_headers())
        method = scope.get("method")  # none where the server begins and ends
        if method == "GET":
            await self._get(scope, receive, send)
        elif method == "PUT" and (named := _UPLOAD.fullmatch(scope["path"])):
            await self._upload(named[1], scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        visitor, address = who(HTTPConnection(scope))
        if not self._visitors.enter(visitor, address):
            await send({"type": "websocket.close", "code": 1013})
            return
        socket = self._visitors.opened()
        name = visitors.SOCKET.encode("ascii")
        headers = [
            *((key, value) for key, value in scope["headers"] if key.lower() != name),
            (name, socket.encode("ascii")),
        ]
        try:
            await self._app({**scope, "headers": headers}, receive, send)
        finally:
            self._visitors.closed(socket)
            self._visitors.leave(visitor, address)

    async def _get(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        headers = connection.headers
        if scope["path"].endswith((_HEALTH, _HOST_CONFIG)) and "sec-fetch-mode" in headers:
            send = _without_404(send)
        if "text/html" in headers.get("accept", ""):
            visitor, address = who(connection)
            new = visitor or visitors.issued()
            if refused := _refused_name(headers.get("host", ""), self._hosts()):
                await PlainTextResponse(refused, 403)(scope, receive, send)
                return
            if not self._visitors.fits(new, address):
                await PlainTextResponse(FULL, 503)(scope, receive, send)
                return
            if not visitor:
                send = _with_headers(send, (b"set-cookie", _cookie(new, scope).encode("ascii")))
        await self._app(scope, receive, send)

    async def _upload(self, page: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Few at a time, since a file is in memory twice while it comes."""
        refused = hosting.current().uploads_refused if hosting.current().classroom else ""
        async with self._uploads:
            if refused := refused or await self._no_room(page):
                await PlainTextResponse(refused, 403)(scope, receive, send)
                return
            status = 0

            async def sending(message: Message) -> None:
                nonlocal status
                status = message.get("status", status)
                await send(message)

            file = monotonic(), page, scope
            self._files.append(file)
            try:
                with suppress(TimeoutError):  # the connection ends with it
                    async with asyncio.timeout(_UPLOAD_S):
                        await self._app(scope, receive, sending)
            finally:
                if status // 100 != 2 and file in self._files:
                    self._files.remove(file)

    async def _no_room(self, page: str) -> str:
        """Why no file of this page is taken; "" where one is, and then old ones are gone."""
        late = monotonic() - FILE_S
        mine = [file for file in self._files if file[1] == page]
        for file in [*self._files]:
            if file[0] < late or file in mine[: max(0, len(mine) - FILES_OF_PAGE + 1)]:
                self._files.remove(file)
                await self._app({**file[2], "method": "DELETE"}, _nothing_more, _unheard)
        return "" if len(self._files) < FILES else _TOO_MANY


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    """Nobody waits for this answer."""


def _cookie(visitor: str, scope: Scope) -> str:
    """The header of a new visitor's cookie. From a frame on another site's page a browser sends one only that belongs to that page too."""
    secure = scope["scheme"] == "https"
    framed = secure and HTTPConnection(scope).headers.get("sec-fetch-dest") in ("iframe", "frame")
    where = "SameSite=None; Partitioned" if framed else "SameSite=Lax"
    return f"{visitors.COOKIE}={visitor}; Path=/; HttpOnly; {where}{'; Secure' if secure else ''}"


def _security_headers() -> list[tuple[bytes, bytes]]:
    """Keep a browser from guessing what a file is, from telling other sites the address of the page, and from showing the page in a frame of a site
    that the host did not name."""
    ancestors = " ".join(["'self'", *hosting.current().framed_by])
    return [
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
        (b"content-security-policy", f"frame-ancestors {ancestors}".encode("ascii")),
    ]


def _with_headers(send: Send, *headers: tuple[bytes, bytes]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *headers]}
        await send(message)

    return sending


def _without_404(send: Send) -> Send:
    """Says "not modified" to a browser where there is nothing: the page asks elsewhere then as well, and its visitor is shown no error."""
    missing = False

    async def sending(message: Message) -> None:
        nonlocal missing
        if message["type"] == "http.response.start" and message["status"] == 404:
            missing = True
            message = {"type": message["type"], "status": 304, "headers": [(b"cache-control", b"no-store")]}
        elif missing:
            message = {**message, "body": b""}
        await send(message)

    return sending


def _refused_name(host: str, allowed: Sequence[str]) -> str:
    """Why the server does not answer to this name; "" where it does. Another site's name can lead to this machine too, and its scripts with it."""
    if not allowed or is_one_of(host, allowed):
        return ""
    return (
        f"This server does not answer to the name {host!r:.80}: open it as {allowed[0]}, or start it with --allow-host and the name by which "
        "visitors reach it."
    )


def is_one_of(host: str, allowed: Sequence[str]) -> bool:
    """True if a Host header has one of these names, as Streamlit compares them for sockets: without the port, `*.` before a domain, `*` for any."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    return any(
        allowed_name == "*"
        or name == allowed_name
        or (allowed_name.startswith("*.") and name.endswith(allowed_name[1:]))
        for allowed_name in (entry.strip().lower().rstrip(".") for entry in allowed)
    )
