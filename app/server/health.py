"""The server's health at `/healthz`: checks that the page opens. Makes no Streamlit call."""

import asyncio
import threading
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

_ANSWER_S = 2.0
_checks: list[Callable[[float], bool]] = []


def watch(check: Callable[[float], bool]) -> None:
    """From now on the page opens only where this holds; it gets the seconds within which it must answer."""
    _checks.append(check)


def opens() -> bool:
    """Check that everything that a page needs answers; before the first page that is nothing."""
    return all(check(_ANSWER_S) for check in _checks)


def routes(base: str) -> list[Route]:
    """Where the health is asked for.

    Args:
        base: what every path of the server begins with.
    """

    async def healthy(request: Request) -> Response:
        well = await asyncio.to_thread(opens)
        return PlainTextResponse("ok" if well else "The page does not open.", 200 if well else 503)

    return [Route(f"{base}/healthz", healthy, methods=["GET"])]


def is_free(lock: threading.RLock, seconds: float) -> bool:
    """Check that a lock gets free within so long."""
    free = lock.acquire(timeout=seconds)
    if free:
        lock.release()
    return free
