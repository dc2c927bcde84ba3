"""`make classroom N=50`: measures a classroom on this machine, a part after the other, each on a fresh server. Nothing else should run meanwhile.

- open: visitors who arrive, each as a browser without a cache.
- follow: followers of one presenter, who steps.
- run: everybody presses Run at once.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from tools.classroom.events import Follower, get
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost, classroom
from tools.classroom.room import Presenter, gather, step_all
from tools.measurement import quantile

_FILE = re.compile(r'(?:src|href)="\./(static/[^"]+)"')
_PATIENCE_S = 240.0
_WITHIN_S = 20.0
_STEPS, _APART_S, _STEP_S = 10, 1.5, 30.0
_IDLE_S, _SETTLE_S = 12.0, 3.0
_PROMPT, _TOKENS = "Dear Anna,\n\nThank you for your", 48
_A_RUN_S = 10.0  # a run takes longer than this only where something is wrong


def _say(what: str, value: float | None, unit: str = "") -> None:
    number = "not measured" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    sys.stdout.write(f"{what}: {number} {unit}".rstrip() + "\n")


def _say_spread(what: str, values: Sequence[float]) -> None:
    _say(f"{what}, median of {len(values)}", quantile(values, 0.5), "s")
    _say(f"{what}, 95%", quantile(values, 0.95), "s")


# ---------------------------------------------------------------- open


async def opening(host: ClassroomHost, count: int) -> None:
    """Each visitor fetches the page's files as a browser without a cache does, and opens Watch."""
    guests = [Guest(number, host.address, new=True) for number in range(count)]
    began, before = monotonic(), host.page_s()
    waits = await asyncio.gather(
        *(_arrive(guest, host, began + _WITHIN_S * number / count) for number, guest in enumerate(guests))
    )
    taken, lasted = host.page_s() - before, monotonic() - began
    await asyncio.gather(*(guest.close() for guest in guests))
    _say_spread(f"{count} visitors within 20 s: until the page can be used", waits)
    _say("processor time of the page's process, for one visitor", taken / count, "s")
    _say("share of one core meanwhile", taken / lasted)
    _say("the page through its WebSocket, for one visitor", sum(guest.bytes for guest in guests) / count / 1000, "kB")


async def _arrive(guest: Guest, host: ClassroomHost, when: float) -> float:
    await asyncio.sleep(when - monotonic())
    began = monotonic()
    _, document = await get(host.address, "/")
    for name in dict.fromkeys(_FILE.findall(document.decode())):
        await get(host.address, f"/{name}")
    await _open(guest)
    return monotonic() - began


async def _open(guest: Guest) -> None:
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")


# ---------------------------------------------------------------- follow


async def following(host: ClassroomHost, count: int) -> None:
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
    _say_spread(f"{count} followers: delay of a step", delays)
    _say("steps that a follower never had", len(guests) * _STEPS - len(delays))
    _say("page's process while nobody steps, share of one core", idle)
    _say("the same while a step is on its way", busy)


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


# ---------------------------------------------------------------- run


async def running(host: ClassroomHost, count: int) -> None:
    """The time until each visitor of Watch has a run, and the engine's share of it."""
    query = urlencode({"prompt": _PROMPT, "max_new_tokens": _TOKENS})
    guests = [Guest(number, host.address, query) for number in range(count)]
    await asyncio.gather(*map(_open, guests))
    await _run(guests[0], monotonic(), _PATIENCE_S)  # it loads the models
    engine, page, began = host.engine_s(), host.page_s(), monotonic()
    served = await asyncio.gather(*(_run(guest, began, _PATIENCE_S + count * _A_RUN_S) for guest in guests))
    lasted = monotonic() - began
    engine, page = host.engine_s() - engine, host.page_s() - page
    await asyncio.gather(*(guest.close() for guest in guests))
    times = [seconds for seconds in served if seconds is not None]
    _say(f"{count} press Run at once: lost runs", count - len(times))
    _say("until the first is served", min(times, default=None), "s")
    _say("median", quantile(times, 0.5), "s")
    _say("until the last is served", max(times, default=None), "s")
    _say("engine's processor time in all this time", engine / lasted)
    _say("page's process, share of one core", page / lasted)
    for sentence in {sentence for guest in guests for sentence in guest.failed[-1:]}:
        sys.stdout.write(f"{sentence}\n")


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


PARTS: dict[str, Callable[[ClassroomHost, int], Coroutine[Any, Any, None]]] = {
    "open": opening,
    "follow": following,
    "run": running,
}


def main() -> None:
    """Measure the named parts, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50, choices=range(1, 2001), metavar="N", help="visitors")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS], help="default: all")
    args = parser.parse_args()
    for part in args.parts:
        with tempfile.TemporaryDirectory() as folder, classroom(Path(folder)) as host:
            asyncio.run(PARTS[part](host, args.count))


if __name__ == "__main__":
    main()
