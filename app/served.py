"""What `specviz app` serves: the page, after its gate."""

import streamlit as st
from starlette.middleware import Middleware

from app import health
from app.gate import Gate

app = st.App(
    "main.py",
    middleware=[Middleware(Gate, hosts=lambda: st.get_option("server.allowedHosts"), opens=health.opens)],
)
