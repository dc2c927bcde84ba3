"""Screens of version 1, by their addresses: each leads to the one that has its content now, with its parameters. Makes no Streamlit call."""

from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from app.server.addresses import base

_MOVED = {"watch": "", "runs": "", "zoo": "audit", "bug-zoo": "audit", "lab": "compare", "room": "join"}
"""The path of before, and the path of now."""


def _moved(request: Request) -> RedirectResponse:
    query = dict(request.query_params)
    path = _MOVED[request.url.path.rpartition("/")[2]]
    if path == "join":  # a room's page has its code in its path; a presenter's is Watch
        code = query.pop("code", "")
        path = f"join/{quote(code, safe='')}" if code else ""
    return RedirectResponse(f"{base()}/{path}" + (f"?{urlencode(query)}" if query else ""))


ROUTES = [Route(f"/{path}", _moved) for path in _MOVED]
