"""More connections than a program usually has."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn import Config, Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from app.server import overload
from app.server.overload import MOST_MESSAGE, Connection, OnceAMinute

_RAISED = """
import resource
from app.server.overload import open_more_files
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
open_more_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 200, resource.getrlimit(resource.RLIMIT_NOFILE)[1] == hard)
"""


def test_a_server_opens_as_many_files_as_it_may() -> None:
    """The limit of a shell would leave a hall without a page; that of the system stays."""
    done = subprocess.run([sys.executable, "-c", _RAISED], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_an_error_that_repeats_itself_is_written_once_a_minute() -> None:
    """Another one is written at once."""
    now = 0.0
    may = OnceAMinute(lambda: now)
    accept, other = (logging.LogRecord("asyncio", 40, "", 0, text, None, None) for text in ("no more files", "another"))
    assert [may(record) for record in (accept, accept, other, accept)] == [True, False, True, False]
    now = 60.0
    assert may(accept)


LARGE = 30_000_000  # bytes: more than a socket buffers
_LONG_S = 0.3  # a connection may wait so long here
_PATIENCE_S = 120  # of the test, on a busy machine


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads a body; `/slow` is answered later than a connection may wait, and `/large` with much."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/slow":
        await asyncio.sleep(3 * _LONG_S)
    body = b"x" * (LARGE if scope["path"] == "/large" else 2)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


async def _ends(port: int, *sent: bytes, unread: Collection[object] | None = None) -> bool:
    """Send this part after part, each after an answer, and check whether the server ends the connection then. `unread`: the server's connections,
    where nothing is read before all of them have ended."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=100)
    try:
        for part in sent[:-1]:
            writer.write(part)
            await reader.readuntil(b"\r\n\r\nxx")
        writer.write(sent[-1])
        while unread:
            await asyncio.sleep(0.01)
        with suppress(ConnectionResetError):
            return await reader.read(1) == b"" if unread is None else len(await reader.read()) < LARGE
        return True
    finally:
        writer.transport.abort()


async def _all_ends() -> dict[str, bool]:
    server = Server(Config(_answer, port=0, http=Connection, lifespan="off", log_level="error"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    get, half = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"GET / HTTP/1.1\r\nHo"
    asked = {
        "silent": _ends(port, b""),
        "half a head": _ends(port, half),
        "half a head after a request": _ends(port, get, half),
        "half a body": _ends(port, b"POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 9\r\n\r\nabc"),
        "nothing is read": _ends(port, get.replace(b"/", b"/large", 1), unread=server.server_state.connections),
        "a slow answer": _ends(port, get.replace(b"/", b"/slow", 1)),
    }
    async with asyncio.timeout(_PATIENCE_S):
        ended = dict(zip(asked, await asyncio.gather(*asked.values()), strict=True))
    server.should_exit = True
    await serving
    return ended


@pytest.mark.slow
def test_what_a_stranger_opens_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection without a request, with a part of one, also after another one, and an answer that nobody reads; an honest one is answered, however
    long that takes."""
    monkeypatch.setattr(overload, "_WAITS_S", dict.fromkeys(overload._WAITS_S, _LONG_S))
    monkeypatch.setattr(overload, "_LOOKED_APART_S", _LONG_S / 3)
    with ThreadPoolExecutor(1) as thread:  # another test's browser may have this thread's loop
        ended = thread.submit(asyncio.run, _all_ends()).result()
    assert [name for name, by_itself in ended.items() if not by_itself] == ["a slow answer"]


@pytest.mark.slow
def test_a_message_of_a_socket_is_bounded_before_it_is_in_memory(server: str) -> None:
    """The app's own server closes the socket when the size is named, whatever follows."""

    async def send(size: int) -> int:
        parts = urlsplit(server)
        async with connect(f"ws://{parts.netloc}/_stcore/stream", origin=Origin(server), compression=None) as page:
            await page.send(b"\xff" * size)
            with suppress(ConnectionClosed, TimeoutError):
                await asyncio.wait_for(page.recv(), 5)
            return page.close_code or 0

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, send(MOST_MESSAGE + 1)).result() == 1009
