"""The server's own addresses: their beginning, the visitor of a request, and the address by which other machines reach the server."""

import socket
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import HTTPConnection

from app.server import visitors

_HERE = ("localhost", "::1")
_ALL = ("", "0.0.0.0", "::")  # noqa: S104  # what the server was told, not what this module opens
HERE_ALONE = "Others cannot reach this address: the server listens to this machine alone. Start it with “specviz app --classroom”."


def base() -> str:
    """The path with which every path of this server begins; "" where it is at the root of its address."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def who(request: HTTPConnection) -> tuple[str, str]:
    """The visitor, "" where the browser sends no cookie, and the address; behind a proxy that this machine trusts, the one it names."""
    visitor = visitors.of(request.cookies.get(visitors.COOKIE, ""))
    return visitor, visitors.network(request.client.host if request.client else "")


def own_address() -> str:
    """This machine's address in its network; "" where it has none. Nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address of documentation: only the route to it is looked up
        address = str(probe.getsockname()[0])
        return "" if address.startswith(("127.", "0.")) else address
    return ""


def for_others(address: str, listens: str, own: Callable[[], str] = own_address) -> str | None:
    """The address of a page for other machines; None where they cannot reach it. `listens`: the address that the server
    was told to listen to; "" for all of them."""
    parts = urlsplit(address)
    if parts.hostname is None or not (parts.hostname in _HERE or parts.hostname.startswith("127.")):
        return address
    host = own() if listens in _ALL else ""
    if not host:
        return None
    return parts._replace(netloc=host if parts.port is None else f"{host}:{parts.port}").geturl()
