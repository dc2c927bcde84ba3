"""What is left when something fails: the engine in mid-run, the server in mid-room, the presenter's connection."""

import asyncio
import signal
from functools import partial
from time import monotonic
from urllib.parse import urlencode

from tools.classroom.events import Follower
from tools.classroom.figures import ClassroomFigure
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost
from tools.classroom.room import Presenter, gather, step_all

_PATIENCE_S, _FOLLOWERS, _AWAY_S, _SAVED_S = 120.0, 5, 6.0, 2.5
_ASK = "Ask: how many will be accepted?"


async def measure(host: ClassroomHost) -> list[ClassroomFigure]:
    """All three, one after the other."""
    return [*await _engine(host), *await _server(host), *await _presenter(host)]


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


async def _server(host: ClassroomHost) -> list[ClassroomFigure]:
    presenter = Presenter(host.address)
    code = await presenter.open_room()
    guests = await gather(host, code, _FOLLOWERS)
    await presenter.until(lambda: presenter.rests and _ASK in presenter.buttons, _PATIENCE_S, "the question's button")
    await presenter.press(_ASK)
    for guest in guests:
        await guest.until(partial(_is_asked, guest), _PATIENCE_S, "the question")
        await guest.vote(1)
    await guests[0].until(partial(_sees, guests[0]), _PATIENCE_S, "the votes")
    await asyncio.sleep(_SAVED_S)
    begun = monotonic()
    host.end(how=signal.SIGKILL)
    await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
    host.start()
    up = monotonic() - begun
    same = await presenter.open_room()
    await asyncio.gather(*(guest.open() for guest in guests))
    for guest in guests:
        await guest.until(partial(_sees, guest), _PATIENCE_S, "the votes after the restart")
    back = monotonic() - begun
    delays = await step_all(presenter, guests, _PATIENCE_S)
    await presenter.press("Close it now")
    await asyncio.sleep(1.0)
    await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
    return [
        ClassroomFigure("restart", "server killed in mid-room: rooms lost", float(same != code), "", 0.0),
        ClassroomFigure("restart", "votes lost", 0.0, "", 0.0, note="each phone shows the votes that were cast before"),
        ClassroomFigure("restart", "until the server answers again", up, "s"),
        ClassroomFigure("restart", "until all see the room again", back, "s"),
        ClassroomFigure("restart", "followers without the presenter's next step", _FOLLOWERS - len(delays), "", 0.0),
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


def _is_asked(follower: Follower) -> bool:
    return bool(follower.slot("poll"))


def _sees(follower: Follower) -> bool:
    return _is_asked(follower) and follower.slot("poll")["voted"] == _FOLLOWERS
