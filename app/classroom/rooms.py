"""The rooms of this server, for all visitors: they live as long as it does. Makes no Streamlit call; every method may be called from any thread."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from secrets import token_hex
from time import monotonic
from typing import Any

import streamlit as st

from app.classroom import codes
from app.classroom.room import Room, is_over
from app.classroom.texts import RoomError
from app.server.events import EventSource
from app.server.notifier import Notifier
from app.server.visitors import NOBODY

_COUNTED_APART_S = 1.0  # how often the audience hears that somebody voted
LIVE_APART_S = 0.3  # how often it hears of rounds that come while the presenter waits for them
_RUNS = 20  # of so many runs of a room it is known how far they were shown
MOST_ROOMS, ROOMS_OF_ADDRESS = 20, 5
"""Open rooms of visitors: of all, and of one address. The host of a classroom, who has its key, opens as many as he likes."""
MOST_PEOPLE, MOST_QUESTIONS = 2000, 200
"""People who are in a room at a time, or who vote, and questions that it has had."""
MOST_PROMPTS, PROMPTS_OF_PHONE = 200, 3  # prompts of an audience that wait to be picked: of all, and of one phone
View = dict[str, Any]


@dataclass(slots=True)
class _RoomEntry:
    """Everything that the server keeps of a room.

    Attributes:
        address: from where it was opened; None for a room of the host, which counts for no limit.
        view: the presenter's stage, as it was noted last.
        races: the lanes of the last two races, by their ids in the moment.
        reached: run -> the index of the first round whose verdicts the presenter's stage has not shown yet, however far it has gone back since.
    """

    room: Room
    address: str | None
    notifier: Notifier = field(default_factory=Notifier)
    view: View | None = None
    races: dict[str, EventSource] = field(default_factory=dict)
    reached: dict[str, int] = field(default_factory=dict)

    def note_progress(self) -> bool:
        """Note how far the presenter's stage has shown a run; returns whether it is further than before."""
        moment = self.room.moment
        before = self.reached.pop(moment.run, -1)
        self.reached[moment.run] = max(before, moment.round)
        while len(self.reached) > _RUNS:
            del self.reached[next(iter(self.reached))]
        return moment.round > before


class Rooms:
    """Rooms by their codes. `clock`: in seconds, which only goes forward."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, threading.RLock()
        self._entries: dict[str, _RoomEntry] = {}

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
            opened = [entry.address for entry in self._entries.values() if entry.address is not None]
            if not host and len(opened) >= MOST_ROOMS:
                raise RoomError(f"{MOST_ROOMS} rooms are open on this server, which is all it holds: close one first.")
            if not host and address and opened.count(address) >= ROOMS_OF_ADDRESS:
                raise RoomError(f"{ROOMS_OF_ADDRESS} rooms were opened from your network: close one of them first.")
            room = Room(codes.new_code(), presenter, token_hex(16), self._clock())
            self._entries[room.code] = _RoomEntry(room, None if host else address)
            return room

    def led_by(self, presenter: str) -> Room | None:
        """The open room of this visitor."""
        with self._lock:
            now = self._clock()
            led = (entry.room for entry in self._entries.values() if entry.room.presenter == presenter)
            return next((room for room in led if not is_over(room, now)), None)

    def find(self, typed: str) -> Room | None:
        """The open room of a code that somebody typed; None where there is none. Raises RoomError if it cannot be a
        code."""
        room = self.of(codes.read_code(typed))
        return None if room is None or is_over(room, self._clock()) else room

    def of(self, code: str) -> Room | None:
        """The room of this code, as it is now; None where it is gone."""
        entry = self._entries.get(code)
        return None if entry is None else entry.room

    def change(self, code: str, do: Callable[[Room, float], Room]) -> Room:
        """Change a room. Raises RoomError if it is refused, or too much, or there is no such room.

        Args:
            do: from the room and the time to the room afterwards.
        """
        with self._lock:
            entry = self._entries.get(code)
            if entry is None:
                raise RoomError("The room {code} is closed: ask the presenter for the new code.", code=code)
            room, when = entry.room, self._clock()
            changed = do(room, when)
            check_change(room, changed, when)
            entry.room = changed
            further = entry.note_progress()
        if changed.face != room.face or further:
            entry.notifier.notify()
        elif changed.poll is not room.poll:
            entry.notifier.notify(_COUNTED_APART_S)
        return changed

    def notifier(self, code: str) -> Notifier:
        """Notifies of every change of a room that its audience sees."""
        entry = self._entries.get(code)
        return Notifier() if entry is None else entry.notifier

    def lead(self, code: str, presenter: str) -> str:
        """The secret with which a page of this presenter steers the room without its cookie, which no script can read."""
        room = self.of(code)
        return "" if room is None or room.presenter != presenter else codes.signed(f"lead {presenter}", room.key)

    def presenter(self, code: str, secret: str) -> str:
        """The presenter who steers the room with this secret; "" where nobody does."""
        room = self.of(code)
        own = "" if room is None else self.lead(code, room.presenter)
        return (
            room.presenter
            if room is not None and compare_digest(secret.encode("utf-8", "replace"), own.encode())
            else ""
        )

    def reached(self, code: str, run: str) -> int:
        """How far the presenter's stage has shown a run, see `_RoomEntry`."""
        entry = self._entries.get(code)
        return 0 if entry is None else entry.reached.get(run, 0)

    def now(self) -> float:
        """The time by the clock of the rooms."""
        return self._clock()

    def show(self, code: str, view: View) -> None:
        """Note what is on the presenter's stage."""
        entry = self._entries.get(code)
        if entry is not None and entry.view is not view:
            entry.view = view
            entry.notifier.notify()

    def view(self, code: str) -> View | None:
        """The presenter's stage, as it was noted last."""
        entry = self._entries.get(code)
        return None if entry is None else entry.view

    def show_race(self, code: str, run: str, source: EventSource) -> None:
        """Note the lanes of a race that the presenter shows, see `app.stage.race_source`. `run`: its id, as in the moment."""
        if (entry := self._entries.get(code)) is None:
            return
        before = [*entry.races.items()][-1:]  # which is shown until the presenter's page reports the new one
        entry.races = {**dict(before), run: source}
        source.notifier.pass_on(entry.notifier, LIVE_APART_S)
        entry.notifier.notify()

    def race(self, code: str, run: str) -> EventSource | None:
        """The lanes of a race that was noted lately; None of any other."""
        entry = self._entries.get(code)
        return None if entry is None else entry.races.get(run)

    def _drop_closed(self) -> None:
        """Drop the rooms that are over."""
        now = self._clock()
        for code, entry in [*self._entries.items()]:
            if is_over(entry.room, now):
                del self._entries[code]
                entry.notifier.notify()


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
