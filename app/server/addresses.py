"""The server's own addresses: their beginning, and the visitor of a request."""

import streamlit as st
from starlette.requests import Request

from app.server import visitors


def base() -> str:
    """The path with which every path of this server begins; "" where it is at the root of its address."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def who(request: Request) -> tuple[str, str]:
    """The visitor, "" where the browser sends no cookie, and the address."""
    visitor = visitors.of(request.cookies.get(visitors.COOKIE, ""))
    return visitor, visitors.network(request.client.host if request.client else "")
