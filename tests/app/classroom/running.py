"""Everybody presses Run at once: how long until each is served, and how much of that time the engine works."""

import asyncio
from time import monotonic
from urllib.parse import urlencode

from tests.app.classroom.figures import Figure, quantile
from tests.app.classroom.guest import Guest
from tests.app.classroom.host import Host

_PROMPT, _TOKENS = "Dear Anna,\n\nThank you for your", 48
_PATIENCE_S = 240.0
_A_RUN_S = 10.0
"""A run takes longer than this only where something is wrong."""
_SHARE = 0.7


async def measure(host: Host, count: int) -> list[Figure]:
    """So many visitors of Watch, with models that are there."""
    query = urlencode({"prompt": _PROMPT, "max_new_tokens": _TOKENS})
    guests = [Guest(number, host.address, "", query) for number in range(count)]
    await asyncio.gather(*(_open(number, guest) for number, guest in enumerate(guests)))
    await _run(guests[0], monotonic(), _PATIENCE_S)  # it loads the models
    engine, page, begun = host.engine_s(), host.page_s(), monotonic()
    served = await asyncio.gather(*(_run(guest, begun, _PATIENCE_S + count * _A_RUN_S) for guest in guests))
    lasted = monotonic() - begun
    times = [seconds for seconds in served if seconds is not None]
    engine, page = host.engine_s() - engine, host.page_s() - page
    await asyncio.gather(*(guest.close() for guest in guests))
    lost = [guest for guest, seconds in zip(guests, served, strict=True) if seconds is None]
    why = next((sentence for guest in lost for sentence in guest.failed[-1:]), "")
    return [
        Figure("run", f"{count} press Run at once: lost runs", len(lost), "", 0.0, note=why),
        Figure("run", "until the first is served", min(times, default=None), "s"),
        Figure("run", "median", quantile(times, 0.5), "s"),
        Figure("run", "until the last is served", max(times, default=None), "s"),
        Figure("run", "engine's processor time in all this time", engine / lasted, "", _SHARE, at_least=True),
        Figure("run", "page's process, share of one core", page / lasted, ""),
    ]


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
