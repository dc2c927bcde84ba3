"""What is served: the page, the server's own addresses, and the gate before both. `streamlit run app/main.py` and `specviz app` start it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

from app import health
from app.gate import Gate
from app.routes import events, files, moved, rooms, runs
from app.routes.addresses import base
from app.shell import Shell


@asynccontextmanager
async def _life(server: st.App) -> AsyncIterator[None]:
    """From the server's start to its end."""
    with events.ended_with_the_server():
        yield


app = st.App(
    "page.py",
    routes=[route for each in (health, files, runs, rooms, moved) for route in each.routes(base())],
    lifespan=_life,
    middleware=[
        Middleware(Gate, hosts=lambda: st.get_option("server.allowedHosts"), opens=health.opens),
        Middleware(Shell),
    ],
)
