"""What `specviz app` serves: the page, after its gate."""

import streamlit as st
from starlette.middleware import Middleware

from app import health
from app.gate import Gate
from specviz.decoding.drafters.registry import descriptions

descriptions()  # before the first visitors, who would all read the same files at once
app = st.App(
    "main.py",
    middleware=[Middleware(Gate, hosts=lambda: st.get_option("server.allowedHosts"), opens=health.opens)],
)
