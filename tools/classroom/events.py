"""A follower of the server's events without a browser, and a phone in the audience of a room, which follows nothing else."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

_OF_ADDRESS = 800  # so many phones come from one address of this machine: a server takes a thousand


class Events:
    """The event stream of an address. `news` is called after every message.

    Attributes:
        slots, logs: the state so far, see `app.server.updates`.
        bytes: the number of bytes received.
        over: nothing more comes.
    """

    def __init__(self, server: str, path: str, cookie: str = "", own: str = "127.0.0.1") -> None:
        self._host, self._path, self._cookie, self._own = urlsplit(server), path, cookie, own
        self._task: asyncio.Task[None] | None = None
        self._mark = ""
        self.news: Callable[[], None] = lambda: None
        self.slots: dict[str, Any] = {}
        self.logs: dict[str, list[Any]] = {}
        self.bytes = 0
        self.over = False

    def begin(self) -> None:
        """Follow from now on; a connection that is lost is taken up again."""
        self._task = asyncio.create_task(self._follow())

    def end(self) -> None:
        """No more."""
        if self._task is not None:
            self._task.cancel()

    async def _follow(self) -> None:
        while not self.over:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._once()
            await asyncio.sleep(0.0 if self.over else 1.0)

    async def _once(self) -> None:
        reader, writer = await open_to(self._host.netloc, self._own)
        try:
            writer.write(head("GET", self._path, self._host.netloc, self._cookie, {"Last-Event-ID": self._mark}))
            mark = ""
            while not self.over and (line := await reader.readline()):
                self.bytes += len(line)
                if line.startswith(b"id: "):
                    mark = line[4:].strip().decode()
                elif line.startswith(b"data: {"):
                    self._mark = mark
                    self._take(json.loads(line[6:]))
        finally:
            writer.close()

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("anew"):
            self.slots, self.logs = {}, {}
        self.slots |= message.get("set", {})
        for name, (first, entries) in message.get("add", {}).items():
            self.logs[name] = [*self.logs.get(name, [])[:first], *entries]
        self.over = bool(message.get("over"))
        self.news()


async def open_to(netloc: str, own: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from one of this machine's own addresses."""
    host, _, port = netloc.partition(":")
    there = "127.0.0.1" if host == "localhost" else host
    return await asyncio.open_connection(there, int(port), local_addr=(own, 0), limit=2**24)


def head(method: str, path: str, host: str, cookie: str, more: dict[str, str]) -> bytes:
    """The head of a request."""
    lines = {"Host": host, "Cookie": cookie, **more}
    return "\r\n".join([f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in lines.items() if v), "", ""]).encode()


async def post(
    server: str, path: str, body: dict[str, Any], cookie: str = "", own: str = "127.0.0.1"
) -> tuple[int, str]:
    """Status and text of the answer."""
    netloc, text = urlsplit(server).netloc, json.dumps(body).encode()
    reader, writer = await open_to(netloc, own)
    more = {"Content-Type": "application/json", "Content-Length": str(len(text)), "Connection": "close"}
    writer.write(head("POST", path, netloc, cookie, more) + text)
    answer = (await reader.read()).decode()
    writer.close()
    start, _, rest = answer.partition("\r\n\r\n")
    return int(start.split()[1]), rest


async def get(server: str, path: str, own: str = "127.0.0.1") -> tuple[str, bytes]:
    """Head and body of the answer, as a browser that was never here gets it."""
    netloc = urlsplit(server).netloc
    reader, writer = await open_to(netloc, own)
    writer.write(head("GET", path, netloc, "", {"Accept": "text/html", "Connection": "close"}))
    answer = await reader.read()
    writer.close()
    start, _, body = answer.partition(b"\r\n\r\n")
    return start.decode("latin-1"), body


async def new_cookie(server: str, own: str = "127.0.0.1") -> str:
    """The cookie that a new browser gets with its first page, as it sends it back."""
    start, _ = await get(server, "/join", own)
    cookie = next((line for line in start.splitlines() if line.lower().startswith("set-cookie: ")), "")
    return cookie.partition(": ")[2].partition(";")[0]


class Follower:
    """A phone in the audience of a room."""

    def __init__(self, number: int, server: str, code: str) -> None:
        self.number, self._server, self._code = number, server, code
        self._own = f"127.0.0.{1 + number // _OF_ADDRESS}"
        self.events: Events | None = None
        self.news: Callable[[Follower], None] = lambda follower: None

    async def open(self) -> None:
        """Enter the room."""
        cookie = await new_cookie(self._server, self._own)
        status, text = await post(self._server, f"/rooms/{self._code}/enter", {}, cookie, self._own)
        if status != 200:
            raise OSError(f"phone {self.number} may not enter the room: {text}")
        path = f"/rooms/{self._code}/events?phone={json.loads(text)['phone']}"
        self.events = Events(self._server, path, cookie, self._own)
        self.events.news = lambda: self.news(self)
        self.events.begin()

    async def close(self) -> None:
        """Leave."""
        if self.events is not None:
            self.events.end()

    def slot(self, name: str) -> Any:
        """The latest value of a slot; None before its first."""
        return None if self.events is None else self.events.slots.get(name)

    def moment(self) -> str:
        """The number of the presenter's moment that this phone was told last; "" where none was."""
        return str((self.slot("moment") or {}).get("version", ""))

    async def until(self, enough: Callable[[], bool], seconds: float, what: str) -> None:
        """Return as soon as there is enough. Raises TimeoutError if it took too long."""
        deadline = monotonic() + seconds
        while not enough():
            if monotonic() > deadline:
                raise TimeoutError(f"phone {self.number}: {what} did not come within {seconds:.0f} s")
            await asyncio.sleep(0.02)
