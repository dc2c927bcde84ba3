"""What passes before the page: cookies, sockets, uploads, names, health; asked as a server asks, without one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from app import gate, health, visitors
from app.gate import FILES, FILES_OF_PAGE, Gate, is_one_of
from app.visitors import MOST_OF_VISITOR, Visitors
from specviz import hosting
from specviz.hosting import Hosting

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
    app = Gate(_Behind(), known=Visitors())
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
        _run(_ask(Gate(_Behind(), known=Visitors()), path, headers, heard=given))
        assert {
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"same-origin"),
            (b"content-security-policy", b"frame-ancestors 'self' https://class.example"),
        } <= set(given)


def test_who_follows_events_counts_as_an_open_page() -> None:
    """One browser has so many of them at a time; the next gets a sentence, and others notice nothing."""

    async def crowd() -> None:
        behind, known = _Behind(), Visitors()
        behind.holds = True
        app = Gate(behind, known=known)

        def follow(**more: Any) -> asyncio.Task[tuple[int, str, str]]:
            return asyncio.create_task(_ask(app, "/rooms/A/events", {}, **more))

        tasks = [follow() for _ in range(MOST_OF_VISITOR)]
        await asyncio.sleep(0)
        status, said, _ = await follow()
        assert (status, said) == (503, visitors.FULL)
        tasks.append(follow(client=("192.0.2.2", 1)))
        await asyncio.sleep(0)
        assert len(behind.reached) == MOST_OF_VISITOR + 1
        behind.go.set()
        await asyncio.gather(*tasks)
        assert not vars(known)["_open"]

    _run(crowd())


def test_sockets_without_a_cookie_are_one_visitor_of_their_address() -> None:
    """More of them are closed before anything of the page is made; others come, and a closed one makes room."""

    async def crowd() -> None:
        behind, known = _Behind(), Visitors()
        app = Gate(behind, known=known)

        def socket(**more: Any) -> asyncio.Task[tuple[int, str, str]]:
            return asyncio.create_task(_ask(app, "/_stcore/stream", more.pop("headers", {}), type="websocket", **more))

        tasks = [socket() for _ in range(MOST_OF_VISITOR)]
        await asyncio.sleep(0)
        assert await socket() == (1013, "", "")
        tasks.append(socket(headers={"cookie": f"{visitors.COOKIE}={'0' * 48}"}))
        tasks.append(socket(client=("192.0.2.2", 1)))
        await asyncio.sleep(0)
        assert len(behind.reached) == MOST_OF_VISITOR + 2
        assert known.address_of("0" * 48) == "192.0.2.1"
        behind.go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert known.fits("", "192.0.2.1")
        assert not vars(known)["_open"]

    _run(crowd())


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> MemoryUploadedFileManager:
    """The uploaded files of a server with the open pages `a` to `z`."""
    kept = MemoryUploadedFileManager("/upload")
    server = SimpleNamespace(uploaded_file_mgr=kept, is_active_session=lambda name: len(name) == 1)
    monkeypatch.setattr(gate, "exists", lambda: True)
    monkeypatch.setattr(gate, "get_instance", lambda: server)
    return kept


def _put(app: Gate, page: str, name: str = "x") -> tuple[int, str]:
    status, said, _ = _run(_ask(app, f"/_stcore/upload_file/{page}/{name}", {}, method="PUT"))
    return status, said


def test_files_are_taken_from_open_pages_and_few_are_kept(files: MemoryUploadedFileManager) -> None:
    """A page's oldest one goes for a new one; where all pages have too many, one sentence says so, and nothing is read."""
    app = Gate(_Behind(), known=Visitors())
    assert _put(app, "nobody") == (403, "A file is uploaded from an open page: open this server's page first.")
    for number in range(10):
        assert _put(app, "a", str(number)) == (200, "page")
        files.add_file("a", UploadedFileRec(str(number), "x", "text/plain", b"x"))
        assert len(files.file_storage["a"]) <= FILES_OF_PAGE
    assert [*files.file_storage["a"]] == ["7", "8", "9"]
    for number in range(FILES):
        files.add_file("b", UploadedFileRec(str(number), "x", "text/plain", b"x"))
    status, said = _put(app, "c")
    assert (status, said.split(":")[0]) == (403, "This server has as many uploaded files as it takes")
    assert _put(app, "unknown-page/more") == (200, "page"), "no upload: Streamlit answers"


def test_a_classroom_takes_no_file_at_all(files: MemoryUploadedFileManager, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the first megabyte of one either."""
    monkeypatch.setenv(hosting.VARIABLE, Hosting(("embedded",)).written())
    behind = _Behind()
    assert _put(Gate(behind, known=Visitors()), "a")[0] == 403
    assert behind.reached == []


def test_a_page_under_another_sites_name_is_refused_in_a_sentence() -> None:
    """Its scripts could else use this server as their own site. Nothing of the page is sent, and no cookie."""
    behind = _Behind()
    app = Gate(behind, known=Visitors(), hosts=lambda: ["localhost", "127.0.0.1", "::1"])
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


def test_health_means_that_pages_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server whose queue does not answer is not healthy."""
    monkeypatch.setattr(health, "_checks", [])
    behind = _Behind()
    app = Gate(behind, known=Visitors(), opens=health.opens)
    assert _run(_ask(app, "/_stcore/health", {}))[0] == 200
    health.watch(lambda seconds: True)
    assert _run(_ask(app, "/base/_stcore/health", {}))[0] == 200
    health.watch(lambda seconds: False)
    assert _run(_ask(app, "/base/_stcore/health", {}))[0] == 503
    assert len(behind.reached) == 2


def test_what_is_asked_for_below_a_page_is_no_error() -> None:
    """The page of `/learn` asks for the server's health below `/learn` first. Where nothing is there, the answer is no error."""

    async def page(scope: Any, receive: Any, send: Any) -> None:
        there = scope["path"].startswith("/_stcore/") or scope["path"] == "/else"
        await send(
            {"type": "http.response.start", "status": 200 if there else 404, "headers": [(b"content-length", b"4")]}
        )
        await send({"type": "http.response.body", "body": b"page"})

    app = Gate(page, known=Visitors(), opens=lambda: True)
    for name in ("health", "host-config"):
        for headers, missing in (({"sec-fetch-mode": "cors"}, (304, "")), ({}, (404, "page"))):
            assert _run(_ask(app, f"/learn/_stcore/{name}", headers))[:2] == missing, (
                "who watches the server's health is no browser"
            )
            assert _run(_ask(app, f"/_stcore/{name}", headers))[:2] == (200, "page")
    assert _run(_ask(app, "/learn/_stcore/other", {}))[:2] == (404, "page")
