"""The address by which other machines reach this server, where the browser of this machine came by localhost. Makes no Streamlit call."""

import socket
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

_HERE = ("localhost", "::1")
_ALL = ("", "0.0.0.0", "::")  # noqa: S104  # what the server was told, not what this module opens
HERE_ALONE = "Others cannot reach this address: the server listens to this machine alone. Start it with “specviz app --classroom”."


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
