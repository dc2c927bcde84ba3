"""Addresses of earlier versions: each leads to where its content is now, with its parameters. Makes no Streamlit call but for what the process
has once."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from app.classroom import rooms
from app.server.addresses import base, who
from app.state.address import ROOM_CODE, TEACH

_BUGS = "audit", {"part": "bugs"}
_MOVED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "watch": ("", {}),
    "runs": ("", {"runs": "none"}),
    "zoo": _BUGS,
    "bug-zoo": _BUGS,
    "lab": ("compare", {}),
}
"""The path of before; the path of now, and the parameters that it has there, where the address has none of these names."""


def routes(root: str) -> list[Route]:
    """The routes of earlier versions.

    Args:
        root: what every path of the server begins with.
    """
    return [*(Route(f"{root}/{path}", _moved) for path in _MOVED), Route(f"{root}/room", _room)]


async def _moved(request: Request) -> RedirectResponse:
    path, defaults = _MOVED[request.url.path.rpartition("/")[2]]
    query = dict(request.query_params)
    return _to(path, query if "guess" in query else {**defaults, **query})


async def _room(request: Request) -> RedirectResponse:
    """A presenter teaches; somebody of the audience gets the room's own page."""
    query = dict(request.query_params)
    code = query.pop(ROOM_CODE, "")
    led = rooms.server_rooms().led_by(who(request)[0])
    if not code or (led is not None and led.code == code):
        return _to("", {**query, TEACH: "1"})
    return _to(f"join/{quote(code, safe='')}", {})


def _to(path: str, query: Mapping[str, str]) -> RedirectResponse:
    return RedirectResponse(f"{base()}/{path}" + (f"?{urlencode(query)}" if query else ""))
