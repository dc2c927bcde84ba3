"""What a stranger can do to a class and an honest visitor behind the same address: bounded attacks on the classroom that this measurement has started, and no other."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

from tools.classroom.events import head, open_to
from tools.classroom.figures import ClassroomFigure
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost
from tools.classroom.room import Presenter, gather, step_all

_MOST, _SOCKETS, _MESSAGE = 300, 12, 46_000_000
_PATIENCE_S, _ATTACK_S, _END_S = 240.0, 60.0, 45.0
_USABLE_S, _GROWTH_MB = 10.0, 150.0
_CLASS, _STEPS, _STEP_S, _LATE_S = 50, 5, 30.0, 0.5
_LIVE = "/begun/attack/events"
_UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
_FRAME = b"\x82\xff" + _MESSAGE.to_bytes(8) + b"\0\0\0\0"  # the begin of a binary message of this size

Opened = list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]


async def attacking(host: ClassroomHost, count: int, end_s: float = _END_S) -> list[ClassroomFigure]:
    """Each attack in turn, held while a class follows its presenter and a visitor opens Watch; then the memory of the page's process, and what is still
    open after so many seconds."""
    count = min(count, _MOST)
    presenter = Presenter(host.address)
    guests = await gather(host, await presenter.open_room(), _CLASS)
    await step_all(presenter, guests, _STEP_S)
    first, before = await _visit(host), host.memory()
    figures = [ClassroomFigure("attack", "nobody attacks: until a visitor can use the page", first, "s")]
    for what, attack in _ATTACKS.items():
        opened: Opened = []
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(_ATTACK_S):
                await attack(host.netloc, count, opened)
        delays = [delay for _ in range(_STEPS) for delay in await step_all(presenter, guests, _STEP_S)]
        lost, late = _STEPS * len(guests) - len(delays), max(delays, default=None)
        figures += [
            ClassroomFigure("attack", f"{what}: latest step of a class of {_CLASS}", late, "s", _LATE_S),
            ClassroomFigure("attack", f"{what}: steps that a follower never had", lost, "", 0.0),
            ClassroomFigure("attack", f"{what}: until a visitor can use the page", await _visit(host), "s", _USABLE_S),
            ClassroomFigure(
                "attack", f"{what}: more memory of the page's process", _more(host, before), "MB", _GROWTH_MB
            ),
        ]
        if attack is _silent:
            await asyncio.sleep(end_s)
            left = sum(not (reader.at_eof() or writer.is_closing()) for reader, writer in opened)
            figures.append(ClassroomFigure("attack", f"{what}: open after {end_s:.0f} s", left, "", 0.0))
        for _, writer in opened:
            writer.transport.abort()
    await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
    return [*figures, ClassroomFigure("attack", "in the end: more memory", _more(host, before), "MB", _GROWTH_MB)]


async def _visit(host: ClassroomHost) -> float | None:
    """Seconds until a new visitor can use Watch; None where that never was."""
    guest, began = Guest(0, host.address, new=True), monotonic()
    try:
        await guest.open()
        await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")
    except (OSError, TimeoutError):
        return None
    finally:
        await guest.close()
    return monotonic() - began


def _more(host: ClassroomHost, before: int) -> float:
    return max(0.0, (host.memory() - before) / 1e6)


async def _made_up(netloc: str, count: int, opened: Opened) -> None:
    for _ in range(count):
        await _send(netloc, head("GET", _LIVE, netloc, f"specviz_visitor={secrets.token_hex(24)}", {}), opened)


async def _silent(netloc: str, count: int, opened: Opened) -> None:
    for number in range(count):
        await _send(netloc, b"" if number % 2 else b"GET / HTTP/1.1\r\nHo", opened)


async def _head_streams(netloc: str, count: int, opened: Opened) -> None:
    for _ in range(count):
        await _send(netloc, head("HEAD", _LIVE, netloc, "", {}), opened)


async def _unfinished(netloc: str, _: int, opened: Opened) -> None:
    """All but the last byte of a large message on some sockets; the server may close them before."""
    for _ in range(_SOCKETS):
        key = {**_UPGRADE, "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==", "Origin": f"http://{netloc}"}
        reader = await _send(netloc, head("GET", "/_stcore/stream", netloc, "", key), opened)
        await reader.readuntil(b"\r\n\r\n")
        with suppress(OSError):
            opened[-1][1].write(_FRAME)
            for _ in range(_MESSAGE // 1_000_000 - 1):
                opened[-1][1].write(bytes(1_000_000))
                await opened[-1][1].drain()


async def _send(netloc: str, sent: bytes, opened: Opened) -> asyncio.StreamReader:
    reader, writer = await open_to(netloc, "127.0.0.1")
    writer.write(sent)
    opened.append((reader, writer))
    return reader


_ATTACKS: dict[str, Callable[[str, int, Opened], Awaitable[None]]] = {
    "events with made-up cookies": _made_up,
    "connections that say nothing or half of it": _silent,
    "events asked for by HEAD": _head_streams,
    "unfinished messages of 46 MB": _unfinished,
}
