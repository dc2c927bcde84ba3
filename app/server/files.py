"""Files that a browser fetches once: a file's address has its hash in it, so that a new version has another one. Makes no Streamlit call."""

import gzip
import hashlib
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
    """A file, and how it goes to a browser that unpacks it."""

    content: bytes
    packed: bytes
    kind: str


_kept: dict[str, _File] = {}


def publish(name: str, text: str) -> str:
    """Offer a file from now on; its path below the server's own address. `name`: with the ending of a kind that is
    served."""
    content, path = text.encode(), PurePosixPath(name)
    hashed = f"{path.stem}-{hashlib.sha256(content).hexdigest()[:16]}{path.suffix}"
    if hashed not in _kept:
        _kept[hashed] = _File(content, gzip.compress(content, mtime=0), _KINDS[path.suffix])
    return FOLDER + hashed


def routes(base: str) -> list[Route]:
    """Where they are fetched. `base`: what every path of the server begins with; "" where it is at the root."""
    return [Route(f"{base}{FOLDER}{{name}}", _fetch, methods=["GET"])]


async def _fetch(request: Request) -> Response:
    file = _kept.get(request.path_params["name"])
    if file is None:
        return PlainTextResponse("There is no such file: load the page again.", 404)
    headers = {"content-type": file.kind, "cache-control": _FOR_GOOD, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, headers={**headers, "content-encoding": "gzip"})
    return Response(file.content, headers=headers)
