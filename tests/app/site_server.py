"""A plain file server for a built site, as any static host is one."""

import gzip
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


class _Compressing(_Quiet):
    """Sends text in gzip, as GitHub Pages and most hosts do."""

    def send_head(self) -> Any:
        path = Path(self.translate_path(self.path))
        if path.suffix not in (".html", ".js", ".css", ".svg"):
            return super().send_head()
        packed = gzip.compress(path.read_bytes())
        self.send_response(200)
        for name, value in (
            ("Content-Type", self.guess_type(path)),
            ("Content-Encoding", "gzip"),
            ("Content-Length", len(packed)),
        ):
            self.send_header(name, str(value))
        self.end_headers()
        return io.BytesIO(packed)


@contextmanager
def serving(folder: Path, *, compressing: bool = False) -> Iterator[str]:
    """The address of a folder, with a slash at its end."""
    kind = _Compressing if compressing else _Quiet
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
