"""The classroom without browsers: what it measures is measured rightly."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost, classroom
from tools.classroom.room import Presenter, gather, step_all

_PATIENCE_S = 120.0  # as in the tests with a browser


@pytest.mark.rare
def test_a_step_reaches_everybody(tmp_path: Path) -> None:
    """On a real server both followers have the presenter's step at once; a run has only its part of Watch rendered, and keeps the address."""

    async def visit(host: ClassroomHost) -> list[float]:
        await _run_twice(host)
        presenter = Presenter(host.address)
        code = await presenter.open_room()
        guests = await gather(host, code, 2)
        await step_all(presenter, guests, 30.0)
        delays = await step_all(presenter, guests, 30.0)
        await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
        return delays

    with classroom(tmp_path, threads=1) as host, ThreadPoolExecutor(1) as thread:
        delays = thread.submit(
            lambda: asyncio.run(visit(host))
        ).result()  # the loop of a browser's test can be in this thread
    assert len(delays) == 2
    assert max(delays) < 5.0


async def _run_twice(host: ClassroomHost) -> None:
    guest = Guest(3, host.address, "prompt=A&max_new_tokens=4&temperature=0.5")
    try:
        await guest.open()
        await guest.until(lambda: guest.rests and "Run" in guest.buttons, _PATIENCE_S, "the page")
        for _ in range(2):
            rendered = await _run(guest)
        assert guest.shown_by, "with a pair that is loaded, only what is between sidebar and drawer"
        assert "" not in rendered, "at no time the whole page"
        assert "temperature=0.5" in guest.query, "of the sidebar, which was not rendered"
    finally:  # an open socket would be another test's warning
        await guest.close()


async def _run(guest: Guest) -> list[str]:
    """Run until its end is on the page; returns the parts that were rendered meanwhile. The end can come while its beginning is rendered."""
    before, run = len(guest.rendered), guest.run
    await guest.press("Run")
    await guest.until(lambda: guest.run is not run, _PATIENCE_S, "a run")
    await guest.until(lambda: guest.ended and guest.rests, _PATIENCE_S, "its end")
    return guest.rendered[before:]
