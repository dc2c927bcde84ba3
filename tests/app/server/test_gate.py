"""What passes before the page: cookies, sockets, uploads, names, health; asked as a server asks, without one."""

from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app.server import gate, visitors
from app.server.gate import FILES, FILES_OF_PAGE, Gate, is_one_of
from app.server.visitors import MOST_OF_VISITOR, Visitors
from specviz.serving import hosting
from specviz.serving.hosting import Hosting

_PAGE = {"accept": "text/html,*/*"}


class _InnerApp:
    """What is behind the gate: it counts who comes, keeps sockets open, and keeps files of the open pages `a` to `z` until they are deleted."""

    def __init__(self) -> None:
        self.reached: list[str] = []
        self.sockets: list[str] = []
        self.files: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached.append(scope["path"])
        if scope["type"] == "websocket":
            self.sockets += [value.decode() for key, value in scope["headers"] if key.decode() == visitors.SOCKET]
            await send({"type": "websocket.accept"})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        *folders, page, name = scope["path"].split("/")
        taken = "upload_file" not in folders or len(page) == 1
        if scope["method"] == "DELETE":
            self.files.remove(page + name)
        elif taken:
            self.files.append(page + name)
        await send({"type": "http.response.start", "status": 200 if taken else 400, "headers": []})
        await send({"type": "http.response.body", "body": b"page"})


def _asker(app: Gate, base: str = "http://testserver", address: str = "192.0.2.1") -> TestClient:
    return TestClient(app, base_url=base, client=(address, 1))


def _cookie(app: Gate, path: str, base: str = "http://testserver", **headers: str) -> str:
    """The cookie that a page sets."""
    return str(_asker(app, base).get(path, headers=_PAGE | headers).headers.get("set-cookie", ""))


def test_a_browser_gets_a_cookie_of_its_own_that_no_script_can_read() -> None:
    """With the first page, another one each; not of another site's making, under https not without it, and once."""
    app = Gate(_InnerApp(), visitors_here=Visitors())
    cookies = [_cookie(app, path) for path in ("/", "/room")]
    assert cookies[0] != cookies[1]
    for cookie in cookies:
        value, *attributes = cookie.removeprefix(f"{visitors.COOKIE}=").split("; ")
        assert visitors.of(value) == value != ""
        assert attributes == ["Path=/", "HttpOnly", "SameSite=Lax"]
    assert _cookie(app, "/", "https://testserver").endswith("; SameSite=Lax; Secure")
    framed = _cookie(app, "/", "https://testserver", **{"sec-fetch-dest": "iframe"})
    assert framed.endswith("; SameSite=None; Partitioned; Secure")
    assert _cookie(app, "/", cookie=f"other=1; {cookies[0].split('; ')[0]}") == ""
    assert _cookie(app, "/_stcore/host-config", accept="*/*") == ""
    assert _cookie(app, "/", cookie=f"{visitors.COOKIE}=mine") != ""


def test_every_answer_says_what_a_browser_may_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guess what a file is, tell other sites the address, and show the page in a frame of a site that the host did not name."""
    monkeypatch.setenv(hosting.VARIABLE, Hosting(framed_by=("https://class.example",)).written())
    for path, headers in (("/", _PAGE), ("/files/x.js", {}), ("/rooms/A/events", {})):
        given = _asker(Gate(_InnerApp(), visitors_here=Visitors())).get(path, headers=headers).headers
        assert given["x-content-type-options"] == "nosniff"
        assert given["referrer-policy"] == "same-origin"
        assert given["content-security-policy"] == "frame-ancestors 'self' https://class.example"


def test_a_browser_has_so_many_open_pages() -> None:
    """Without a cookie of this server all are one visitor of their address. The next is refused before anything of the page is made, others notice
    nothing, and a closed one makes room. Whether its socket is open a page learns from a header that only this server gives: whoever sends one gets another."""
    own, inner, known = visitors.issued(), _InnerApp(), Visitors()
    app = Gate(inner, visitors_here=known)
    with ExitStack() as sockets:

        def opens(cookie: str = "", address: str = "192.0.2.1") -> None:
            headers = {"cookie": f"{visitors.COOKIE}={cookie}", visitors.SOCKET: "mine", "x-more": "1"}
            sockets.enter_context(_asker(app, address=address).websocket_connect("/_stcore/stream", headers=headers))

        for number in range(MOST_OF_VISITOR):
            opens(f"{number:048x}")
        with pytest.raises(WebSocketDisconnect) as refused:
            opens()
        assert refused.value.code == 1013
        opens(own)
        opens(address="192.0.2.2")
        assert len(inner.reached) == MOST_OF_VISITOR + 2
        assert known.address_of(own) == "192.0.2.1"
        assert len({*inner.sockets}) == len(inner.sockets) == MOST_OF_VISITOR + 2
        assert "mine" not in inner.sockets
        assert all(map(known.is_open, ["", *inner.sockets]))
    assert not any(map(known.is_open, inner.sockets))
    assert known.fits("", "192.0.2.1")
    assert not vars(known)["_open"]


def _put(app: Gate, page: str, name: str = "x") -> tuple[int, str]:
    answer = _asker(app).put(f"/_stcore/upload_file/{page}/{name}")
    return answer.status_code, answer.text


def test_few_uploaded_files_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's oldest one goes for a new one; where all pages have too many, one sentence says so, and nothing is read; after a while all go. What
    Streamlit does not take is not counted. A classroom takes none at all, and not the first megabyte of one either."""
    now, inner = 0.0, _InnerApp()
    monkeypatch.setattr(gate, "monotonic", lambda: now)
    app = Gate(inner, visitors_here=Visitors())
    for number in range(10):
        assert _put(app, "a", str(number))[0] == 200
        assert len(inner.files) <= FILES_OF_PAGE
    assert inner.files == ["a7", "a8", "a9"]
    for number in range(2 * FILES):
        assert _put(app, "nobody", str(number))[0] == 400
    for page in "bcdef":
        assert _put(app, page)[0] == 200
    status, said = _put(app, "g")
    assert (status, said.split(":")[0]) == (403, "This server has as many uploaded files as it takes")
    assert len(inner.files) == FILES
    now = gate.FILE_S + 1
    assert _put(app, "g")[0] == 200
    assert inner.files == ["gx"]
    assert _put(Gate(inner, visitors_here=Visitors()), "unknown-page/more") == (400, "page"), "Streamlit answers"
    inner.reached.clear()
    monkeypatch.setenv(hosting.VARIABLE, Hosting(("embedded",)).written())
    assert _put(Gate(inner, visitors_here=Visitors()), "a")[0] == 403
    assert inner.reached == []


def test_a_page_under_another_sites_name_is_refused_in_a_sentence() -> None:
    """Its scripts could else use this server as their own site. Nothing of the page is sent, and no cookie."""
    inner = _InnerApp()
    app = Gate(inner, visitors_here=Visitors(), hosts=lambda: ["localhost", "127.0.0.1", "::1"])
    for name in ("localhost:8501", "127.0.0.1", "[::1]:8501", "LOCALHOST."):
        assert _asker(app).get("/", headers={**_PAGE, "host": name}).status_code == 200
    for name in ("evil.example:8501", "", "localhost.evil.example", "[", "127.0.0.1.evil.example:8501"):
        answer = _asker(app).get("/", headers={**_PAGE, "host": name})
        assert (answer.status_code, answer.headers.get("set-cookie")) == (403, None)
        assert repr(name) in answer.text
        assert "--allow-host" in answer.text
    assert is_one_of("a.example.com:1", ["*.example.com"])
    assert not is_one_of("example.com.evil", ["*.example.com"])
    assert is_one_of("anything", ["*"])
