"""What is served: the page, the server's own addresses, and the gate before both. `streamlit run app/main.py` and `specviz app` start it."""

import streamlit as st
from starlette.middleware import Middleware

from app import health
from app.gate import Gate
from app.routes import bells, files, rooms, runs
from app.routes.addresses import base

app = st.App(
    "page.py",
    routes=[route for each in (health, files, bells, runs, rooms) for route in each.routes(base())],
    middleware=[Middleware(Gate, hosts=lambda: st.get_option("server.allowedHosts"), opens=health.opens)],
)
