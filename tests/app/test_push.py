"""What is pushed: each page that shows it is rendered again, once, when it is ready, and no page twice or for nothing."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from app.push import AT_ONCE, Pushes

from tools.classroom.figures import Figure, quantile
from tools.classroom.host import Host
from tools.classroom.room import Presenter, gather, step_all


@dataclass(frozen=True)
class Shown:
    session: str
    name: str = "part"


@dataclass
class Server:
    """Open pages in one thread with a clock of its own."""

    now: float = 0.0
    gone: set[str] = field(default_factory=set)
    busy: set[str] = field(default_factory=set)
    rendered: list[Shown] = field(default_factory=list)
    waiting: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        self.waiting.append((self.now + seconds, do))

    def is_there(self, part: Shown) -> bool:
        return part.session not in self.gone

    def is_busy(self, session: str) -> bool:
        return session in self.busy

    def render(self, part: Shown) -> None:
        self.rendered.append(part)
        self.busy.add(part.session)

    def wait(self, seconds: float) -> None:
        """Time passes; what was rendered has been sent after it."""
        until = self.now + seconds
        while due := [one for one in self.waiting if one[0] <= until]:
            first = min(due, key=lambda one: one[0])
            self.waiting.remove(first)
            self.now = max(self.now, first[0])
            first[1]()
        self.now = until


def pushes(server: Server, count: int) -> Pushes[Shown]:
    found = Pushes[Shown](server, clock=lambda: server.now)
    for number in range(count):
        found.shows("room", Shown(str(number)))
    return found


def test_everybody_hears_and_a_few_at_a_time() -> None:
    """Never more than so many pages are rendered together; in the end each was, once."""
    server = Server()
    push = pushes(server, 20)
    push.push("room")
    push.push("another room")
    for _ in range(40):
        server.wait(0.01)
        assert len(server.busy) <= AT_ONCE
        server.busy.clear()
    assert sorted(int(each.session) for each in server.rendered) == list(range(20))


def test_a_busy_page_comes_later_and_pushes_meanwhile_are_one() -> None:
    """A push is never mixed with what a visitor does; what came while it waited is in it."""
    server = Server(busy={"0"})
    push = pushes(server, 2)
    for _ in range(3):
        push.push("room")
        server.wait(0.1)
        server.busy.discard("1")
    assert server.rendered == [Shown("1")] * 3
    server.busy.clear()
    server.wait(0.1)
    assert server.rendered[3:] == [Shown("0")]


def test_pushes_that_may_wait_are_apart() -> None:
    """Ten votes in a second are two pushes: the first at once, and one that has all the others."""
    server = Server()
    push = pushes(server, 1)
    for _ in range(10):
        push.push("room", apart_s=2.0)
        server.wait(0.1)
        server.busy.clear()
    assert len(server.rendered) == 1
    server.wait(2.0)
    assert len(server.rendered) == 2
    server.busy.clear()
    server.wait(5.0)
    assert len(server.rendered) == 2


def test_what_is_urgent_does_not_wait_for_what_may_wait() -> None:
    """A step goes out at once although a push of votes is put off, and that one still comes."""
    server = Server()
    push = pushes(server, 1)
    for _ in range(2):
        push.push("room", apart_s=2.0)
        server.wait(0.1)
        server.busy.clear()
    assert len(server.rendered) == 1
    push.push("room")
    server.wait(0.1)
    server.busy.clear()
    assert len(server.rendered) == 2
    server.wait(3.0)
    assert len(server.rendered) == 3


def test_a_page_that_is_gone_is_forgotten() -> None:
    """It is not rendered, and holds up nobody."""
    server = Server(gone={"0"})
    push = pushes(server, 2)
    push.push("room")
    server.wait(0.1)
    assert server.rendered == [Shown("1")]
    server.gone.clear()
    server.busy.clear()
    push.push("room")
    server.wait(0.1)
    assert server.rendered == [Shown("1")] * 2


def test_a_step_is_pushed(tmp_path: Path) -> None:
    """On a real server both followers have the presenter's step long before a page without pushes would look for it."""
    host = Host(tmp_path, threads=1)
    host.start()

    async def visit() -> list[float]:
        presenter = Presenter(host.address)
        code = await presenter.open_room()
        guests = await gather(host, code, 2)
        await step_all(presenter, guests, 30.0)
        delays = await step_all(presenter, guests, 30.0)
        await asyncio.gather(*(guest.close() for guest in (presenter, *guests)))
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
    assert Figure("open", "x", 3.0, "s", 2.0).met is False
    assert Figure("run", "x", 3.0, "s", 2.0, at_least=True).met is True
    assert Figure("run", "x", None, "s", 2.0).met is None


@pytest.mark.parametrize("count", ["0", "-1", "many", "9999999999"])
def test_bad_numbers_of_visitors(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence with what was received."""
    from tools.classroom.__main__ import main

    with pytest.raises(SystemExit):
        main(["--count", count])
    assert count in capsys.readouterr().err
