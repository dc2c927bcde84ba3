"""A presenter and his followers, all without browsers."""

import asyncio
import json
import re
from collections.abc import Sequence
from time import monotonic

from tools.classroom.events import Follower, post
from tools.classroom.guest import PLAYER, Guest
from tools.classroom.host import ClassroomHost

_CODE = re.compile(r'class="room-code">([A-Z0-9 ]+)<')
_PATIENCE_S = 240.0
_A_SECOND = 50  # so many followers arrive in a second: a class that scans one code


class Presenter(Guest):
    """Opens a room and steps."""

    def __init__(self, server: str) -> None:
        super().__init__(0, server, "teach=1")
        self._steps = 0

    async def open_room(self) -> str:
        """Open a room; its code."""
        await self.open()
        await self.until(lambda: self.rests and "Open a room" in self.buttons, _PATIENCE_S, "the door")
        await self.press("Open a room")
        await self.until(
            lambda: bool(self._code()) and PLAYER in self.components and self.rests, _PATIENCE_S, "the room"
        )
        return self._code()

    def _code(self) -> str:
        codes = [match[1].replace(" ", "") for text in self.texts if (match := _CODE.search(text))]
        return codes[-1] if codes else ""

    async def step(self) -> None:
        """The stage reports the next moment."""
        self._steps += 1
        here = {
            "run": self.view()[0],
            "clock": 2.0 * self._steps,
            "round": self._steps,
            "index": self._steps,
            "phase": "draft",
            "fraction": 0.0,
            "playing": False,
            "pace": "slow",
        }
        lead = json.loads(self.components[PLAYER][1])["view"]["lead"]
        status, reply = await post(self._server, lead["address"], {**here, "secret": lead["secret"]}, self.cookie)
        assert status == 200, reply


async def gather(host: ClassroomHost, code: str, count: int) -> list[Follower]:
    """Let `count` followers enter this room; returns them when all see its stage."""
    followers = [Follower(number, host.address, code) for number in range(count)]

    async def join(number: int, follower: Follower) -> None:
        await asyncio.sleep(number / _A_SECOND)
        await follower.open()
        await follower.until(lambda: follower.slot("stage") is not None, _PATIENCE_S, "the presenter's stage")

    await asyncio.gather(*(join(number, follower) for number, follower in enumerate(followers)))
    return followers


async def step_all(presenter: Presenter, guests: Sequence[Follower], patience_s: float) -> list[float]:
    """Let the presenter step; returns the seconds until each follower had the new moment, without those who never had it."""
    before = {guest.number: guest.moment() for guest in guests}
    delays: dict[int, float] = {}
    began = monotonic()

    def news(guest: Follower) -> None:
        if guest.number not in delays and guest.moment() != before[guest.number]:
            delays[guest.number] = monotonic() - began

    for guest in guests:
        guest.news = news
    await presenter.step()
    while len(delays) < len(guests) and monotonic() - began < patience_s:
        await asyncio.sleep(0.02)
    for guest in guests:
        guest.news = lambda guest: None
    return list(delays.values())
