"""What is left when something fails: the engine in mid-run, the presenter's connection."""

import asyncio
from time import monotonic
from urllib.parse import urlencode

from tools.classroom.figures import ClassroomFigure
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost
from tools.classroom.room import Presenter, gather, step_all

_PATIENCE_S, _FOLLOWERS, _AWAY_S = 120.0, 5, 6.0


async def measure(host: ClassroomHost) -> list[ClassroomFigure]:
    """Both, one after the other."""
    return [*await _engine(host), *await _presenter(host)]


async def _engine(host: ClassroomHost) -> list[ClassroomFigure]:
    query = urlencode({"prompt": "Once upon a time", "max_new_tokens": 128})
    guest = Guest(1, host.address, "", query)
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")
    before = guest.view()[0]
    await guest.press("Run")
    await guest.until(lambda: guest.view()[0] != before and guest.view()[1] == "running", _PATIENCE_S, "the run")
    begun = monotonic()
    for engine in host.engines():
        engine.kill()
    await guest.until(lambda: guest.view()[1] in ("failed", "done", "cancelled"), _PATIENCE_S, "word of the lost run")
    said, how = monotonic() - begun, guest.view()[1]
    lost = guest.view()[0]
    await guest.until(lambda: guest.rests, _PATIENCE_S, "the page")
    if how != "done":
        await guest.press("Run")
        await guest.until(lambda: guest.view()[0] != lost and guest.view()[1] == "done", _PATIENCE_S, "the next run")
    again = monotonic() - begun
    await guest.close()
    note = "the run was repeated" if how == "done" else f"the visitor was told: {' '.join(guest.failed[-1:])}"
    return [
        ClassroomFigure("restart", "engine killed in mid-run: until its visitor knows", said, "s", note=note),
        ClassroomFigure("restart", "until the next run is there", again, "s"),
    ]


async def _presenter(host: ClassroomHost) -> list[ClassroomFigure]:
    presenter = Presenter(host.address)
    code = await presenter.open_room()
    guests = await gather(host, code, _FOLLOWERS)
    await step_all(presenter, guests, _PATIENCE_S)
    await presenter.close()
    await asyncio.sleep(_AWAY_S)
    same = await presenter.open_room()
    delays = await step_all(presenter, guests, _PATIENCE_S)
    await presenter.press("Close it now")
    await asyncio.sleep(1.0)
    await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
    return [
        ClassroomFigure("restart", "presenter away and back: rooms lost", float(same != code), "", 0.0),
        ClassroomFigure("restart", "delay of his next step, longest", max(delays, default=None), "s", 1.0),
    ]
