"""The classroom without browsers: what it measures is measured rightly."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.classroom.host import ClassroomHost, classroom
from tools.classroom.room import Presenter, gather, step_all


@pytest.mark.rare
def test_a_step_reaches_everybody(tmp_path: Path) -> None:
    """On a real server both followers have the presenter's step at once."""

    async def visit(host: ClassroomHost) -> list[float]:
        presenter = Presenter(host.address)
        code = await presenter.open_room()
        guests = await gather(host, code, 2)
        await step_all(presenter, guests, 30.0)
        delays = await step_all(presenter, guests, 30.0)
        await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
        return delays

    with classroom(tmp_path) as host, ThreadPoolExecutor(1) as thread:
        delays = thread.submit(
            lambda: asyncio.run(visit(host))
        ).result()  # the loop of a browser's test can be in this thread
    assert len(delays) == 2
    assert max(delays) < 5.0
