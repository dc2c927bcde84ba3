"""Followers of one presenter: how late a step reaches them, what they cost while nobody steps, and what they are sent while he plays."""

import asyncio
from collections.abc import Sequence
from statistics import median
from time import monotonic

from tools.classroom import browsers
from tools.classroom.browsers import Phone
from tools.classroom.events import Follower
from tools.classroom.figures import ClassroomFigure, quantile, spread
from tools.classroom.host import ClassroomHost
from tools.classroom.room import Presenter, gather, step_all

_STEPS, _APART_S, _PATIENCE_S = 10, 1.5, 30.0
_IDLE_S, _SETTLE_S = 12.0, 3.0
_DELAY_S, _IDLE_SHARE, _KB_A_MINUTE = 0.4, 0.03, 60.0


async def measure(
    host: ClassroomHost, count: int, phones: Sequence[Phone], part: str = "follow"
) -> list[ClassroomFigure]:
    """A room with so many followers, and the phones."""
    presenter, guests = await _room(host, count)
    await asyncio.gather(*(phone.join(presenter.code) for phone in phones))
    idle = await _idle(host)
    delays, real, busy = await _steps(host, presenter, guests, phones)
    found = [
        *spread(part, f"{count} followers: delay of a step", delays, "s", (None, _DELAY_S)),
        *(spread(part, "the same in Chromium", real, "s", (None, _DELAY_S)) if phones else []),
        ClassroomFigure(part, "steps that a follower never had", len(guests) * _STEPS - len(delays), "", 0.0),
        ClassroomFigure(part, "page's process while nobody steps, share of one core", idle, "", _IDLE_SHARE),
        ClassroomFigure(part, "the same while a step is on its way", busy, ""),
        ClassroomFigure(part, "memory of the page's process", host.memory() / 1e6, "MB"),
        ClassroomFigure(part, "followers who were sent an error", sum(bool(guest.failed) for guest in guests), "", 0.0),
    ]
    await _leave(presenter, guests)
    return found


async def measure_crowd(host: ClassroomHost, count: int) -> list[ClassroomFigure]:
    """The same with a crowd, and what gives first."""
    found = await measure(host, count, [], "crowd")
    delay, idle, busy = found[1], found[3], found[4]
    late = delay.value is None or delay.value > _DELAY_S
    broken = found[2].value or found[6].value
    if broken:
        said = "Followers lost steps or met errors: the page's process gives first."
    elif late:
        said = f"The delay of a step gives first: one interpreter writes to one follower after the other, at {busy.value:.0%} of a core."
    elif not idle.met:
        said = f"Nothing gives yet but the idle page's process, at {idle.value:.0%} of a core."
    else:
        said = "Nothing gives yet."
    return [*found, ClassroomFigure("crowd", "what gives first", None, "", note=said)]


async def measure_bytes(host: ClassroomHost, count: int, seconds: float) -> list[ClassroomFigure]:
    """What one follower is sent while the presenter plays, at one moment a second: a stage reports one a round."""
    presenter, guests = await _room(host, count)
    await asyncio.sleep(_SETTLE_S)
    before = {guest.number: guest.bytes for guest in guests}
    begun = monotonic()
    while monotonic() - begun < seconds:
        await presenter.step(playing=True)
        await asyncio.sleep(1.0)
    minutes = (monotonic() - begun) / 60
    each = [(guest.bytes - before[guest.number]) / 1000 / minutes for guest in guests]
    await _leave(presenter, guests)
    return [
        ClassroomFigure(
            "bytes", f"to one of {count} followers a minute while the presenter plays", median(each), "kB", _KB_A_MINUTE
        ),
        ClassroomFigure("bytes", "to the one who is sent most", max(each), "kB"),
    ]


async def _room(host: ClassroomHost, count: int) -> tuple[Presenter, list[Follower]]:
    presenter = Presenter(host.address)
    code = await presenter.open_room()
    guests = await gather(host, code, count)
    await step_all(presenter, guests, _PATIENCE_S)  # from now on each has a moment
    return presenter, guests


async def _idle(host: ClassroomHost) -> float:
    await asyncio.sleep(_SETTLE_S)
    before, begun = host.page_s(), monotonic()
    await asyncio.sleep(_IDLE_S)
    return (host.page_s() - before) / (monotonic() - begun)


async def _steps(
    host: ClassroomHost, presenter: Presenter, guests: Sequence[Follower], phones: Sequence[Phone]
) -> tuple[list[float], list[float], float]:
    """Delays without a browser and with one, and the share of a core that the page's process took meanwhile."""
    delays: list[float] = []
    real: list[float] = []
    shares: list[float] = []
    for _ in range(_STEPS):
        when, before, begun = browsers.now(), host.page_s(), monotonic()
        found = await step_all(presenter, guests, _PATIENCE_S)
        shares.append((host.page_s() - before) / (monotonic() - begun))
        delays += found
        await asyncio.sleep(_APART_S)
        heard = [await phone.heard_after(when) for phone in phones]
        real += [delay for delay in heard if delay is not None]
    return delays, real, quantile(shares, 0.5) or 0.0


async def _leave(presenter: Presenter, guests: Sequence[Follower]) -> None:
    if "Close it now" in presenter.buttons:
        await presenter.press("Close it now")
        await asyncio.sleep(1.0)
    await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
