"""The parts of the measurement: visitors who arrive, followers of one presenter, everybody pressing Run at once, and strangers who attack."""

import asyncio
import re
from collections.abc import Sequence
from time import monotonic
from urllib.parse import urlencode

from tools.classroom.attack import attacking
from tools.classroom.events import Follower, get
from tools.classroom.figures import ClassroomFigure, spread
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost
from tools.classroom.room import Presenter, gather, step_all
from tools.measurement import quantile

_FILE = re.compile(r'(?:src|href)="\./(static/[^"]+)"')
_PATIENCE_S = 240.0
_WITHIN_S, _USABLE_S = 20.0, (3.0, 8.0)
_STEPS, _APART_S, _STEP_S = 10, 1.5, 30.0
_IDLE_S, _SETTLE_S = 12.0, 3.0
_DELAY_S, _IDLE_SHARE = 0.4, 0.03
_PROMPT, _TOKENS = "Dear Anna,\n\nThank you for your", 48
_A_RUN_S = 10.0  # a run takes longer than this only where something is wrong
_ENGINE_SHARE = 0.7


async def opening(host: ClassroomHost, count: int) -> list[ClassroomFigure]:
    """Each visitor fetches the page's files as a browser without a cache does, and opens Watch."""
    guests = [Guest(number, host.address, new=True) for number in range(count)]
    began, before = monotonic(), host.page_s()
    waits = await asyncio.gather(
        *(_arrive(guest, host, began + _WITHIN_S * number / count) for number, guest in enumerate(guests))
    )
    taken, lasted = host.page_s() - before, monotonic() - began
    size = sum(guest.bytes for guest in guests) / count
    await asyncio.gather(*(guest.close() for guest in guests))
    return [
        *spread("open", f"{count} visitors within 20 s: until the page can be used", waits, "s", _USABLE_S),
        ClassroomFigure("open", "processor time of the page's process, for one visitor", taken / count, "s"),
        ClassroomFigure("open", "share of one core meanwhile", taken / lasted, ""),
        ClassroomFigure("open", "the page through its WebSocket, for one visitor", size / 1000, "kB"),
    ]


async def _arrive(guest: Guest, host: ClassroomHost, when: float) -> float:
    await asyncio.sleep(when - monotonic())
    began = monotonic()
    await _fetch_files(host.address)
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")
    return monotonic() - began


async def _fetch_files(server: str) -> None:
    """Fetch the document and the files that it names."""
    _, document = await get(server, "/")
    for name in dict.fromkeys(_FILE.findall(document.decode())):
        await get(server, f"/{name}")


async def following(host: ClassroomHost, count: int) -> list[ClassroomFigure]:
    """The delay of a presenter's step to the followers, and their cost while nobody steps."""
    presenter = Presenter(host.address)
    guests = await gather(host, await presenter.open_room(), count)
    await step_all(presenter, guests, _STEP_S)  # from now on each has a moment
    await asyncio.sleep(_SETTLE_S)
    before, began = host.page_s(), monotonic()
    await asyncio.sleep(_IDLE_S)
    idle = (host.page_s() - before) / (monotonic() - began)
    delays, busy = await _steps(host, presenter, guests)
    await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
    return [
        *spread("follow", f"{count} followers: delay of a step", delays, "s", (None, _DELAY_S)),
        ClassroomFigure("follow", "steps that a follower never had", len(guests) * _STEPS - len(delays), "", 0.0),
        ClassroomFigure("follow", "page's process while nobody steps, share of one core", idle, "", _IDLE_SHARE),
        ClassroomFigure("follow", "the same while a step is on its way", busy, ""),
    ]


async def _steps(host: ClassroomHost, presenter: Presenter, guests: Sequence[Follower]) -> tuple[list[float], float]:
    """The delays, and the share of a core that the page's process took meanwhile."""
    delays: list[float] = []
    shares: list[float] = []
    for _ in range(_STEPS):
        before, began = host.page_s(), monotonic()
        delays += await step_all(presenter, guests, _STEP_S)
        shares.append((host.page_s() - before) / (monotonic() - began))
        await asyncio.sleep(_APART_S)
    return delays, quantile(shares, 0.5) or 0.0


async def running(host: ClassroomHost, count: int) -> list[ClassroomFigure]:
    """The time until each visitor of Watch has a run, and the engine's share of it."""
    query = urlencode({"prompt": _PROMPT, "max_new_tokens": _TOKENS})
    guests = [Guest(number, host.address, query) for number in range(count)]
    await asyncio.gather(*(_open(number, guest) for number, guest in enumerate(guests)))
    await _run(guests[0], monotonic(), _PATIENCE_S)  # it loads the models
    engine, page, began = host.engine_s(), host.page_s(), monotonic()
    served = await asyncio.gather(*(_run(guest, began, _PATIENCE_S + count * _A_RUN_S) for guest in guests))
    lasted = monotonic() - began
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
        ClassroomFigure(
            "run", "engine's processor time in all this time", engine / lasted, "", _ENGINE_SHARE, at_least=True
        ),
        ClassroomFigure("run", "page's process, share of one core", page / lasted, ""),
    ]


async def _open(number: int, guest: Guest) -> None:
    await asyncio.sleep(number * 0.05)
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")


async def _run(guest: Guest, began: float, seconds: float) -> float | None:
    """Seconds until the run was on its visitor's stage as a recording; None where it was lost."""
    before = guest.view()[0]
    await guest.press("Run")
    try:
        await guest.until(
            lambda: guest.view()[0] != before and guest.view()[1] in ("done", "failed", "cancelled"), seconds, "the run"
        )
    except TimeoutError:
        return None
    return monotonic() - began if guest.view()[1] == "done" else None


PARTS = {"open": opening, "follow": following, "run": running, "attack": attacking}
