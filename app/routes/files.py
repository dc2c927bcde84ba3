"""Files that a browser fetches once: a file's address has its hash in it, so that a new version has another one. Makes no Streamlit call."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

FOLDER = "/files/"
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_FOR_GOOD = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    kind: str


_kept: dict[str, _File] = {}


def publish(name: str, text: str) -> str:
    """Offer a file from now on; its path below the server's own address.

    Args:
        name: with the ending of a kind that is served.
    """
    content, path = text.encode(), PurePosixPath(name)
    hashed = f"{path.stem}-{hashlib.sha256(content).hexdigest()[:16]}{path.suffix}"
    _kept[hashed] = _File(content, _KINDS[path.suffix])
    return FOLDER + hashed


def routes(base: str) -> list[Route]:
    """Where they are fetched.

    Args:
        base: what every path of the server begins with; "" where it is at the root.
    """
    return [Route(f"{base}{FOLDER}{{name}}", _fetch, methods=["GET"])]


async def _fetch(request: Request) -> Response:
    found = _kept.get(request.path_params["name"])
    if found is None:
        return PlainTextResponse("There is no such file: load the page again.", 404)
    return Response(found.content, headers=headers(found.kind))


def headers(kind: str) -> Mapping[str, str]:
    """Of what never changes at its address."""
    return {"content-type": kind, "cache-control": _FOR_GOOD}
