"""A room over the server's own addresses: what a phone may, what nobody may, and what the audience gets: nothing that the presenter's stage has not
shown. Without a browser and without Streamlit's page."""

import json
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.classroom import polls, room, room_routes, rooms
from app.classroom.moment import Moment, Page
from app.classroom.rooms import Rooms
from app.server import files, resources, visitors
from app.server.visitors import WRONG_CODES, Visitors
from app.stage.race_source import recorded_source
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

    def update(self, mark: str = "") -> Any:
        """The next message of the room's events after this mark, and the mark after it as `known`."""
        asked = {"phone": self.phone, "poll": "1", "from": mark}
        answer = self.client.get(f"/rooms/{self.code}/events", params=asked)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        return {"set": {}, "add": {}, **found["message"], "known": found["known"]}

    def slot(self, name: str) -> Any:
        return self.update()["set"][name]

    def rounds(self) -> list[Any]:
        """Those whose verdicts the audience has."""
        return list(self.update()["add"].get("rounds", (0, []))[1])

    def run(self, name: str) -> tuple[int, Any]:
        """What a phone gets that asks for a full run."""
        answer = self.client.get(f"/rooms/{self.code}/run", params={"phone": self.phone, "run": name})
        return answer.status_code, answer.json() if answer.status_code == 200 else answer.text

    def change(self, do: Callable[..., room.Room], *given: object) -> room.Room:
        return self.rooms.change(self.code, lambda now, when: do(now, *given, when))

    def step(self, **moment: Any) -> None:
        self.change(room.steer, "presenter", Moment(**moment))

    def ask(self) -> str:
        """A question; its name."""
        self.change(room.ask, "presenter", polls.how_many(2))
        return str(self.slot("poll")["id"])


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


def test_whoever_is_not_in_the_room_gets_nothing(lesson: Class) -> None:
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
    assert lesson.slot("moment")["clock"] == 1.0
    elsewhere = lesson.rooms.lead(lesson.rooms.open("other").code, "other")
    impostor = lesson.rooms.lead(lesson.code, "impostor")
    for wrong in ("", lesson.phone, elsewhere, impostor, "x" * 3000):
        status, said = lesson.post("moment", secret=wrong, **{**WHERE, "clock": 2.0})
        assert status == 400
        assert said.startswith("Only the presenter who opened this room can steer it")
    for nowhere in ({}, {**WHERE, "clock": float("1e400")}, {"lesson": 1}):
        body = json.dumps({"secret": secret, **nowhere})
        assert lesson.client.post(f"/rooms/{lesson.code}/moment", content=body).status_code == 400
    assert lesson.slot("moment")["clock"] == 1.0


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


@pytest.fixture
def view() -> dict[str, Any]:
    """A recording as a page takes it: of a shipped run, with plain decoding beside it."""
    return shipped_view("capital", asked={"prompt": "a"}, speedups=[1.0], new_field="what somebody may add")


REFUSED = (400, "This run was not shown to its end yet: it can be looked through then.")


def test_of_a_round_before_its_verdicts_only_the_draft_is_there(lesson: Class, view: dict[str, Any]) -> None:
    """The rounds before it are whole but for the alternatives; nothing of the later ones is there, and no token that only they have. Of plain decoding
    the time of each token is there from the first moment on; the tokens would answer questions."""
    lesson.rooms.show(lesson.code, view)
    trace, plain = view["recording"]["traces"]
    rounds = trace["rounds"]
    for at in range(len(rounds)):
        lesson.step(run=view["id"], round=at)
        update, shown = lesson.update(), lesson.rounds()
        assert len(shown) == at
        for one, whole in zip((each["round"] for each in shown), rounds, strict=False):
            assert [each["verdict"] for each in one["drafted"]] == [each["verdict"] for each in whole["drafted"]]
            assert (one["accepted"], one["closing"]["token"]) == (whole["accepted"], whole["closing"]["token"])
        covered, stage = update["set"]["covered"], update["set"]["stage"]
        last = covered["round"]
        assert last["covered"]
        assert [each["token"] for each in last["drafted"]] == [each["token"] for each in rounds[at]["drafted"]]
        assert {(each["verdict"], each["target_prob"], each["draw"]) for each in last["drafted"]} <= {
            ("discarded", None, None)
        }
        assert (last["accepted"], last["closing"]) == ([], None)
        seen = {each["token"] for one in (*shown, covered) for each in one["round"]["drafted"]} | {
            one["round"]["closing"]["token"] for one in shown
        }
        tables = [stage["about"]["tokens"], covered["tokens"], *(one["tokens"] for one in shown)]
        assert {int(key) for table in tables for key in table} == seen | set(trace["prompt_ids"])
        for secret in ("target_top", "residual_top", "new_field", "speedups", f'"{view["id"]}"'):
            assert secret not in json.dumps(update), "nothing new in a view goes to the audience unnoticed"
        assert update["add"]["plain"][1] == [round(each["ended_s"], 6) for each in plain["rounds"]]
        assert lesson.run(stage["run"]) == REFUSED


def test_another_run_begins_anew(lesson: Class, view: dict[str, Any]) -> None:
    """A follower forgets the rounds of the run before; a lesson has none."""
    lesson.rooms.show(lesson.code, view)
    lesson.step(run=view["id"], round=2)
    known = lesson.update()["known"]
    lesson.rooms.show(lesson.code, {**view, "id": "other"})
    lesson.step(run="other", round=1)
    assert lesson.update(known)["anew"]
    assert len(lesson.rounds()) == 1
    lesson.step(page=Page("rule", "en", 3))
    update = lesson.update()
    assert (update["set"]["stage"], update["add"]) == ({"lesson": "rule", "language": "en"}, {})
    assert update["set"]["moment"]["page"]["number"] == 3


def test_a_race_is_there_with_all_its_lanes(lesson: Class, view: dict[str, Any]) -> None:
    """Under another name than its own; until it is known what the presenter's page shows there is nothing, and back on a run it is gone."""
    lesson.rooms.show(lesson.code, view)
    lesson.step(run="race-secret", clock=1.0, factor=8.0)
    assert lesson.slot("stage") is None
    lesson.rooms.show_race(lesson.code, "race-secret", recorded_source({"id": "race-secret", "lanes": ["all"]}))
    update = lesson.update()
    assert update["set"]["race"] == {"lanes": ["all"]}
    assert update["set"]["stage"]["race"] == update["set"]["moment"]["run"] != "race-secret"
    assert "secret" not in json.dumps(update)
    lesson.step(run=view["id"], round=1)
    assert "race" not in lesson.update()["set"]


def test_what_others_chose_is_shown_once_nobody_can_vote(lesson: Class) -> None:
    """How many have voted is; and the answer, once it is known."""
    lesson.change(room.ask, "presenter", polls.about(polls.how_many(1, [0.5]), "secret run", 0, 1))
    lesson.change(room.vote, "somebody", 1)
    poll = lesson.slot("poll")
    assert (poll["voted"], poll["counts"], poll["claimed"], poll["answer"]) == (1, None, [], None)
    assert poll["run"] != "secret run"
    lesson.change(room.resolve, "presenter", 1)
    poll = lesson.slot("poll")
    assert (poll["state"], poll["counts"], poll["claimed"], poll["answer"]) == ("resolved", [0, 1], [0.5, 0.5], 1)
    assert "somebody" not in json.dumps(poll)


def test_the_audience_hears_of_what_was_played_and_keeps_it(lesson: Class) -> None:
    """The presenter may go back: what the audience has seen stays. Another run begins from its start."""
    code, rooms = lesson.code, lesson.rooms
    notifier = rooms.notifier(code)
    for round_, reached in ((1, 1), (3, 3), (2, 3), (0, 3)):
        before = notifier.count
        lesson.step(run="a", round=round_, clock=float(round_))
        assert rooms.reached(code, "a") == reached
        assert notifier.count == before + 1
    lesson.step(run="b", round=1)
    lesson.step(run="a k=3", round=2)
    lesson.step(run="a", round=0)
    assert (rooms.reached(code, "b"), rooms.reached(code, "a")) == (1, 3), (
        "also after another run, and one at another draft length"
    )
    for number in range(30):
        lesson.step(run=f"{number}", round=1)
    assert rooms.reached(code, "a") == 0, "nothing grows without end"


def test_of_an_opened_file_the_run_with_drafts_is_shown_and_held_back(lesson: Class, view: dict[str, Any]) -> None:
    """As the player chooses it, wherever it stands in the file."""
    first, plain = view["recording"]["traces"]
    view["recording"]["traces"] = [plain, first]
    lesson.rooms.show(lesson.code, view)
    drafted = lesson.slot("covered")["round"]["drafted"]
    assert [each["token"] for each in drafted] == [each["token"] for each in first["rounds"][0]["drafted"]]


def test_a_run_comes_whole_once_it_was_shown(lesson: Class, view: dict[str, Any]) -> None:
    """Then everybody may look at its alternatives, under the name that the audience knows, also after the presenter went back."""
    lesson.rooms.show(lesson.code, view)
    name = lesson.slot("stage")["run"]
    assert lesson.run(name) == REFUSED
    for round_ in (99, 0):
        lesson.step(run=view["id"], round=round_)
    status, found = lesson.run(name)
    assert (status, found["id"], found["recording"]) == (200, name, view["recording"])
    update = lesson.update()
    assert update["set"]["stage"]["whole"]
    assert update["set"]["covered"] is None
    assert lesson.run("another") == lesson.run(view["id"]) == REFUSED
