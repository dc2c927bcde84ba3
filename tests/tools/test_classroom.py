"""The classroom without browsers: what it measures is measured rightly."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.classroom.figures import ClassroomFigure, quantile
from tools.classroom.host import ClassroomHost
from tools.classroom.room import Presenter, gather, step_all


@pytest.mark.slow
def test_a_step_reaches_everybody(tmp_path: Path) -> None:
    """On a real server both followers have the presenter's step at once."""
    host = ClassroomHost(tmp_path, threads=1)
    host.start()

    async def visit() -> list[float]:
        presenter = Presenter(host.address)
        code = await presenter.open_room()
        guests = await gather(host, code, 2)
        await step_all(presenter, guests, 30.0)
        delays = await step_all(presenter, guests, 30.0)
        await asyncio.gather(presenter.close(), *(guest.close() for guest in guests))
        return delays

    try:
        with ThreadPoolExecutor(1) as thread:  # the loop of a browser's test can be in this one
            delays = thread.submit(lambda: asyncio.run(visit())).result()
    finally:
        host.end()
    assert len(delays) == 2
    assert max(delays) < 5.0


def test_quantiles_and_goals_by_hand() -> None:
    """The smallest value that so many do not exceed; a goal that is missed is not met, and without a value nothing is known."""
    assert quantile([3.0, 1.0, 2.0, 4.0], 0.5) == 2.0
    assert quantile(range(1, 101), 0.95) == 95
    assert quantile([], 0.5) is None
    assert ClassroomFigure("open", "x", 3.0, "s", 2.0).met is False
    assert ClassroomFigure("run", "x", 3.0, "s", 2.0, at_least=True).met is True
    assert ClassroomFigure("run", "x", None, "s", 2.0).met is None


@pytest.mark.parametrize("count", ["0", "-1", "many", "9999999999"])
def test_bad_numbers_of_visitors(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence with what was received."""
    from tools.classroom.__main__ import main

    with pytest.raises(SystemExit):
        main(["--count", count])
    assert count in capsys.readouterr().err
