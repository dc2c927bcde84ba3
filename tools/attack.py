"""`make attack`: attacks a classroom on this machine and prints what it answers, and the memory of page and engine before and after.

It starts its own server in a temporary folder, reaches no other, and every attack has a number of requests and a time at most.
"""

import argparse
import asyncio
import secrets
import sys
import tempfile
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin, Subprotocol

from specviz.rooms.codes import LENGTH, LETTERS
from tools.classroom.guest import Guest, cookie_of
from tools.classroom.host import ClassroomHost

_PATIENCE_S, _AN_ATTACK_S = 240.0, 120.0
_MOST = 1000
_GROWTH = 1.1
"""So much of its memory before may a process have in the end."""


@dataclass(frozen=True, slots=True)
class AttackRow:
    """What an attack met.

    Attributes:
        page, engine: bytes before and after.
    """

    attack: str
    answer: str
    page: tuple[int, int]
    engine: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Attacked:
    """The server, how often each attack is tried, and the visitor whom nothing of it should disturb."""

    host: ClassroomHost
    count: int
    visitor: Guest


async def _socket(host: ClassroomHost, cookie: str = "", name: str = "localhost") -> ClientConnection:
    return await connect(
        f"ws://{name}:{host.port}/_stcore/stream",
        host="localhost",
        port=host.port,
        origin=Origin(f"http://{name}:{host.port}"),
        subprotocols=[Subprotocol("streamlit")],
        additional_headers={"Cookie": cookie} if cookie else {},
        compression=None,
        max_size=None,
        open_timeout=30,
    )


async def _ask(socket: ClientConnection, query: str, page: str = "") -> None:
    back = BackMsg()
    back.rerun_script.query_string, back.rerun_script.page_name = query, page
    await socket.send(back.SerializeToString())


async def _said(socket: ClientConnection, seconds: float) -> int:
    """How many bytes come in so long, or until it is closed."""
    came = 0
    with suppress(TimeoutError, WebSocketException):
        async with asyncio.timeout(seconds):
            async for message in socket:
                came += len(message)
    return came


async def _long_addresses(at: Attacked) -> str:
    """Languages and prompts of half a megabyte in the address."""
    came = 0
    for number in range(at.count):
        with suppress(WebSocketException, OSError, TimeoutError):
            socket = await _socket(at.host, cookie_of(at.host.address) if number % 20 == 0 else "")
            await _ask(socket, f"language={number}{'x' * 500_000}&prompt={'y' * 400_000}", "learn")
            came += await _said(socket, 0.3)
            await socket.close()
    return f"{came / 1e6:.0f} MB came back"


async def _large_frames(at: Attacked) -> str:
    """Messages of two megabytes."""
    codes: Counter[int | None] = Counter()
    for _ in range(max(1, at.count // 10)):
        socket = await _socket(at.host, cookie_of(at.host.address))
        with suppress(WebSocketException):
            await _ask(socket, "prompt=" + "x" * 2_000_000)
            await _said(socket, 10.0)
        codes[socket.close_code] += 1
        await socket.close()
    return f"closed with {dict(codes)}"


async def _long_prompts(at: Attacked) -> str:
    """Prompts of 200,000 characters, sent as the box would send them, and Run."""
    guest = Guest(1, at.host.address)
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")
    for _ in range(max(1, at.count // 20)):
        await guest.write("Prompt", secrets.token_hex(100_000))
        await guest.until(lambda: guest.rests, 30, "an answer")
        await guest.press("Run")
        await asyncio.sleep(0.5)
    await guest.close()
    return guest.failed[-1] if guest.failed else "no answer"


async def _no_cookie(at: Attacked) -> str:
    """Sockets without a cookie, all at a time."""
    sockets: list[ClientConnection] = []
    for _ in range(min(at.count, 200)):
        with suppress(WebSocketException, OSError, TimeoutError):
            sockets.append(await _socket(at.host))
    for socket in sockets:
        await _ask(socket, "")
    await asyncio.sleep(1.0)
    for socket in sockets:
        await socket.close()
    return f"{len(sockets)} of {min(at.count, 200)} were let in"


async def _rooms(at: Attacked) -> str:
    """A room for every one of 20 made-up browsers."""
    opened, why = 0, ""
    for number in range(20):
        guest = Guest(number, at.host.address, "", "teach=1")
        await guest.open()
        await guest.until(lambda guest=guest: "Open a room" in guest.buttons and guest.rests, _PATIENCE_S, "the door")  # type: ignore[misc]
        await guest.press("Open a room")
        with suppress(TimeoutError):
            await guest.until(lambda guest=guest: guest.failed or "Close it now" in guest.buttons, 20, "an answer")  # type: ignore[misc]
        opened += "Close it now" in guest.buttons
        why = guest.failed[-1] if guest.failed else why
        await guest.close()
    return f"{opened} opened; then: {why}"


async def _codes(at: Attacked) -> str:
    """Codes of rooms, guessed in the address by one browser."""
    said: Counter[str] = Counter()
    cookie = cookie_of(at.host.address)
    for _ in range(max(15, at.count // 10)):
        guess = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        guest = Guest(2, at.host.address, "room", f"code={guess}", cookie=cookie)
        await guest.open()
        with suppress(TimeoutError):
            await guest.until(lambda guest=guest: bool(guest.failed), 20, "an answer")  # type: ignore[misc]
        said[" ".join(guest.failed[-1].split()[:4]) if guest.failed else "no answer"] += 1
        await guest.close()
    return ", ".join(f"{what} …: {count}×" for what, count in said.items())


async def _uploads(at: Attacked) -> str:
    """Files of a megabyte, without any widget."""
    codes: Counter[int] = Counter()

    def put() -> int:
        asked = urllib.request.Request(  # noqa: S310  # our own server
            f"{at.host.address}/_stcore/upload_file/{at.visitor.session}/x", data=b"x" * 1_000_000, method="PUT"
        )
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310  # likewise
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    for _ in range(max(1, at.count // 20)):
        codes[await asyncio.to_thread(put)] += 1
    return f"answered {dict(codes)} (0: the connection was closed)"


async def _another_name(at: Attacked) -> str:
    """A handshake under another site's name that leads to this machine."""
    try:
        socket = await _socket(at.host, name="evil.example")
    except (WebSocketException, OSError) as error:
        return f"refused: {error}"
    await socket.close()
    return "LET IN"


ATTACKS: tuple[Callable[[Attacked], Awaitable[str]], ...] = (
    _long_addresses,
    _large_frames,
    _long_prompts,
    _no_cookie,
    _rooms,
    _codes,
    _uploads,
    _another_name,
)


async def attack(host: ClassroomHost, count: int) -> list[AttackRow]:
    """Every attack in turn, and a run of the visitor before and after all of them."""
    visitor = Guest(0, host.address)
    await visitor.open()
    await visitor.until(lambda: visitor.usable, _PATIENCE_S, "the page")
    for page in ("learn", "room"):  # what they read once is no attack's
        await _look(host, page)
    first = await _run(visitor)
    at, rows = Attacked(host, count, visitor), []
    begun = _memory(host)
    for do in ATTACKS:
        before = _memory(host)
        try:
            async with asyncio.timeout(_AN_ATTACK_S):
                answer = await do(at)
        except TimeoutError:
            answer = f"ended after {_AN_ATTACK_S:.0f} s"
        rows.append(AttackRow(f"{do.__doc__}", answer, *zip(before, _memory(host), strict=True)))
    await visitor.close()
    last = Guest(3, host.address)
    await last.open()
    await last.until(lambda: last.usable, _PATIENCE_S, "the page")
    again = await _run(last)
    await last.close()
    rows.append(
        AttackRow(
            "All of them",
            f"a run took {first:.1f} s before, {again:.1f} s after",
            *zip(begun, _memory(host), strict=True),
        )
    )
    return rows


async def _look(host: ClassroomHost, page: str) -> None:
    guest = Guest(4, host.address, page)
    await guest.open()
    await guest.until(lambda: guest.rests, _PATIENCE_S, page)
    await guest.close()


async def _run(guest: Guest) -> float:
    begun, before = monotonic(), guest.view()[0]
    await guest.press("Run")
    await guest.until(lambda: guest.view()[0] != before and guest.view()[1] == "done", _PATIENCE_S, "the run")
    return monotonic() - begun


def _memory(host: ClassroomHost) -> tuple[int, int]:
    return host.memory(), sum(each.memory_info().rss for each in host.engines())


def table(rows: list[AttackRow]) -> str:
    """One attack in three lines: what it was, what it met, what it left."""
    lines = []
    for row in rows:
        page, engine = (f"{before / 1e6:,.0f} → {after / 1e6:,.0f} MB" for before, after in (row.page, row.engine))
        lines += [row.attack, "    " + row.answer.replace("\\", ""), f"    page {page}, engine {engine}"]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Exit code 1 where a process has much more memory in the end than before."""
    parser = argparse.ArgumentParser(prog="python -m tools.attack", description="Attack a classroom on this machine.")
    parser.add_argument("--count", type=int, default=200, help=f"requests of an attack, at most {_MOST} (default 200)")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        host = ClassroomHost(Path(folder), threads=1)
        host.start()
        try:
            rows = asyncio.run(attack(host, max(10, min(asked.count, _MOST))))
        finally:
            host.end()
    sys.stdout.write(f"{table(rows)}\n")
    return int(any(after > _GROWTH * before for before, after in (rows[-1].page, rows[-1].engine)))


if __name__ == "__main__":
    sys.exit(main())
