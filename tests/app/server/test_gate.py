"""What passes before the page: cookies, sockets, uploads, names, health; asked as a server asks, without one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.server import gate, visitors
from app.server.gate import FILES, FILES_OF_PAGE, Gate, is_one_of
from app.server.visitors import MOST_OF_VISITOR, Visitors
from specviz.serving import hosting
from specviz.serving.hosting import Hosting

_PAGE = {"accept": "text/html,*/*"}


class _Behind:
    """What is behind the gate: it counts who comes, and keeps sockets until they may go."""

    def __init__(self) -> None:
        self.reached: list[str] = []
        self.go = asyncio.Event()
        self.holds = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached.append(scope["path"])
        if self.holds or scope["type"] == "websocket":
            await self.go.wait()
        if scope["type"] != "websocket":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"x-page", b"1")]})
            await send({"type": "http.response.body", "body": b"page"})


def _scope(path: str, headers: dict[str, str], **more: Any) -> dict[str, Any]:
    coded = [(name.encode(), value.encode()) for name, value in headers.items()]
    usual = {"type": "http", "method": "GET", "scheme": "http", "client": ("192.0.2.1", 1), "query_string": b""}
    return {**usual, "path": path, "headers": coded, **more}


def _run(asking: Coroutine[Any, Any, Any]) -> Any:
    """In a thread of its own, because the loop of a browser's test can be in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asking).result()


async def _ask(
    app: Gate, path: str, headers: dict[str, str] = _PAGE, *, heard: list[Any] | None = None, **more: Any
) -> tuple[int, str, str]:
    """Status, body and the cookie that is set."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(_scope(path, headers, **more), receive, send)
    start, *rest = sent
    if heard is not None:
        heard += start["headers"]
    given = dict(start.get("headers", ())).get(b"set-cookie", b"").decode()
    return start.get("status", start.get("code")), b"".join(each.get("body", b"") for each in rest).decode(), given


def test_a_browser_gets_a_cookie_of_its_own_that_no_script_can_read() -> None:
    """With the first page, another one each; not of another site's making, under https not without it, and once."""
    app = Gate(_Behind(), visitors_here=Visitors())
    cookies = [_run(_ask(app, path))[2] for path in ("/", "/room")]
    assert cookies[0] != cookies[1]
    for cookie in cookies:
        value, *attributes = cookie.removeprefix(f"{visitors.COOKIE}=").split("; ")
        assert visitors.of(value) == value != ""
        assert attributes == ["Path=/", "HttpOnly", "SameSite=Lax"]
    *_, safe = _run(_ask(app, "/", scheme="https"))
    assert safe.endswith("; SameSite=Lax; Secure")
    *_, framed = _run(_ask(app, "/", {**_PAGE, "sec-fetch-dest": "iframe"}, scheme="https"))
    assert framed.endswith("; SameSite=None; Partitioned; Secure")
    known = {"cookie": f"other=1; {cookies[0].split('; ')[0]}"}
    assert _run(_ask(app, "/", _PAGE | known))[2] == ""
    assert _run(_ask(app, "/_stcore/host-config", {}))[2] == ""
    assert _run(_ask(app, "/", _PAGE | {"cookie": f"{visitors.COOKIE}=mine"}))[2] != ""


def test_every_answer_says_what_a_browser_may_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guess what a file is, tell other sites the address, and show the page in a frame of a site that the host did not name."""
    monkeypatch.setenv(hosting.VARIABLE, Hosting(framed_by=("https://class.example",)).written())
    for path, headers in (("/", _PAGE), ("/files/x.js", {}), ("/rooms/A/events", {})):
        given: list[tuple[bytes, bytes]] = []
        _run(_ask(Gate(_Behind(), visitors_here=Visitors()), path, headers, heard=given))
        assert {
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"same-origin"),
            (b"content-security-policy", b"frame-ancestors 'self' https://class.example"),
        } <= set(given)


def test_a_browser_has_so_many_open_pages() -> None:
    """Without a cookie of this server all are one visitor of their address. The next is refused before anything of the page is made, others notice
    nothing, and a closed one makes room."""
    own = visitors.issued()

    async def crowd() -> None:
        behind, known = _Behind(), Visitors()
        behind.holds = True
        app = Gate(behind, visitors_here=known)

        def opened(headers: dict[str, str] | None = None, **more: Any) -> asyncio.Task[tuple[int, str, str]]:
            return asyncio.create_task(_ask(app, "/_stcore/stream", headers or {}, type="websocket", **more))

        tasks = [opened({"cookie": f"{visitors.COOKIE}={number:048x}"}) for number in range(MOST_OF_VISITOR)]
        await asyncio.sleep(0)
        assert (await opened())[:2] == (1013, "")
        tasks.append(opened({"cookie": f"{visitors.COOKIE}={own}"}))
        tasks.append(opened(client=("192.0.2.2", 1)))
        await asyncio.sleep(0)
        assert len(behind.reached) == MOST_OF_VISITOR + 2
        assert known.address_of(own) == "192.0.2.1"
        behind.go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert known.fits("", "192.0.2.1")
        assert not vars(known)["_open"]

    _run(crowd())


def _put(app: Gate, page: str, name: str = "x") -> tuple[int, str]:
    status, said, _ = _run(_ask(app, f"/_stcore/upload_file/{page}/{name}", {}, method="PUT"))
    return status, said


class _Storage:
    """What Streamlit does with files: it keeps them until they are deleted, and takes them from the open pages `a` to `z`."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        *_, page, name = scope["path"].split("/")
        taken = len(page) == 1
        if scope["method"] == "DELETE":
            self.kept.remove(f"{page}{name}")
        elif taken:
            self.kept.append(f"{page}{name}")
        await send({"type": "http.response.start", "status": 200 if taken else 400, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def test_few_uploaded_files_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's oldest one goes for a new one; where all pages have too many, one sentence says so, and nothing is read; after a while all go. What
    Streamlit does not take is not counted."""
    now, behind = 0.0, _Storage()
    monkeypatch.setattr(gate, "monotonic", lambda: now)
    app = Gate(behind, visitors_here=Visitors())
    for number in range(10):
        assert _put(app, "a", str(number))[0] == 200
        assert len(behind.kept) <= FILES_OF_PAGE
    assert behind.kept == ["a7", "a8", "a9"]
    for number in range(2 * FILES):
        assert _put(app, "nobody", str(number))[0] == 400
    for page in "bcdef":
        assert _put(app, page)[0] == 200
    status, said = _put(app, "g")
    assert (status, said.split(":")[0]) == (403, "This server has as many uploaded files as it takes")
    assert len(behind.kept) == FILES
    now = gate.FILE_S + 1
    assert _put(app, "g")[0] == 200
    assert behind.kept == ["gx"]
    assert _put(Gate(_Behind(), visitors_here=Visitors()), "unknown-page/more") == (200, "page"), (
        "no upload: Streamlit answers"
    )


def test_a_page_learns_whether_its_socket_is_open() -> None:
    """From a header that only this server gives: whoever sends one gets another."""

    async def pages() -> None:
        known, given, go = Visitors(), list[str](), asyncio.Event()

        async def behind(scope: Any, receive: Any, send: Any) -> None:
            found = [value.decode() for key, value in scope["headers"] if key.decode() == visitors.SOCKET]
            given.extend(found)
            await go.wait()

        app = Gate(behind, visitors_here=known)
        own = {visitors.SOCKET: "mine", "x-more": "1"}
        tasks = [asyncio.create_task(app(_scope("/_stcore/stream", own, type="websocket"), None, None)) for _ in "ab"]  # type: ignore[arg-type]
        await asyncio.sleep(0)
        assert len({*given}) == len(given) == 2
        assert "mine" not in given
        assert all(map(known.is_open, given))
        assert known.is_open("")
        go.set()
        await asyncio.gather(*tasks)
        assert not any(map(known.is_open, given))

    _run(pages())


def test_a_classroom_takes_no_file_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the first megabyte of one either."""
    monkeypatch.setenv(hosting.VARIABLE, Hosting(("embedded",)).written())
    behind = _Behind()
    assert _put(Gate(behind, visitors_here=Visitors()), "a")[0] == 403
    assert behind.reached == []


def test_a_page_under_another_sites_name_is_refused_in_a_sentence() -> None:
    """Its scripts could else use this server as their own site. Nothing of the page is sent, and no cookie."""
    behind = _Behind()
    app = Gate(behind, visitors_here=Visitors(), hosts=lambda: ["localhost", "127.0.0.1", "::1"])
    for name in ("localhost:8501", "127.0.0.1", "[::1]:8501", "LOCALHOST."):
        assert _run(_ask(app, "/", {**_PAGE, "host": name}))[0] == 200
    for name in ("evil.example:8501", "", "localhost.evil.example", "[", "127.0.0.1.evil.example:8501"):
        status, said, cookie = _run(_ask(app, "/", {**_PAGE, "host": name}))
        assert (status, cookie) == (403, "")
        assert repr(name) in said
        assert "--allow-host" in said
    assert is_one_of("a.example.com:1", ["*.example.com"])
    assert not is_one_of("example.com.evil", ["*.example.com"])
    assert is_one_of("anything", ["*"])
