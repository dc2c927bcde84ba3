"""Everybody presses Run at once: how long until each is served, and how much of that time the engine works."""

import asyncio
from contextlib import suppress
from time import monotonic
from urllib.parse import urlencode

from tools.classroom.figures import ClassroomFigure, quantile
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost

_PROMPT, _TOKENS, _LONG = "Dear Anna,\n\nThank you for your", 48, 256
_PATIENCE_S = 240.0
_A_RUN_S = 10.0
"""A run takes longer than this only where something is wrong."""
_SHARE = 0.7


async def measure(host: ClassroomHost, count: int) -> list[ClassroomFigure]:
    """So many visitors of Watch, with models that are there."""
    guests = await _seated(host, count)
    engine, page, begun = host.engine_s(), host.page_s(), monotonic()
    served = await _all_run(guests)
    lasted = monotonic() - begun
    times = [seconds for seconds in served if seconds is not None]
    engine, page = host.engine_s() - engine, host.page_s() - page
    await asyncio.gather(*(guest.close() for guest in guests))
    lost = [guest for guest, seconds in zip(guests, served, strict=True) if seconds is None]
    why = next((sentence for guest in lost for sentence in guest.failed[-1:]), "")
    return [
        ClassroomFigure("run", f"{count} press Run at once: lost runs", len(lost), "", 0.0, note=why),
        ClassroomFigure("run", "until the first is served", min(times, default=None), "s"),
        ClassroomFigure("run", "median", quantile(times, 0.5), "s"),
        ClassroomFigure("run", "until the last is served", max(times, default=None), "s"),
        ClassroomFigure("run", "engine's processor time in all this time", engine / lasted, "", _SHARE, at_least=True),
        ClassroomFigure("run", "page's process, share of one core", page / lasted, ""),
    ]


async def measure_attacked(host: ClassroomHost, count: int) -> list[ClassroomFigure]:
    """The same visitors without and with one among them who presses Run for a long text all the time, with a cookie and without, and asks for
    pages with long addresses. What others wait for may be one of his runs, and not more."""
    guests = await _seated(host, count)
    hostile = Guest(count, host.address, "", urlencode({"prompt": _PROMPT, "max_new_tokens": _LONG}))
    await _open(0, hostile)
    a_run = await _run(hostile, monotonic(), _PATIENCE_S)
    alone = [seconds for seconds in await _all_run(guests) if seconds is not None]
    attack = asyncio.create_task(_press_on(host, hostile))
    await asyncio.sleep(1.0)
    beside = [seconds for seconds in await _all_run(guests) if seconds is not None]
    attack.cancel()
    await asyncio.gather(attack, return_exceptions=True)
    await asyncio.gather(*(guest.close() for guest in (*guests, hostile)))
    later = max(beside, default=0.0) - max(alone, default=0.0)
    return [
        ClassroomFigure(
            "attacked", f"{count} press Run at once beside an attacker: lost runs", count - len(beside), "", 0.0
        ),
        ClassroomFigure("attacked", "until the last is served, without him", max(alone, default=None), "s"),
        ClassroomFigure("attacked", "until the last is served, beside him", max(beside, default=None), "s"),
        ClassroomFigure("attacked", "later than without him; a run of his is the goal", later, "s", a_run),
    ]


async def _press_on(host: ClassroomHost, hostile: Guest) -> None:
    """Attack until cancelled."""
    while True:
        nobody = Guest(0, host.address, "", f"prompt={'x' * 200_000}", cookie="")
        with suppress(Exception):
            await asyncio.wait_for(nobody.open(), 10.0)
            await nobody.press("Run")
        with suppress(Exception):
            await hostile.press("Run")
        await asyncio.sleep(0.2)
        await nobody.close()


async def _seated(host: ClassroomHost, count: int) -> list[Guest]:
    """So many visitors of Watch, with models that are there."""
    query = urlencode({"prompt": _PROMPT, "max_new_tokens": _TOKENS})
    guests = [Guest(number, host.address, "", query) for number in range(count)]
    await asyncio.gather(*(_open(number, guest) for number, guest in enumerate(guests)))
    await _run(guests[0], monotonic(), _PATIENCE_S)  # it loads the models
    return guests


async def _all_run(guests: list[Guest]) -> list[float | None]:
    """After how many seconds each was served."""
    begun = monotonic()
    return await asyncio.gather(*(_run(guest, begun, _PATIENCE_S + len(guests) * _A_RUN_S) for guest in guests))


async def _open(number: int, guest: Guest) -> None:
    await asyncio.sleep(number * 0.05)
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")


async def _run(guest: Guest, begun: float, seconds: float) -> float | None:
    """After how many seconds his run was on his stage as a recording; None where it was lost."""
    before = guest.view()[0]
    await guest.press("Run")
    try:
        await guest.until(
            lambda: guest.view()[0] != before and guest.view()[1] in ("done", "failed", "cancelled"), seconds, "the run"
        )
    except TimeoutError:
        return None
    return monotonic() - begun if guest.view()[1] == "done" else None
