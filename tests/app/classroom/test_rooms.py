"""The rooms of a server: who may do what, how much, and the questions about a run."""

import json
import re
import threading
from dataclasses import replace
from functools import partial
from html import unescape
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.classroom import lesson_page, polls, questions, room, room_html
from app.classroom import rooms as rooms_module
from app.classroom.moment import Moment, Page
from app.classroom.room import Room
from app.classroom.rooms import MOST_ROOMS, ROOMS_OF_ADDRESS, Rooms
from app.classroom.texts import RoomError
from app.stage import lessons
from app.stage.recordings import read_upload
from specviz.errors import InputError, TraceError
from specviz.trace.files import dump, loads
from tests.helpers.views import plain_of, trace_of


@pytest.fixture
def clock() -> SimpleNamespace:
    return SimpleNamespace(now=1000.0)


@pytest.fixture
def rooms(clock: SimpleNamespace) -> Rooms:
    return Rooms(lambda: clock.now)


def test_a_room_is_found_by_its_code_until_it_is_over(rooms: Rooms, clock: SimpleNamespace) -> None:
    """However it is typed; closed or idle for long it is gone. What is no code is refused."""
    code = rooms.open("presenter").code
    assert rooms.find(f" {code[:4].lower()} {code[4:]}") == rooms.led_by("presenter") == rooms.of(code)
    assert rooms.open("presenter").code == code
    assert rooms.find("AAAAAAAA") is None
    with pytest.raises(RoomError, match="give the 8 letters"):
        rooms.find("AAAA")
    clock.now += room.IDLE_S + 1
    assert rooms.find(code) is rooms.led_by("presenter") is None
    closed = rooms.open("presenter").code
    rooms.change(closed, lambda now, when: room.close(now, "presenter", when))
    assert closed != code
    assert rooms.find(closed) is rooms.led_by("presenter") is None


def test_a_server_holds_so_many_rooms(rooms: Rooms, clock: SimpleNamespace) -> None:
    """Few of one address, so that made-up browsers do not take them all; then one sentence. The host has room all the same, and takes nobody's; an
    idle room makes some."""
    for n in range(2 * MOST_ROOMS):
        assert rooms.open(f"host {n}", "a", host=True)
    for n in range(3 * ROOMS_OF_ADDRESS):
        if n < ROOMS_OF_ADDRESS:
            rooms.open(f"attacker {n}", "a")
        else:
            with pytest.raises(RoomError, match="from your network"):
                rooms.open(f"attacker {n}", "a")
    for n in range(MOST_ROOMS - ROOMS_OF_ADDRESS):
        rooms.open(f"presenter {n}", f"b {n}")
    with pytest.raises(RoomError, match="close one first"):
        rooms.open("one more", "c")
    assert rooms.open("host once more", "a", host=True)
    with pytest.raises(RoomError, match="no cookie"):
        rooms.open("", "d")
    clock.now += room.IDLE_S + 1
    assert rooms.open("one more", "a")


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
    poll = rooms.change(code, partial(_seeing, "phone 0")).poll
    assert poll is not None
    assert poll.counts == (20, 20)


def test_a_room_holds_so_many_people_prompts_and_questions(
    rooms: Rooms, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence for what is too much, and nothing changes; who is in the room stays, and who has been away for long leaves a place."""
    for limit in ("MOST_PEOPLE", "MOST_PROMPTS", "MOST_QUESTIONS"):
        monkeypatch.setattr(rooms_module, limit, 5)
    code = rooms.open("presenter").code
    for n in range(5):
        rooms.change(code, partial(_seeing, f"phone {n}"))
    with pytest.raises(RoomError, match="is full: it holds 5 people"):
        rooms.change(code, partial(_seeing, "phone 5"))
    rooms.change(code, partial(_seeing, "phone 0"))
    clock.now += room.HERE_S
    rooms.change(code, partial(_seeing, "phone 5"))
    rooms.change(code, lambda now, when: room.ask(now, "presenter", polls.how_many(1), when))
    for n in range(5):
        rooms.change(code, lambda now, when, n=n: room.vote(now, f"phone {n}", 1, when))  # type: ignore[misc]
    with pytest.raises(RoomError, match="is full: it holds 5 people"):
        rooms.change(code, lambda now, when: room.vote(now, "phone 5", 1, when))
    rooms.change(code, lambda now, when: room.vote(now, "phone 4", 0, when))
    for n in range(5):
        rooms.change(code, partial(_sending, f"phone {n % 2}"))
    for who, said in (("phone 0", "3 prompts of yours"), ("phone 1", "5 prompts are waiting")):
        with pytest.raises(RoomError, match=said):
            rooms.change(code, partial(_sending, who))
    now = rooms.change(code, lambda now, when: room.pick(now, "presenter", 1, when))
    assert [one.id for one in rooms.change(code, partial(_sending, "phone 1")).sent] == [0, 2, 3, 4, 5]
    for _ in range(4):
        now = rooms.change(code, lambda now, when: room.ask(now, "presenter", polls.how_many(1), when))
    with pytest.raises(RoomError, match="has had 5 questions"):
        rooms.change(code, lambda now, when: room.ask(now, "presenter", polls.how_many(1), when))
    assert rooms.of(code) is now


def _seeing(who: str, now: Room, when: float) -> Room:
    return room.check_in(now, who, when)


def _sending(who: str, now: Room, when: float) -> Room:
    return room.send(now, who, "a prompt", when)


def test_questions_about_a_run() -> None:
    """As many choices as drafted tokens and one; the answer is what the run did; a round that is not there has no question."""
    trace = trace_of(["aaard", "aaaaa"])
    view = {"id": "x", "recording": dump([trace, plain_of(trace)])}
    source = questions.source_of(view)
    assert source is not None
    rounds = source["rounds"]
    assert len(rounds) == 2
    first = questions.about(rounds, 0)
    assert first is not None
    assert len(first.choices) == len(trace.rounds[0].drafted) + 1
    assert sum(first.claimed) == pytest.approx(1)
    assert [questions.of_run(view, Moment(run="x", round=n)).truth for n in (0, 1)] == [3, 5]
    for moment in (Moment(run="x", round=2), Moment(run="x k=3", round=0), Moment(page=Page("rule"))):
        for token in (False, True):
            with pytest.raises(InputError, match="no round to ask about"):
                questions.of_run(view, moment, token=token)
    assert questions.about(rounds, 2) is None
    blank = replace(trace.rounds[0].drafted[0], draft_prob=None, target_prob=None)
    first_round = replace(trace.rounds[0], drafted=(blank, *trace.rounds[0].drafted[1:]))
    log = {"id": "x", "recording": dump([replace(trace, rounds=(first_round, *trace.rounds[1:]))])}
    with pytest.raises(InputError, match="A server's log has neither tokens nor probabilities"):
        questions.of_run(log, Moment(run="x", round=0))


def test_which_token() -> None:
    """The choices hold the drafted token, the likeliest ones and the one that was written, which is the answer; the draft's claim sums to 1."""
    trace = trace_of(["ar", "aa", ""])
    view = {"id": "x", "recording": dump([trace, plain_of(trace)])}
    first = questions.of_run(view, Moment(run="x", round=0), token=True)
    assert set(first.choices) == {"·w1", "·w9", "another one"}
    assert first.truth is not None
    assert first.choices[first.truth] == "·w1"
    assert first.claimed[first.choices.index("·w1")] == pytest.approx(0.6)
    assert sum(first.claimed) == pytest.approx(1)
    drafted = tuple(replace(one, draft_prob=0.5 - index / 4) for index, one in enumerate(trace.rounds[0].drafted))
    unsure = replace(trace, rounds=(replace(trace.rounds[0], drafted=drafted), *trace.rounds[1:]))
    second = questions.of_run({"id": "x", "recording": dump([unsure])}, Moment(run="x", round=0), token=True)
    assert second.truth is not None
    assert second.choices[second.truth] == "·w9"
    assert "·w2" in second.choices
    assert "after “ w1”" in second.question
    alone = questions.of_run(view, Moment(run="x", round=2), token=True)
    assert alone.truth is not None
    assert alone.choices[alone.truth] == "·w9"
    assert alone.claimed == ()


@pytest.mark.slow
def test_every_question_of_every_lesson_can_be_asked() -> None:
    """Words and choices without markup, and the right one is the right one; pages without a question, and lessons that are not there, ask nothing."""
    pages = {
        Page(lesson.name, lesson.language, number): question
        for lesson in lessons.contents().lessons
        for number, question in enumerate([*(step.question for step in lesson.steps), *lesson.questions, None])
    }
    for page, question in {**pages, Page("rule", number=999): None, Page("no such lesson"): None}.items():
        if question is None:
            with pytest.raises(InputError, match="asks nothing"):
                lesson_page.poll_of(page)
            continue
        poll = lesson_page.poll_of(page)
        assert (poll.run, poll.round) == (f"learn/{page.lesson}", page.number)
        assert poll.truth is not None
        assert question.choices[poll.truth].right
        assert not any(re.search("<[a-z/]|&[a-z]+;", each) for each in (poll.question, *poll.choices))
    assert sum(question is not None for question in pages.values()) > 20


@pytest.mark.slow
@given(
    st.lists(
        st.binary(max_size=30) | st.text(max_size=20).map(lambda text: text.encode(errors="replace")),
        min_size=4,
        max_size=4,
    )
)
@settings(max_examples=150)
def test_whatever_a_token_is_it_is_a_choice(tokens: list[bytes]) -> None:
    """Markup, control characters, half a character, nothing, two that look the same: each is visible text, and no two are the same."""
    trace = trace_of(["ar", "aa"], texts={1: tokens[0], 2: tokens[1], 9: tokens[2], 8: tokens[3]})
    view = {"id": "x", "recording": dump([trace])}
    for index in (0, 1):
        poll = questions.of_run(view, Moment(run="x", round=index), token=True)
        assert len(set(poll.choices)) == len(poll.choices)
        assert all(one.isprintable() and one.strip() for one in poll.choices)


def test_a_file_with_votes_opens_as_its_recording() -> None:
    """On the page and on the command line alike; one with votes alone, or a damaged one, is refused in a sentence."""
    trace = trace_of(["aar"])
    recording = dump([trace, plain_of(trace)])
    poll = questions.of_run({"id": "x", "recording": recording}, Moment(run="x"))
    now = room.Room("ABCD3467", "s", "key", 0.0)
    now = room.resolve(room.vote(room.ask(now, "s", poll, 1.0), "phone", 2, 1.0), "s", 2, 2.0)
    saved = json.dumps(now.as_object(recording, "x"))
    assert json.loads(saved)["polls"][0]["of_recording"] is True
    assert json.loads(saved)["polls"][0]["votes"] == [0, 0, 1, 0]
    assert loads(saved) == (trace, plain_of(trace))
    assert read_upload(saved.encode(), "votes.json")["recording"] == recording
    alone = json.dumps(now.as_object())
    deep = alone[:-1] + ', "recording": {"schema": "specviz.room/1", "recording": {}}}'
    for damaged in (
        alone,
        deep,
        saved[:-9],
        saved.replace('"traces"', '"other"'),
        saved.replace('"drafted"', '"other"'),
    ):
        with pytest.raises(TraceError) as caught:
            read_upload(damaged.encode(), "votes.json")
        assert "\n" not in str(caught.value)


MARKUP = st.sampled_from(
    ["<script>", "</p>", "<img src=x onerror=1>", '" onload="x', "&lt;b&gt;", "<!--", "<style>", "'>"]
)
SEEN = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8)
TYPED = st.lists(MARKUP | SEEN, min_size=1, max_size=3).map(
    "".join
)  # the longest choice that is taken has 80 characters


@pytest.mark.slow
@given(TYPED, st.lists(TYPED, min_size=2, max_size=4), st.booleans())
@settings(max_examples=150)
def test_whatever_is_asked_draws_the_same_tags(question: str, choices: list[str], over: bool) -> None:
    """The page has the tags of a harmless question, whatever is typed, and every word of it can be read."""
    poll = polls.asked(question, choices)
    harmless = polls.asked("Red?", [f"choice {n}" for n in range(len(choices))])
    drawn, usual = (room_html.votes(polls.closed(asked) if over else asked) for asked in (poll, harmless))
    assert [drawn.count(sign) for sign in "<>\"'"] == [usual.count(sign) for sign in "<>\"'"]
    assert poll.question in unescape(drawn)
    assert not over or all(choice in unescape(drawn) for choice in poll.choices)
