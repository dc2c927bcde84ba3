"""A room over the server's own addresses: what a phone may, and what nobody may; without a browser and without Streamlit's page."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.classroom import polls, room, room_routes, rooms
from app.classroom.rooms import Rooms
from app.server import files, resources, visitors
from app.server.visitors import WRONG_CODES, Visitors
from tests.helpers.views import shipped_view

WHERE = {
    "run": "a",
    "clock": 1.0,
    "round": 1,
    "index": 1,
    "phase": "draft",
    "fraction": 0.0,
    "playing": False,
    "pace": "slow",
}


def browser() -> dict[str, str]:
    """The headers of another browser, which has this server's cookie."""
    return {"cookie": f"{visitors.COOKIE}={visitors.issued()}"}


class Class:
    """A room of "presenter", and a phone in it."""

    def __init__(self, known: Rooms, client: TestClient) -> None:
        self.rooms, self.client = known, client
        self.code = known.open("presenter").code
        self.phone = self.enter()

    def enter(self, **headers: str) -> str:
        answer = self.client.post(f"/rooms/{self.code}/enter", json={}, headers=headers or browser())
        assert answer.status_code == 200, answer.text
        return str(answer.json()["phone"])

    def post(self, what: str, **body: Any) -> tuple[int, str]:
        answer = self.client.post(f"/rooms/{self.code}/{what}", json=body)
        return answer.status_code, answer.text

    def told(self, phone: str | None = None) -> dict[str, Any]:
        """The first message of the room's events."""
        asked = {"phone": self.phone if phone is None else phone, "poll": "1"}
        answer = self.client.get(f"/rooms/{self.code}/events", params=asked)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()["message"]
        return found

    def ask(self) -> str:
        """A question; its name."""
        self.rooms.change(self.code, lambda now, when: room.ask(now, "presenter", polls.how_many(2), when))
        return str(self.told()["set"]["poll"]["id"])


@pytest.fixture
def lesson(monkeypatch: pytest.MonkeyPatch) -> Iterator[Class]:
    known = Rooms()
    jobs = SimpleNamespace(find=lambda name: None)
    monkeypatch.setattr(resources, "jobs", lambda: jobs)
    monkeypatch.setattr(rooms, "server_rooms", lambda: known)
    monkeypatch.setattr(room_routes, "HERE", Visitors())
    monkeypatch.setattr(visitors, "HERE", Visitors())
    app = Starlette(routes=[*room_routes.ROUTES, *files.ROUTES])
    with TestClient(app, raise_server_exceptions=True) as client:
        yield Class(known, client)


def test_the_page_of_an_audience_speaks_the_browsers_language(lesson: Class) -> None:
    """The one that the address names, else the browser's, with the address of its table; one that the page does not speak is English."""
    accepted = {"accept-language": "de-AT,de;q=0.9"}
    german = lesson.client.get(f"/join/{lesson.code}", headers=accepted).text
    assert '<html lang="de"' in german
    table = german.partition('data-words="')[2].partition('"')[0]
    assert lesson.client.get(table).json()["Join"] == "Beitreten"
    assert '<html lang="es"' in lesson.client.get("/join?lang=es", headers=accepted).text
    for other in ("/join?lang=xx", "/join"):
        assert '<html lang="en" data-base' in lesson.client.get(other, headers={"accept-language": "xx"}).text


def test_the_page_of_an_audience_is_small_and_names_all_it_needs(lesson: Class) -> None:
    """Script, style, given data and the words of another language are files that are kept for good; nothing in the page itself runs or styles; all together stays below 250 kB."""
    for language, files_named in (("en", 5), ("de", 6)):
        answer = lesson.client.get(f"/join/{lesson.code}?lang={language}")
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert lesson.client.get(f"/join?lang={language}").text == answer.text, "the code is in the address alone"
        named = {part for part in answer.text.replace("'", '"').split('"') if part.startswith("/files/")}
        assert len(named) == files_named
        total = len(answer.content)
        for path in named:
            found = lesson.client.get(path)
            assert "immutable" in found.headers["cache-control"]
            assert found.headers["content-encoding"] == "gzip"
            total += int(found.headers["content-length"])
        assert total < 250_000
    assert lesson.client.get("/files/other.js").status_code == 404
    assert lesson.client.get("/files/../app/main.py").status_code == 404


def test_one_phone_one_vote(lesson: Class) -> None:
    """Sent again it is the same vote; one for the question before does not count."""
    first = lesson.ask()
    for _ in range(3):
        assert lesson.post("vote", phone=lesson.phone, poll=first, choice=1)[0] == 200
    found = lesson.rooms.of(lesson.code)
    assert found is not None
    assert found.poll is not None
    assert found.poll.counts == (0, 1, 0)
    second = lesson.ask()
    status, said = lesson.post("vote", phone=lesson.phone, poll=first, choice=1)
    assert (status, said) == (400, "There is another question now: your vote did not count.")
    for wrong in ("1", True, None, 1.0, [1]):
        assert lesson.post("vote", phone=lesson.phone, poll=second, choice=wrong)[0] == 400
    assert lesson.post("vote", phone=lesson.phone, poll=second, choice=99) == (
        400,
        "The vote was for choice 100 of 3: choose one that is shown.",
    )


def test_a_browser_is_the_same_phone_again(lesson: Class) -> None:
    """By the cookie that this server gave it; without one, or with one that is made up, it would be another phone every time, and is none."""
    cookie = browser()
    assert lesson.enter(**cookie) == lesson.enter(**cookie) != lesson.enter()
    for nobody in ({}, {"cookie": f"{visitors.COOKIE}={'a' * 48}"}):
        answer = lesson.client.post(f"/rooms/{lesson.code}/enter", json={}, headers=nobody)
        assert (answer.status_code, answer.text) == (400, visitors.NOBODY)


def test_whoever_is_not_in_the_room_is_told_nothing(lesson: Class) -> None:
    """Not even whether there is a room of this code."""
    said = set()
    for phone in ("", "x", "0" * 40, "\u0661" * 40, "a" * 3_000):
        for code in (lesson.code, "AAAAAAAA", "..%2f.."):
            for what, body in (("vote", {"poll": "", "choice": 0}), ("prompt", {"text": "a"})):
                answer = lesson.client.post(f"/rooms/{code}/{what}", json={"phone": phone, **body})
                said.add((answer.status_code, answer.text))
            for what in ("events", "lesson", "run"):
                answer = lesson.client.get(f"/rooms/{code}/{what}", params={"phone": phone})
                said.add((answer.status_code, answer.text))
    assert said == {(400, "This phone is not in the room: load the page again."), (404, "Not Found")}


def test_only_the_presenter_moves_the_room(lesson: Class) -> None:
    """With the secret of his own page; a phone's token, a secret of another room or none moves nothing."""
    secret = lesson.rooms.lead(lesson.code, "presenter")
    assert lesson.post("moment", secret=secret, **WHERE)[0] == 200
    assert lesson.told()["set"]["moment"]["clock"] == 1.0
    elsewhere = lesson.rooms.lead(lesson.rooms.open("other").code, "other")
    impostor = lesson.rooms.lead(lesson.code, "impostor")
    for wrong in ("", lesson.phone, elsewhere, impostor, "x" * 3000):
        status, said = lesson.post("moment", secret=wrong, **{**WHERE, "clock": 2.0})
        assert status == 400
        assert said.startswith("Only the presenter who opened this room can steer it")
    for nowhere in ({}, {**WHERE, "clock": float("1e400")}, {"lesson": 1}):
        body = json.dumps({"secret": secret, **nowhere})
        assert lesson.client.post(f"/rooms/{lesson.code}/moment", content=body).status_code == 400
    assert lesson.told()["set"]["moment"]["clock"] == 1.0


def test_what_is_sent_is_read_with_care(lesson: Class) -> None:
    """Too long, no object, from another site's page: one sentence, and nothing happens."""
    send = f"/rooms/{lesson.code}/prompt"
    for body in (b"", b"{", b"[]", b"1", b"\xff", b"[" * 3000):
        answer = lesson.client.post(send, content=body)
        assert (answer.status_code, answer.text) == (400, "What was sent could not be read: load the page again.")
    assert lesson.client.post(send, content=b"x" * 5000).text.startswith("What was sent is too long")
    good = {"phone": lesson.phone, "text": "<b>a</b>"}
    answer = lesson.client.post(send, json=good, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert lesson.client.post(send, json=good, headers={"origin": "http://testserver"}).status_code == 200
    found = lesson.rooms.of(lesson.code)
    assert found is not None
    assert [one.text for one in found.sent] == ["<b>a</b>"]


def test_codes_cannot_be_tried_for_long(lesson: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """After ten wrong codes in a minute a visitor has to wait, also for the right one; who is in the room finds it again, and another visitor joins.
    Where an address has tried too many, nobody else of it joins."""
    here, late = browser(), browser()
    phone = lesson.enter(**here)
    for who in (here, late):
        said = [lesson.client.post("/rooms/AAAAAAAA/enter", json={}, headers=who).text for _ in range(12)]
        assert said[WRONG_CODES - 1].startswith("No room with the code AAAAAAAA")
        assert said[WRONG_CODES].startswith("Too many wrong codes")
    assert lesson.enter(**here) == phone
    assert lesson.client.post(f"/rooms/{lesson.code}/enter", json={}, headers=late).text == said[-1]
    lesson.enter()
    monkeypatch.setattr(visitors, "WRONG_OF_ADDRESS", 2 * WRONG_CODES)
    assert lesson.client.post(f"/rooms/{lesson.code}/enter", json={}).text == said[-1]
    assert lesson.enter(**here) == phone


def test_a_run_comes_whole_once_it_was_shown(lesson: Class) -> None:
    """Before, nobody gets it. Then everybody may look at its alternatives, under the name that the audience knows, also after the presenter went back."""
    view = shipped_view("capital")
    lesson.rooms.show(lesson.code, view)
    name = lesson.told()["set"]["stage"]["run"]

    def fetch(run: str = name) -> tuple[int, Any]:
        answer = lesson.client.get(f"/rooms/{lesson.code}/run", params={"phone": lesson.phone, "run": run})
        return answer.status_code, answer.json() if answer.status_code == 200 else answer.text

    refused = (400, "This run was not shown to its end yet: it can be looked through then.")
    assert fetch() == refused
    secret = lesson.rooms.lead(lesson.code, "presenter")
    for round_ in (99, 0):
        assert lesson.post("moment", secret=secret, **{**WHERE, "run": view["id"], "round": round_})[0] == 200
    status, found = fetch()
    assert (status, found["id"], found["recording"]) == (200, name, view["recording"])
    assert lesson.told()["set"]["stage"]["whole"]
    assert lesson.told()["set"]["covered"] is None
    assert fetch("another") == fetch(view["id"]) == refused
