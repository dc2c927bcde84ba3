"""A small server whose log grows by a number every 50 ms until `/end` is asked for, for the tests of the script that follows it:
`python -m tests.app.counting PORT FIRST`."""

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from app.server.events import EventSource, respond
from app.server.notifier import Notifier
from app.server.updates import LiveState
from tests.helpers.node import joined

_PAGE = """<!doctype html><title>counting</title><script src="/script"></script><script>
window.seen = [];
window.live = new inside.LiveEvents("/events", { tell: (known) => { window.seen = known.logs.numbers ?? []; window.over = known.over; } });
</script>"""


async def _page(_: Request) -> Response:
    return HTMLResponse(_PAGE)


async def _script(_: Request) -> Response:
    text = await asyncio.to_thread(joined, "inside", "shared/live_events")
    return Response(text, media_type="text/javascript")


def served(first: int) -> Starlette:
    """The numbers from `first` on, one after the other."""
    notifier, numbers = Notifier(), list[str]()
    over = False

    def state() -> LiveState:
        return LiveState(logs={"numbers": tuple(numbers)}, epoch=f"e{first}", over=over)

    @asynccontextmanager
    async def counting(_: Starlette) -> AsyncIterator[None]:
        async def count() -> None:
            for number in itertools.takewhile(lambda _: not over, itertools.count(first)):
                numbers.append(str(number))
                notifier.notify()
                await asyncio.sleep(0.05)

        task = asyncio.create_task(count())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def events(request: Request) -> Response:
        return await respond(request, EventSource(notifier, state))

    async def end(_: Request) -> Response:
        nonlocal over
        over = True
        notifier.notify()
        return JSONResponse(int(numbers[-1]))

    routes = [Route("/", _page), Route("/script", _script), Route("/events", events), Route("/end", end)]
    return Starlette(routes=routes, lifespan=counting)


if __name__ == "__main__":
    _port, _first = map(int, sys.argv[1:])
    uvicorn.run(served(_first), port=_port, log_level="error")
