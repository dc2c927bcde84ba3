"""The server: the page, the server's own addresses, and the gate before both. `specviz app` starts it, by `python -m app run app/main.py`."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from app.classroom import room_routes
from app.server import events, files, overload
from app.server.addresses import base
from app.server.gate import Gate
from app.server.presses import Presses
from app.server.shell import Shell
from app.stage import run_routes


@asynccontextmanager
async def _lifespan(server: st.App) -> AsyncIterator[None]:
    overload.open_more_files()
    logging.getLogger("asyncio").addFilter(overload.OnceAMinute())
    with events.ended_with_the_server():
        yield


_own = (*files.ROUTES, *run_routes.ROUTES, *room_routes.ROUTES)
app = st.App(
    "page.py",
    routes=[Route(f"{base()}{route.path}", route.endpoint, methods=route.methods) for route in _own],
    lifespan=_lifespan,
    middleware=[
        Middleware(Gate, hosts=lambda: st.get_option("server.allowedHosts")),
        Middleware(Shell),
        Middleware(Presses),
    ],
)
