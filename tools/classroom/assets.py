"""What a browser with an empty cache fetches before the page can speak: the document and the files that it names."""

import asyncio
import re
from urllib.parse import urlsplit

_NAMED = re.compile(r'(?:src|href)="\./(static/[^"]+)"')
_CONNECTIONS = 6
"""As many as a browser opens to one server."""


async def fetch(server: str) -> int:
    """Fetch them all; returns the bytes that came."""
    host = urlsplit(server).netloc
    page = await _get(host, ["/"])
    names = [f"/{name}" for name in dict.fromkeys(_NAMED.findall(page[0].decode(errors="replace")))]
    shares = [names[start::_CONNECTIONS] for start in range(_CONNECTIONS)]
    files = await asyncio.gather(*(_get(host, share) for share in shares if share))
    return len(page[0]) + sum(len(body) for share in files for body in share)


async def _get(host: str, paths: list[str]) -> list[bytes]:
    """Bodies of these paths, one after the other on one connection."""
    name, port = host.split(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    bodies = []
    try:
        for path in paths:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            assert head.split(" ")[1] == "200", f"{path} came with {head.splitlines()[0]!r}"
            length = re.search(r"content-length: (\d+)", head)
            assert length is not None, f"{path} came without its length"
            bodies.append(await reader.readexactly(int(length[1])))
    finally:
        writer.close()
    return bodies
