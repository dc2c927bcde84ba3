"""The rooms of this server, for all visitors, in memory and on disk. Makes no Streamlit call; every method may be called from any thread."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from time import time
from typing import Any

from specviz.errors import StoreError
from specviz.rooms import codes
from specviz.rooms.errors import RoomError
from specviz.rooms.room import Room, is_over
from specviz.rooms.saved import read, write

MOST_ROOMS = 20
_SAVED_APART_S = 1.0
_COUNTED_APART_S, _STAGED_APART_S = 2.0, 1.0
"""How often pages hear that somebody voted, and of the next rounds of a run."""
View = dict[str, Any]


def audience(code: str) -> str:
    """The topic of what the presenter says to a room: moment and question."""
    return f"audience {code}"


def stage(code: str) -> str:
    """The topic of the run on the presenter's stage."""
    return f"stage {code}"


def _nobody(topic: str, apart_s: float) -> None:
    """Nobody hears of it."""


class Rooms:
    """Rooms by their codes. What happens in a room is on disk a second later.

    Args:
        folder: of their files.
        clock: seconds, which go on while the server is off.
        notify: is called with a topic (`audience`, `stage`) when it has changed, and how far apart in seconds that is worth a message.
    """

    def __init__(
        self, folder: Path, clock: Callable[[], float] = time, notify: Callable[[str, float], None] = _nobody
    ) -> None:
        self._folder, self._clock, self._notify = folder, clock, notify
        self._lock = threading.RLock()
        self._tries = codes.Tries()
        self._views: dict[str, View] = {}
        self._changed: set[str] = set()
        self._timer: threading.Timer | None = None
        self.note = ""
        self._rooms = self._read()

    def open(self, presenter: str) -> Room:
        """A room for this visitor; the one that he has, if it is open.

        Raises:
            RoomError: the server has enough rooms.
        """
        with self._lock:
            known = self.led_by(presenter)
            if known is not None:
                return known
            self._forget()
            if len(self._rooms) >= MOST_ROOMS:
                raise RoomError(f"{MOST_ROOMS} rooms are open on this server, which is all it holds: close one first.")
            code = codes.new_code(self._rooms)
            self._rooms[code] = Room(code, codes.digest(presenter), token_hex(16), self._clock())
            self._keep(code)
            return self._rooms[code]

    def led_by(self, presenter: str) -> Room | None:
        """The open room of this visitor."""
        with self._lock:
            now = self._clock()
            mine = (room for room in self._rooms.values() if codes.matches(presenter, room.kept))
            return next((room for room in mine if not is_over(room, now)), None)

    def find(self, typed: str, visitor: str) -> Room:
        """The room of a code that somebody typed.

        Raises:
            RoomError: there is none, or this visitor has tried too many.
        """
        with self._lock:
            now = self._clock()
            room = self._rooms.get(code := codes.read_code(typed))
            if room is not None and not is_over(room, now):
                return room
            self._tries.check(visitor, now)
            self._tries = self._tries.missed(visitor, now)
            raise RoomError(f"No room with the code {code} is open here: check the code on the presenter's screen.")

    def of(self, code: str) -> Room | None:
        """The room of this code, as it is now; None where it is gone."""
        with self._lock:
            return self._rooms.get(code)

    def change(self, code: str, do: Callable[[Room, float], Room]) -> Room:
        """What happened in a room.

        Args:
            do: from the room and the time to the room afterwards.

        Raises:
            RoomError: it is refused, or there is no such room.
        """
        with self._lock:
            room = self._rooms.get(code)
            if room is None:
                raise RoomError(f"The room {code} is closed: ask the presenter for the new code.")
            self._rooms[code] = now = do(room, self._clock())
            if now is not room:
                self._keep(code)
        if now.face != room.face:
            self._notify(audience(code), 0.0)
        elif now.poll is not room.poll:
            self._notify(audience(code), _COUNTED_APART_S)
        if now.moment.run != room.moment.run or now.moment.lesson != room.moment.lesson or now.closed:
            self._notify(stage(code), 0.0)
        return now

    def now(self) -> float:
        """The time by the clock of the rooms."""
        return self._clock()

    def show(self, code: str, view: View) -> None:
        """What is on the presenter's stage."""
        with self._lock:
            before = self._views.get(code)
            self._views[code] = view
        if before is None or before["id"] != view["id"]:
            self._notify(stage(code), 0.0)
        elif before != view:
            self._notify(stage(code), _STAGED_APART_S)

    def view(self, code: str) -> View | None:
        """The same."""
        with self._lock:
            return self._views.get(code)

    def save(self) -> None:
        """Write what has changed, now."""
        with self._lock:
            self._timer, changed = None, [*self._changed]
            self._changed.clear()
            texts = {code: write(self._rooms[code]) for code in changed if code in self._rooms}
        for code, text in texts.items():
            path = self._folder / f"{code}.json"
            partial = path.with_suffix(".part")
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                partial.write_text(text)
                os.replace(partial, path)
            except OSError as error:
                self.note = (
                    f"Rooms cannot be saved in {str(self._folder)!r} ({error.strerror}): they end with this server."
                )

    def _keep(self, code: str) -> None:
        self._changed.add(code)
        if self._timer is None:
            self._timer = threading.Timer(_SAVED_APART_S, self.save)
            self._timer.daemon = True
            self._timer.start()

    def _forget(self) -> None:
        """Drop the rooms that are over."""
        now = self._clock()
        for code in [code for code, room in self._rooms.items() if is_over(room, now)]:
            del self._rooms[code]
            self._views.pop(code, None)
            (self._folder / f"{code}.json").unlink(missing_ok=True)

    def _read(self) -> dict[str, Room]:
        """The rooms of before; a file that cannot be read is set aside."""
        found: dict[str, Room] = {}
        try:
            paths = sorted(self._folder.glob("*.json"))
        except OSError as error:
            raise StoreError(f"The rooms in {str(self._folder)!r} could not be read ({error.strerror}).") from None
        for path in paths:
            try:
                room = read(path.read_text())
            except (RoomError, OSError, UnicodeDecodeError):
                aside = path.with_suffix(".damaged")
                os.replace(path, aside)
                self.note = f"A saved room was damaged, and is now {aside.name!r}: open a new one."
                continue
            if not is_over(room, self._clock()):
                found[room.code] = room
        return found
