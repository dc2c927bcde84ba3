"""Files that a browser fetches once: a file's address has its hash in it, so that a new version has another one. Makes no Streamlit call."""

import gzip
import hashlib
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


# By name: the content, the same packed, and its kind.
_kept: dict[str, tuple[bytes, bytes, str]] = {}


def publish(name: str, text: str) -> str:
    """Offer a file from now on; its path below the server's own address. `name`: with the ending of a kind that is
    served."""
    content, path = text.encode(), PurePosixPath(name)
    hashed = f"{path.stem}-{hashlib.sha256(content).hexdigest()[:16]}{path.suffix}"
    if hashed not in _kept:
        _kept[hashed] = content, gzip.compress(content, mtime=0), _KINDS[path.suffix]
    return FOLDER + hashed


async def _fetch(request: Request) -> Response:
    file = _kept.get(request.path_params["name"])
    if file is None:
        return PlainTextResponse("There is no such file: load the page again.", 404)
    content, packed, kind = file
    headers = {"content-type": kind, "cache-control": _FOR_GOOD, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers={**headers, "content-encoding": "gzip"})
    return Response(content, headers=headers)


ROUTES = [Route(f"{FOLDER}{{name}}", _fetch, methods=["GET"])]
