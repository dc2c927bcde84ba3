"""The rooms of a server: who may do what, what survives a restart, and the questions about a run."""

import threading
from pathlib import Path

import pytest

from app.room import parts, questions
from app.room.rooms import MOST_ROOMS, Rooms
from specviz.rooms import codes, polls, room
from specviz.rooms.errors import RoomError
from specviz.rooms.moment import Moment
from specviz.trace.files import dump
from tests.helpers.views import plain_of, trace_of


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(tmp_path: Path, clock: Clock) -> Rooms:
    return Rooms(tmp_path, clock)


def test_only_the_presenter_steers(rooms: Rooms) -> None:
    """Another browser cannot, not even one that opened a room of its own; a second Open gives the room that is there."""
    mine = rooms.open("presenter")
    assert rooms.open("presenter").code == mine.code
    other = rooms.open("somebody else")
    assert other.code != mine.code
    with pytest.raises(RoomError, match="Only the presenter"):
        rooms.change(mine.code, lambda now, when: room.steer(now, "somebody else", Moment(clock=3.0), when))
    assert (
        rooms.change(mine.code, lambda now, when: room.steer(now, "presenter", Moment(clock=3.0), when)).moment.version
        == 1
    )
    assert rooms.led_by("nobody") is None


def test_rooms_and_votes_survive_the_server(rooms: Rooms, tmp_path: Path, clock: Clock) -> None:
    """A new server finds them; a damaged file is set aside and said, and the others are there."""
    code = rooms.open("presenter").code
    rooms.change(code, lambda now, when: room.ask(now, "presenter", polls.how_many(3), when))
    rooms.change(code, lambda now, when: room.vote(now, codes.voter("phone", now.key), 2, when))
    rooms.save()
    (tmp_path / "ABCDEF.json").write_text('{"code": "ABC')
    again = Rooms(tmp_path, clock)
    found = again.find(code.lower(), "phone")
    assert found.poll is not None
    assert found.poll.counts == (0, 0, 1, 0)
    assert again.led_by("presenter") == found
    assert "damaged" in again.note
    assert (tmp_path / "ABCDEF.damaged").is_file()
    clock.now += room.IDLE_S + 1
    with pytest.raises(RoomError, match="No room"):
        again.find(code, "phone")
    assert Rooms(tmp_path, clock).led_by("presenter") is None


def test_codes_cannot_be_tried_for_long(rooms: Rooms, clock: Clock) -> None:
    """After ten wrong codes in a minute a visitor has to wait; the right code of another one works."""
    code = rooms.open("presenter").code
    for _ in range(codes.MOST_OF_ONE):
        with pytest.raises(RoomError, match="No room"):
            rooms.find("AAAAAA" if code != "AAAAAA" else "BBBBBB", "guesser")
    with pytest.raises(RoomError, match="wait a minute"):
        rooms.find("CCCCCC", "guesser")
    assert rooms.find(code, "another").code == code
    clock.now += codes.WITHIN_S
    with pytest.raises(RoomError, match="No room"):
        rooms.find("CCCCCC", "guesser")


def test_a_server_holds_so_many_rooms(rooms: Rooms, clock: Clock) -> None:
    """Then one sentence; an idle one makes room."""
    for n in range(MOST_ROOMS):
        rooms.open(f"presenter {n}")
    with pytest.raises(RoomError, match="close one first"):
        rooms.open("one more")
    clock.now += room.IDLE_S + 1
    assert rooms.open("one more")


def test_votes_of_many_threads_all_count(rooms: Rooms) -> None:
    """Forty phones at once."""
    code = rooms.open("presenter").code
    rooms.change(code, lambda now, when: room.ask(now, "presenter", polls.how_many(1), when))

    def vote(n: int) -> None:
        for _ in range(20):
            rooms.change(code, lambda now, when: room.vote(now, f"phone {n}", n % 2, when))

    threads = [threading.Thread(target=vote, args=(n,)) for n in range(40)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    poll = rooms.find(code, "x").poll
    assert poll is not None
    assert poll.counts == (20, 20)


def test_questions_about_a_run() -> None:
    """As many choices as drafted tokens and one; the answer is what the run did; a round that is not there has no question."""
    trace = trace_of(["aaard", "aaaaa"])
    view = {"id": "x", "recording": dump([trace, plain_of(trace)])}
    rounds = questions.rounds_of(view)
    assert len(rounds) == 2
    first = questions.about(rounds, 0)
    assert first is not None
    assert len(first.choices) == len(trace.rounds[0].drafted) + 1
    assert sum(first.claimed) == pytest.approx(1)
    assert [questions.answer(rounds, n) for n in (0, 1, 2)] == [3, 5, None]
    assert questions.about(rounds, 2) is None
    assert questions.rounds_of(None) == ()


def test_nothing_that_is_typed_becomes_markup() -> None:
    """Questions and choices are escaped."""
    drawn = parts.votes(polls.asked("<script>alert(1)</script>?", ["<b>yes</b>", '" onload="x']))
    assert "<script" not in drawn
    assert "<b>" not in drawn
    assert 'onload="x' not in drawn
