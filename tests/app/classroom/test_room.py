"""Rooms as values: whatever happens in whatever order, some things always hold."""

import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from app.classroom import codes, polls, room
from app.classroom.moment import PACES, Moment, Page, read
from app.classroom.room import Room
from app.classroom.texts import LONGEST_PROMPT, RoomError, words
from specviz.errors import InputError

SECRET = "only the presenter has this"  # noqa: S105  # of a room of this test
PEOPLE = [f"phone {n}" for n in range(6)]
AUDIENCE, SECRETS = st.sampled_from(PEOPLE), st.sampled_from([SECRET, "a guess", ""])


def opened(now: float = 0.0) -> Room:
    return Room("ABCD3467", SECRET, "key", now)


class AnyOrder(RuleBasedStateMachine):
    """Joins, leaves, votes, steps and questions by anybody, with the right secret and with wrong ones."""

    def __init__(self) -> None:
        super().__init__()
        self.room, self.now = opened(), 0.0
        self.votes: dict[str, int] = {}

    def _try(self, do: Callable[..., Room], *given: object) -> bool:
        """Whether it could be done; what was shown and asked before stays."""
        before = self.room
        try:
            self.room = do(before, *given, self.now)
        except RoomError:
            return False
        assert self.room.moment.version >= before.moment.version
        assert self.room.past[: len(before.past)] == before.past
        assert len(self.room.all_polls()) >= len(before.all_polls())
        return True

    def _lead(self, do: Callable[..., Room], secret: str, *given: object) -> bool:
        """Whether it could be done, which needs the presenter's secret."""
        done = self._try(do, secret, *given)
        assert secret == SECRET or not done
        return done

    @rule(seconds=st.floats(0, 100))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(who=AUDIENCE)
    def join(self, who: str) -> None:
        assert self._try(room.check_in, who) == (not room.is_over(self.room, self.now))

    @rule(who=AUDIENCE, choice=st.integers(-1, 6))
    def vote(self, who: str, choice: int) -> None:
        if self._try(room.vote, who, choice):
            self.votes[who] = choice

    @rule(secret=SECRETS, clock=st.floats(0, 100), pace=st.sampled_from(PACES))
    def step(self, secret: str, clock: float, pace: str) -> None:
        over = room.is_over(self.room, self.now)
        done = self._lead(room.steer, secret, Moment(clock=clock, pace=pace, version=99))
        assert done == (secret == SECRET and not over)

    @rule(secret=SECRETS, run=st.sampled_from(["", "one", "two"]), index=st.integers(0, 3))
    def ask(self, secret: str, run: str, index: int) -> None:
        poll = polls.how_many(2)
        if self._lead(room.ask, secret, polls.about(poll, run, index, index % 3) if run else poll):
            self.votes = {}

    @rule(run=st.sampled_from(["one", "two"]), index=st.integers(0, 5), factor=st.sampled_from([0.0, 8.0]))
    def go(self, run: str, index: int, factor: float) -> None:
        before = self.room
        there = Moment(run="race" if factor else run, round=index, factor=factor)
        if not self._try(room.steer, SECRET, there) or before.poll is None:
            return
        past = before.poll.run != there.run or not before.poll.round <= index <= before.poll.round + 1
        shown = before.poll.state is polls.PollState.RESOLVED or factor > 0  # a race shows all verdicts
        if self.room.moment != before.moment:
            assert (self.room.poll is None) == (shown and bool(before.poll.run) and past)

    @rule(secret=SECRETS)
    def clear(self, secret: str) -> None:
        before = self.room
        if self._lead(room.clear, secret):
            assert self.room.poll is None
            assert self.room.past[-1].counts == before.all_polls()[-1].counts

    @rule(secret=SECRETS)
    def close_poll(self, secret: str) -> None:
        self._lead(room.close_poll, secret)

    @rule(secret=SECRETS, answer=st.integers(0, 6))
    def resolve(self, secret: str, answer: int) -> None:
        self._lead(room.resolve, secret, answer)

    @rule(who=AUDIENCE, text=st.text(max_size=20))
    def send(self, who: str, text: str) -> None:
        self._try(room.send, who, text)

    @rule(secret=SECRETS, number=st.integers(0, 9), use=st.booleans())
    def pick(self, secret: str, number: int, use: bool) -> None:
        before = len(self.room.sent)
        if self._lead(partial(room.pick, use=use), secret, number):
            assert len(self.room.sent) == before - 1

    @invariant()
    def one_vote_a_voter(self) -> None:
        """None counts in a question of before, and nobody is in the export."""
        if self.room.poll is not None:
            assert self.room.poll.votes == self.votes
            assert sum(self.room.poll.counts) == len(self.votes)
        assert all(poll.state is not polls.PollState.OPEN for poll in self.room.past)
        assert not any(who in str(self.room.as_object()) for who in PEOPLE)


TestAnyOrder = pytest.mark.slow(AnyOrder.TestCase)
TestAnyOrder.settings = settings(max_examples=60, stateful_step_count=40)


def test_what_cannot_be_done_with_a_question_is_one_sentence() -> None:
    """A vote when voting is closed or without a question, a second answer, and to put away what is not there."""
    asked = room.vote(room.ask(opened(), SECRET, polls.how_many(2), 2.0), "phone", 1, 3.0)
    closed, answered = room.close_poll(asked, SECRET, 3.0), room.resolve(asked, SECRET, 1, 4.0)
    cleared = room.clear(answered, SECRET, 5.0)
    assert cleared.past[0].counts == (0, 1, 0)
    with pytest.raises(RoomError, match="Voting is closed"):
        room.vote(closed, "phone", 1, 4.0)
    with pytest.raises(RoomError, match="answered already"):
        room.resolve(answered, SECRET, 0, 4.0)
    with pytest.raises(RoomError, match="no question now"):
        room.vote(cleared, "phone", 1, 7.0)
    with pytest.raises(RoomError, match="no question on the screen"):
        room.clear(cleared, SECRET, 8.0)


def test_who_is_here() -> None:
    """Whoever gave a sign of life lately, or voted."""
    now = opened()
    for who in PEOPLE:
        now = room.check_in(now, who, 0.0)
    assert now.here(1.0) == len(PEOPLE)
    assert now.here(room.HERE_S) == 0
    assert room.check_in(now, PEOPLE[0], 1.0).here(room.HERE_S) == 1
    asked = room.ask(now, SECRET, polls.how_many(2), 1.0)
    assert room.vote(asked, "somebody else", 1, room.HERE_S).here(room.HERE_S) == 1


@given(st.text(max_size=2 * LONGEST_PROMPT))
@settings(max_examples=300)
def test_only_visible_text_comes_through(text: str) -> None:
    """Whatever is sent: one line, not too long, without control characters, or one sentence."""
    try:
        line = words(text, LONGEST_PROMPT, "prompt")
    except RoomError:
        return
    assert 0 < len(line) <= LONGEST_PROMPT
    assert line == line.strip()
    assert not any(unicodedata.category(each) in ("Cc", "Co", "Cs", "Cn") for each in line)


def test_what_is_no_prompt() -> None:
    """Each has one sentence."""
    odd = (("", "is empty"), ("\u202ecba", r"U\+202E"), ("bell \x07", r"U\+0007"))
    for text, said in (*odd, ("x" * 1_000_000, "1,000,000 characters"), ("x" * (LONGEST_PROMPT + 1), "501 characters")):
        with pytest.raises(RoomError, match=said):
            room.send(opened(), "phone", text, 1.0)


def test_codes() -> None:
    """They have no letters that are read as others, and are read as people type them."""
    found = {codes.new_code() for _ in range(500)}
    assert len(found) == 500
    for code in found:
        assert codes.read_code(f" {code[:4].lower()}-{code[4:]} ") == code
    for wrong in ("", "ABC", "ABCD1O5X", "ABCDEFGHJ", "A" * 10_000):
        with pytest.raises(RoomError, match="letters and digits"):
            codes.read_code(wrong)


def test_what_is_no_moment_and_no_page() -> None:
    """What a presenter's page reports is read as it was; one that reports nonsense gets one sentence."""
    stage: dict[str, Any] = {
        "run": "a", "clock": 1.0, "round": 2, "index": 1, "phase": "draft", "fraction": 0.5, "playing": False, "pace": "slow",
    }  # fmt: skip
    page: dict[str, Any] = {"lesson": "rule", "language": "en", "page": 2, "analogy": "", "chosen": None}
    assert read(stage) == Moment("a", 1.0, 2, 1, "draft", 0.5)
    assert read(page) == Moment(page=Page("rule", "en", 2))
    stages: list[dict[str, Any]] = [{"clock": float("nan")}, {"clock": -1.0}, {"clock": "x"}, {"round": 10**6}]
    stages += [{"pace": "fast"}, {"run": "x" * 5000}, {"fraction": float("nan")}, {"phase": "x"}]
    pages: list[dict[str, Any]] = [{"lesson": "x" * 5000}, {"page": -1}, {"page": 10**9}, {"page": "two"}]
    pages += [{"chosen": -1}, {"chosen": 999}]
    for made_up in [{}, *({**stage, **wrong} for wrong in stages), *({**page, **wrong} for wrong in pages)]:
        with pytest.raises(InputError):
            read(made_up)


def test_a_question_of_a_lesson_ends_with_its_page() -> None:
    """An open one stays whatever page is opened, until an answer is chosen on its own: the outcome is the lesson's. An answered one goes when the
    presenter turns the page, opens another lesson, or goes to a run."""

    def steered(before: Room, where: Page | Moment) -> Room:
        return room.steer(before, SECRET, where if isinstance(where, Moment) else Moment(page=where), 3.0)

    asked = room.ask(opened(), SECRET, polls.about(polls.asked("Why?", ["a", "b"]), "learn/rule", 3, 1), 1.0)
    answered = steered(asked, Page("rule", "de", 3, chosen=0))
    assert answered.poll is not None
    assert (answered.poll.state, answered.poll.answer) == (polls.PollState.RESOLVED, 1)
    for elsewhere in (
        Page("rule", number=4, chosen=0),
        Page("rule", number=2),
        Page("editor", number=3),
        Moment(run="x", round=3),
    ):
        assert steered(asked, elsewhere).poll == asked.poll
        assert steered(answered, elsewhere).poll is None


def test_voters_differ_from_room_to_room() -> None:
    """Nobody can be followed from one room to another."""
    assert codes.voter("browser", "key") == codes.voter("browser", "key") != codes.voter("browser", "another key")
    assert "browser" not in codes.voter("browser", "key")
