"""A room as a value: every function takes one, and gives the room after what happened. Nobody's name is in it.

Who steers gives the presenter's presenter; who looks on is a voter (`codes.voter`). Time is passed in, in seconds of any clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from app.classroom import polls
from app.classroom.moment import Moment, after
from app.classroom.polls import Poll, PollState
from app.classroom.texts import LONGEST_PROMPT, RoomError, words
from app.server.updates import BEAT_S
from specviz.trace.files import ROOM_SCHEMA

HERE_S = 2 * BEAT_S  # who has given no sign of life for so long is not here
_MOST_KNOWN = 4000  # people of a room who are found again after they have left it
IDLE_S = 2 * 3600.0  # a room whose presenter has done nothing for so long is closed


@dataclass(frozen=True, slots=True)
class Sent:
    """A prompt from the room."""

    id: int
    voter: str
    text: str


@dataclass(frozen=True, slots=True)
class Room:
    """A room.

    Attributes:
        presenter: the visitor who steers it.
        key: what is signed of this room is signed with it.
        steered: when the presenter last did something; `moved`, when the moment last changed.
        people: voter -> when he was last here.
        poll: the question on the screen; `past` are those before it, answered or given up.
        sent: prompts that wait; `picked` is the one that the presenter chose last.
    """

    code: str
    presenter: str
    key: str
    steered: float
    moment: Moment = field(default_factory=Moment)
    moved: float = 0.0
    people: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    poll: Poll | None = None
    past: tuple[Poll, ...] = ()
    sent: tuple[Sent, ...] = ()
    picked: str = ""
    numbered: int = 0
    closed: bool = False

    @property
    def face(self) -> tuple[int, int, PollState | None, bool]:
        """Equal for two rooms that look the same to their audience, votes aside."""
        state = None if self.poll is None else self.poll.state
        return self.moment.version, len(self.all_polls()), state, self.closed

    def here(self, now: float) -> int:
        """How many look on."""
        return sum(now - last_here < HERE_S for last_here in self.people.values())

    def all_polls(self) -> tuple[Poll, ...]:
        """Every question of this room, the present one last."""
        return (*self.past, self.poll) if self.poll is not None else self.past

    def as_object(self, recording: Mapping[str, Any] | None = None, run: str = "") -> dict[str, Any]:
        """For a file: questions, votes, and the recording that they were about; nobody can be found in it. `run`: the
        id of the recording, by which a question knows whether it is about it."""
        of_it = run if recording is not None else ""
        return {
            "schema": ROOM_SCHEMA,
            **({"recording": recording} if recording is not None else {}),
            "polls": [
                {**poll.as_object(), "of_recording": bool(of_it) and poll.run == of_it} for poll in self.all_polls()
            ],
        }


def is_over(room: Room, now: float) -> bool:
    """A room is over when it is closed, or nobody has steered it for so long that it counts as closed."""
    return room.closed or now - room.steered > IDLE_S


# ---- the audience


def check_in(room: Room, voter: str, now: float) -> Room:
    """This voter joins, or is still here; "" is nobody, who only looks on. Raises RoomError if the room is over."""
    _check_open(room, now)
    if not voter:
        return room
    people = {**room.people, voter: now}
    if len(people) > _MOST_KNOWN:
        del people[min(people, key=people.__getitem__)]
    return replace(room, people=MappingProxyType(people))


def vote(room: Room, voter: str, choice: int, now: float) -> Room:
    """A vote of somebody who is here. Raises RoomError if there is no open question, or no such choice."""
    room = check_in(room, voter, now)
    if room.poll is None:
        raise RoomError("There is no question now: your vote did not count.")
    return replace(room, poll=polls.vote(room.poll, voter, choice))


def send(room: Room, voter: str, text: str, now: float) -> Room:
    """A prompt for the presenter to pick. Raises RoomError if it is no text of the right length."""
    _check_open(room, now)
    line = words(text, LONGEST_PROMPT, "prompt")
    return replace(room, sent=(*room.sent, Sent(room.numbered, voter, line)), numbered=room.numbered + 1)


# ---- the presenter


def steer(room: Room, presenter: str, moment: Moment, now: float) -> Room:
    """The presenter moves on: from an answered question to another round, run or page, and from any question to a race, which shows all verdicts,
    the question goes. The answer that is chosen on a page ends the vote about it. Raises RoomError if this is not the presenter, or the room is over.
    """
    room, before = _steered(room, presenter, now), room.moment
    moment = after(before, moment)
    if moment is before:
        return room
    room, poll, page = replace(room, moment=moment, moved=now), room.poll, moment.page
    if poll is None or not poll.run:
        return room
    answered = poll.state is PollState.RESOLVED
    if not _is_about(poll, moment):
        return _put_away(room) if answered or moment.factor else room
    if page is None or page.chosen is None or answered or poll.truth is None:
        return room
    return replace(room, poll=polls.resolved(poll, poll.truth))


def ask(room: Room, presenter: str, poll: Poll, now: float) -> Room:
    """A new question in place of the one on the screen. Raises RoomError if this is not the presenter, or the room is
    over."""
    room = _steered(room, presenter, now)
    return replace(room, poll=poll, past=tuple(polls.closed(earlier) for earlier in room.all_polls()))


def close_poll(room: Room, presenter: str, now: float) -> Room:
    """No more votes. Raises RoomError if this is not the presenter, the room is over, or there is no question."""
    room = _steered(room, presenter, now)
    return replace(room, poll=polls.closed(_present(room)))


def resolve(room: Room, presenter: str, answer: int, now: float) -> Room:
    """Answer the question. Raises RoomError if this is not the presenter, the room is over, there is no question, or it
    was answered before."""
    room = _steered(room, presenter, now)
    return replace(room, poll=polls.resolved(_present(room), answer))


def clear(room: Room, presenter: str, now: float) -> Room:
    """Take the question off all screens; it stays among those of the room. Raises RoomError if this is not the
    presenter, the room is over, or there is no question."""
    room = _steered(room, presenter, now)
    _present(room)
    return _put_away(room)


def _put_away(room: Room) -> Room:
    return replace(room, poll=None, past=tuple(polls.closed(earlier) for earlier in room.all_polls()))


def _is_about(poll: Poll, moment: Moment) -> bool:
    """True while the presenter shows what a question is about: its page, or its round until the verdicts of the next one."""
    if moment.page is not None:
        return (moment.page.run, moment.page.number) == (poll.run, poll.round)
    return moment.run == poll.run and poll.round <= moment.round <= poll.round + 1


def pick(room: Room, presenter: str, id: int, now: float, *, use: bool = True) -> Room:  # noqa: A002  # what it is called in `Sent`
    """Take a prompt from those that wait: as the one to run, or away. Raises RoomError if this is not the presenter,
    the room is over, or the prompt does not wait any more."""
    room = _steered(room, presenter, now)
    picked = next((sent for sent in room.sent if sent.id == id), None)
    if picked is None:
        raise RoomError("This prompt does not wait any more: pick another one.")
    rest = tuple(sent for sent in room.sent if sent is not picked)
    return replace(room, sent=rest, picked=picked.text if use else room.picked)


def close(room: Room, presenter: str, now: float) -> Room:
    """The end. Raises RoomError if this is not the presenter, or it is over already."""
    room = _steered(room, presenter, now)
    return replace(room, closed=True, poll=None if room.poll is None else polls.closed(room.poll))


def _steered(room: Room, presenter: str, now: float) -> Room:
    _check_open(room, now)
    if presenter != room.presenter:
        raise RoomError("Only the presenter who opened this room can steer it: open a room of your own.")
    return replace(room, steered=now)


def _check_open(room: Room, now: float) -> None:
    if is_over(room, now):
        raise RoomError("The room {code} is closed: ask the presenter for the new code.", code=room.code)


def _present(room: Room) -> Poll:
    if room.poll is None:
        raise RoomError("There is no question on the screen: ask one first.")
    return room.poll
