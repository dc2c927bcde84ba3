"""Visitors who arrive within a short time: how long until each has a page that can be used."""

import asyncio
from collections.abc import Sequence
from time import monotonic

from tools.classroom import assets
from tools.classroom.browsers import Phone
from tools.classroom.figures import ClassroomFigure, spread
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost

_WITHIN_S, _PATIENCE_S = 20.0, 180.0
_MEDIAN_S, _MOST_S = 3.0, 8.0


async def measure(host: ClassroomHost, count: int, phones: Sequence[Phone]) -> list[ClassroomFigure]:
    """Each guest fetches the page's files as a browser without a cache does, and opens Watch; phones arrive among them."""
    guests = [Guest(number, host.address, new=True) for number in range(count)]
    begun, before = monotonic(), host.page_s()
    arrivals = [_arrive(guest, host, begun + _WITHIN_S * number / count) for number, guest in enumerate(guests)]
    real = [_real(phone, begun + _WITHIN_S * (n + 1) / (len(phones) + 1)) for n, phone in enumerate(phones)]
    waits, real_waits = await asyncio.gather(asyncio.gather(*arrivals), asyncio.gather(*real))
    taken, lasted = host.page_s() - before, monotonic() - begun
    size = sum(guest.bytes for guest in guests) / count
    await asyncio.gather(*(guest.close() for guest in guests))
    return [
        *spread("open", f"{count} visitors within 20 s: until the page can be used", waits, "s", (_MEDIAN_S, _MOST_S)),
        *(spread("open", "the same in Chromium", real_waits, "s", (None, None)) if real_waits else []),
        ClassroomFigure(
            "open", "processor time of the page's process, for one visitor", taken / (count + len(phones)), "s"
        ),
        ClassroomFigure("open", "share of one core meanwhile", taken / lasted, ""),
        ClassroomFigure("open", "the page through its WebSocket, for one visitor", size / 1000, "kB"),
    ]


async def _arrive(guest: Guest, host: ClassroomHost, when: float) -> float:
    await asyncio.sleep(when - monotonic())
    begun = monotonic()
    await assets.fetch(host.address)
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")
    return monotonic() - begun


async def _real(phone: Phone, when: float) -> float:
    await asyncio.sleep(when - monotonic())
    begun = monotonic()
    await phone.open_watch()
    return monotonic() - begun
