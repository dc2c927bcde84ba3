"""The rooms of this server, for all visitors: they live as long as it does. Makes no Streamlit call; every method may be called from any thread."""

import threading
from collections.abc import Callable, Collection
from secrets import token_hex
from time import monotonic
from typing import Any

import streamlit as st

from app.classroom import codes
from app.classroom.errors import RoomError
from app.classroom.moment import Moment
from app.classroom.room import Room, is_over
from app.server.events import EventSource
from app.server.notifier import Notifier
from app.server.visitors import NOBODY

_COUNTED_APART_S = 1.0  # how often the audience hears that somebody voted
LIVE_APART_S = 0.3  # how often it hears of rounds that come while the presenter waits for them
_LEADS = 200  # of so many pages of presenters the secrets are remembered
_RUNS = 20  # of so many runs of a room it is known how far they were shown
MOST_ROOMS, ROOMS_OF_ADDRESS = 20, 5
"""Open rooms of visitors: of all, and of one address. The host of a classroom, who has its key, opens as many as he likes."""
MOST_PEOPLE, MOST_QUESTIONS = 2000, 200
"""People who are in a room at a time, or who vote, and questions that it has had."""
MOST_PROMPTS, PROMPTS_OF_PHONE = 200, 3  # prompts of an audience that wait to be picked: of all, and of one phone
View = dict[str, Any]


class Rooms:
    """Rooms by their codes. `clock`: in seconds, which only goes forward."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, threading.RLock()
        self._rooms: dict[str, Room] = {}
        self._opened: dict[str, str] = {}
        self._views: dict[str, View] = {}
        self._races: dict[str, dict[str, EventSource]] = {}
        self._reached: dict[str, dict[str, int]] = {}
        self._notifiers: dict[str, Notifier] = {}
        self._leads: dict[str, tuple[str, str]] = {}

    def open(self, presenter: str, address: str = "", *, host: bool = False) -> Room:
        """A room for this visitor; the one that he has, if it is open. Raises RoomError if he has no identity, or the
        server has enough rooms.

        Args:
            address: from where he comes; "" where that is not known.
            host: whether he is the host of the server, for whom there is always room.
        """
        if not presenter:
            raise RoomError(NOBODY)
        with self._lock:
            room = self.led_by(presenter)
            if room is not None:
                return room
            self._drop_closed()
            if not host:
                check_opening(self._opened.values(), address)
            code = codes.new_code(self._rooms)
            self._rooms[code] = Room(code, codes.digest(presenter), token_hex(16), self._clock())
            if not host:
                self._opened[code] = address
            return self._rooms[code]

    def led_by(self, presenter: str) -> Room | None:
        """The open room of this visitor."""
        with self._lock:
            now = self._clock()
            led = (room for room in self._rooms.values() if codes.matches(presenter, room.presenter_digest))
            return next((room for room in led if not is_over(room, now)), None)

    def find(self, typed: str) -> Room | None:
        """The open room of a code that somebody typed; None where there is none. Raises RoomError if it cannot be a
        code."""
        with self._lock:
            room = self._rooms.get(codes.read_code(typed))
            return None if room is None or is_over(room, self._clock()) else room

    def of(self, code: str) -> Room | None:
        """The room of this code, as it is now; None where it is gone."""
        with self._lock:
            return self._rooms.get(code)

    def change(self, code: str, do: Callable[[Room, float], Room]) -> Room:
        """Change a room. Raises RoomError if it is refused, or too much, or there is no such room.

        Args:
            do: from the room and the time to the room afterwards.
        """
        with self._lock:
            room = self._rooms.get(code)
            if room is None:
                raise RoomError("The room {code} is closed: ask the presenter for the new code.", code=code)
            when = self._clock()
            changed = do(room, when)
            check_change(room, changed, when)
            self._rooms[code] = changed
            further = self._note_progress(code, changed.moment)
        if changed.face != room.face or further:
            self.notifier(code).notify()
        elif changed.poll is not room.poll:
            self.notifier(code).notify(_COUNTED_APART_S)
        return changed

    def notifier(self, code: str) -> Notifier:
        """Notifies of every change of a room that its audience sees."""
        with self._lock:
            return self._notifiers.setdefault(code, Notifier())

    def lead(self, code: str, presenter: str) -> str:
        """The secret with which a page of this presenter steers the room without its cookie, which no script can read."""
        with self._lock:
            known_secret = next((secret for secret, led in self._leads.items() if led == (code, presenter)), None)
            secret = known_secret or token_hex(24)
            self._leads[secret] = (code, presenter)
            while len(self._leads) > _LEADS:
                del self._leads[next(iter(self._leads))]
            return secret

    def presenter(self, code: str, secret: str) -> str:
        """The presenter who steers the room with this secret; "" where nobody does."""
        with self._lock:
            led = self._leads.get(secret)
            return led[1] if led is not None and led[0] == code else ""

    def reached(self, code: str, run: str) -> int:
        """The index of the first round of a run whose verdicts the presenter's stage has not shown yet, however far it has gone back since."""
        with self._lock:
            room = self._rooms.get(code)
            at = room.moment.round if room is not None and room.moment.run == run else 0
            return max(at, self._reached.get(code, {}).get(run, 0))

    def _note_progress(self, code: str, moment: Moment) -> bool:
        """Note how far the presenter's stage has shown a run; returns whether it is further than before."""
        reached = self._reached.setdefault(code, {})
        before = reached.pop(moment.run, -1)
        reached[moment.run] = max(before, moment.round)
        while len(reached) > _RUNS:
            del reached[next(iter(reached))]
        return moment.round > before

    def now(self) -> float:
        """The time by the clock of the rooms."""
        return self._clock()

    def show(self, code: str, view: View) -> None:
        """Note what is on the presenter's stage."""
        with self._lock:
            before = self._views.get(code)
            self._views[code] = view
        if before is not view:
            self.notifier(code).notify()

    def view(self, code: str) -> View | None:
        """The presenter's stage, as it was noted last."""
        with self._lock:
            return self._views.get(code)

    def show_race(self, code: str, run: str, source: EventSource) -> None:
        """Note the lanes of a race that the presenter shows, see `app.stage.race_source`. `run`: its id, as in the moment."""
        with self._lock:
            before = [*self._races.get(code, {}).items()][
                -1:
            ]  # which is shown until the presenter's page reports the new one
            self._races[code] = {**dict(before), run: source}
        source.notifier.pass_on(self.notifier(code), LIVE_APART_S)
        self.notifier(code).notify()

    def race(self, code: str, run: str) -> EventSource | None:
        """The lanes of a race that was noted lately; None of any other."""
        with self._lock:
            return self._races.get(code, {}).get(run)

    def _drop_closed(self) -> None:
        """Drop the rooms that are over."""
        now = self._clock()
        for code in [code for code, room in self._rooms.items() if is_over(room, now)]:
            del self._rooms[code]
            self._views.pop(code, None)
            self._races.pop(code, None)
            self._reached.pop(code, None)
            self._opened.pop(code, None)
            self.notifier(code).notify()
            self._notifiers.pop(code, None)


def check_opening(opened: Collection[str], address: str) -> None:
    """Check that a visitor from this address may open a room. Raises RoomError if he may not.

    Args:
        opened: the address of each open room of a visitor, "" where it is not known.
    """
    if len(opened) >= MOST_ROOMS:
        raise RoomError(f"{MOST_ROOMS} rooms are open on this server, which is all it holds: close one first.")
    if address and [*opened].count(address) >= ROOMS_OF_ADDRESS:
        raise RoomError(f"{ROOMS_OF_ADDRESS} rooms were opened from your network: close one of them first.")


def check_change(before: Room, after: Room, now: float) -> None:
    """Check that a room may become this one. Raises RoomError if there would be too many people, prompts or questions
    in it."""
    newcomer = bool(after.people.keys() - before.people.keys()) and after.here(now) > MOST_PEOPLE
    if newcomer or (after.poll is not before.poll and after.poll is not None and len(after.poll.votes) > MOST_PEOPLE):
        raise RoomError("This room is full: it holds {most} people.", most=MOST_PEOPLE)
    if len(after.sent) > len(before.sent):
        if sum(prompt.voter == after.sent[-1].voter for prompt in after.sent) > PROMPTS_OF_PHONE:
            raise RoomError(
                "{most} prompts of yours are waiting: the presenter has to pick first.", most=PROMPTS_OF_PHONE
            )
        if len(after.sent) > MOST_PROMPTS:
            raise RoomError("{most} prompts are waiting: the presenter has to pick first.", most=MOST_PROMPTS)
    if len(after.all_polls()) > MOST_QUESTIONS:
        raise RoomError(f"This room has had {MOST_QUESTIONS} questions: open another room.")


@st.cache_resource(max_entries=1, show_spinner=False)
def server_rooms() -> Rooms:
    """The rooms of this server."""
    return Rooms()
