"""A lesson in a room: the audience reads the presenter's page, and votes on its question."""

import re
from typing import Any

import pytest

from app.classroom import lesson_page, polls, room
from app.classroom.moment import Moment, Page, read
from app.classroom.polls import PollState
from app.classroom.rooms import Rooms
from app.stage import lessons
from specviz.errors import InputError

WHERE = {"lesson": "rule", "language": "en", "page": 2, "analogy": "", "chosen": None}


@pytest.fixture
def rooms() -> Rooms:
    return Rooms()


def _turn(rooms: Rooms, code: str, where: dict[str, Any]) -> None:
    rooms.change(code, lambda now, when: room.steer(now, "presenter", read(where), when))


def _moment(rooms: Rooms, code: str) -> Moment:
    now = rooms.of(code)
    assert now is not None
    return now.moment


@pytest.mark.slow
def test_every_question_of_every_lesson_can_be_asked() -> None:
    """Words and choices without markup, and the right one is the right one; pages without a question, and lessons that are not there, ask nothing."""
    asked = 0
    for lesson in lessons.contents().lessons:
        found = [*(step.question for step in lesson.steps), *lesson.questions, None]
        for number, question in enumerate(found):
            page = Page(lesson.name, lesson.language, number)
            if question is None:
                with pytest.raises(InputError, match="asks nothing"):
                    lesson_page.poll_of(page)
                continue
            poll = lesson_page.poll_of(page)
            asked += 1
            assert (poll.run, poll.round) == (f"learn/{lesson.name}", number)
            assert poll.truth is not None
            assert question.choices[poll.truth].right
            assert not any(re.search("<[a-z/]|&[a-z]+;", each) for each in (poll.question, *poll.choices))
    assert asked > 20
    for nothing in (Page("rule", number=999), Page("no such lesson")):
        with pytest.raises(InputError, match="asks nothing"):
            lesson_page.poll_of(nothing)


def test_the_presenter_turns_a_page(rooms: Rooms) -> None:
    """The moment is that page; what a browser makes up changes nothing, and neither does another visitor's."""
    code = rooms.open("presenter").code
    _turn(rooms, code, WHERE)
    moment = _moment(rooms, code)
    assert moment.page == Page("rule", "en", 2)
    made_up: list[dict[str, Any]] = [{}, {**WHERE, "page": "two"}, {**WHERE, "page": -1}, {**WHERE, "chosen": 10**6}]
    for where in [*made_up, {**WHERE, "lesson": "x" * 5000}]:
        with pytest.raises(InputError):
            _turn(rooms, code, where)
        assert _moment(rooms, code) == moment
    other = rooms.open("somebody else").code
    with pytest.raises(InputError, match="Only the presenter"):
        _turn(rooms, other, WHERE)
    assert _moment(rooms, other).page is None


def test_the_answer_that_the_presenter_chooses_ends_the_vote(rooms: Rooms) -> None:
    """The outcome is the lesson's own answer, whichever one was pressed; on another page it ends nothing."""
    code = rooms.open("presenter").code
    about = polls.about(polls.asked("Why?", ["a", "b", "c"]), "learn/rule", 2, 1)
    rooms.change(code, lambda now, when: room.ask(now, "presenter", about, when))

    def poll() -> polls.Poll:
        now = rooms.of(code)
        assert now is not None
        assert now.poll is not None
        return now.poll

    _turn(rooms, code, {**WHERE, "page": 3, "chosen": 0})
    _turn(rooms, code, WHERE)
    assert poll().state is PollState.OPEN
    _turn(rooms, code, {**WHERE, "chosen": 0})
    assert (poll().state, poll().answer) == (PollState.RESOLVED, 1)
