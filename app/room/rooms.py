"""The rooms of this server, for all visitors, in memory and on disk. Makes no Streamlit call; every method may be called from any thread."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, time
from typing import Any

from app.bell import Bell
from app.health import is_free
from app.limits import NOBODY
from specviz.errors import StoreError
from specviz.rooms import codes
from specviz.rooms.errors import RoomError
from specviz.rooms.moment import Moment
from specviz.rooms.room import Room, is_over, not_after
from specviz.rooms.saved import read, write

MOST_ROOMS, MOST_OF_ADDRESS = 20, 5
"""Open rooms of visitors: of all, and of one address. The host of a classroom opens as many more."""
_SAVED_APART_S = 1.0
_COUNTED_APART_S = 1.0
"""How often the audience hears that somebody voted."""
_SEEN_APART_S = 5.0
"""How often the presenter hears who is here."""
_LEADS = 200
"""Of so many pages of presenters the secrets are remembered."""
_RUNS = 20
"""Of so many runs of a room it is known how far they were shown."""
_HOST = "host"
"""From where the rooms of the server's host were opened, instead of an address."""
View = dict[str, Any]


class Rooms:
    """Rooms by their codes. What happens in a room is on disk a second later.

    Args:
        folder: of their files. A room that is closed has none any more: prompts of the audience are in it.
        clock: seconds, which go on while the server is off; None: of a clock that only goes forward.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] | None = None) -> None:
        self._folder, self._clock = folder, clock or _forward()
        self._lock, self._writing = threading.RLock(), threading.Lock()
        self._opened: dict[str, str] = {}
        self._tries = codes.Tries()
        self._views: dict[str, View] = {}
        self._reached: dict[str, dict[str, int]] = {}
        self._bells: dict[str, Bell] = {}
        self._desks: dict[str, Bell] = {}
        self._leads: dict[str, tuple[str, str]] = {}
        self._changed: set[str] = set()
        self._timer: threading.Timer | None = None
        self.note = ""
        self._rooms = self._read()

    def open(self, presenter: str, address: str = "", *, host: bool = False) -> Room:
        """A room for this visitor; the one that he has, if it is open.

        Args:
            address: from where he comes; "" where that is not known.
            host: whether he is the host of the server, for whom there is room when visitors have taken theirs.

        Raises:
            RoomError: he has no identity, or the server has enough rooms.
        """
        if not presenter:
            raise RoomError(NOBODY)
        with self._lock:
            known = self.led_by(presenter)
            if known is not None:
                return known
            self._forget()
            opener = _HOST if host else address
            of_host = [where for where in self._opened.values() if where == _HOST]
            taken = len(of_host) if host else len(self._rooms) - len(of_host)
            if taken >= MOST_ROOMS:
                raise RoomError(f"{MOST_ROOMS} rooms are open on this server, which is all it holds: close one first.")
            if not host and address and [*self._opened.values()].count(address) >= MOST_OF_ADDRESS:
                raise RoomError(f"{MOST_OF_ADDRESS} rooms were opened from your network: close one of them first.")
            code = codes.new_code(self._rooms)
            self._rooms[code] = Room(code, codes.digest(presenter), token_hex(16), self._clock())
            self._opened[code] = opener
            self._keep(code)
            return self._rooms[code]

    def led_by(self, presenter: str) -> Room | None:
        """The open room of this visitor."""
        with self._lock:
            now = self._clock()
            mine = (room for room in self._rooms.values() if codes.matches(presenter, room.kept))
            return next((room for room in mine if not is_over(room, now)), None)

    def find(self, typed: str, visitor: str, address: str = "") -> Room:
        """The room of a code that somebody typed. Who is in it already finds it again however many codes were tried.

        Raises:
            RoomError: there is none, or this visitor or his address has tried too many: then the right one is refused like any other.
        """
        with self._lock:
            now = self._clock()
            room = self._rooms.get(code := codes.read_code(typed))
            there = room is not None and not is_over(room, now)
            if room is not None and there and visitor and codes.voter(visitor, room.key) in room.people:
                return room
            self._tries.check(visitor, address, now)
            if room is not None and there:
                return room
            self._tries = self._tries.missed(visitor, address, now)
            raise RoomError(
                "No room with the code {code} is open here: check the code on the presenter's screen.", code=code
            )

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
                raise RoomError("The room {code} is closed: ask the presenter for the new code.", code=code)
            self._rooms[code] = now = do(room, self._clock())
            if now is not room:
                self._keep(code)
            further = self._go_on(code, now.moment)
        if now.face != room.face or further:
            self.bell(code).ring()
        elif now.poll is not room.poll:
            self.bell(code).ring(_COUNTED_APART_S)
        self.desk(code).ring(
            _SEEN_APART_S if (now.face, now.poll, now.sent) == (room.face, room.poll, room.sent) else 0.0
        )
        return now

    def desk(self, code: str) -> Bell:
        """Is rung when something of a room has changed that its presenter sees."""
        with self._lock:
            return self._desks.setdefault(code, Bell())

    def bell(self, code: str) -> Bell:
        """Is rung when something of a room has changed that its audience sees."""
        with self._lock:
            return self._bells.setdefault(code, Bell())

    def lead(self, code: str, presenter: str) -> str:
        """The secret with which a page of this presenter steers the room without its cookie, which no script can read."""
        with self._lock:
            known = next((secret for secret, led in self._leads.items() if led == (code, presenter)), None)
            secret = known or token_hex(24)
            self._leads[secret] = (code, presenter)
            while len(self._leads) > _LEADS:
                del self._leads[next(iter(self._leads))]
            return secret

    def presenter(self, code: str, secret: str) -> str:
        """Who steers the room with this secret; "" where nobody does."""
        with self._lock:
            led = self._leads.get(secret)
            return led[1] if led is not None and led[0] == code else ""

    def reached(self, code: str, run: str) -> int:
        """The index of the first round of a run whose verdicts the presenter's stage has not shown yet, however far it has gone back since."""
        with self._lock:
            room = self._rooms.get(code)
            at = room.moment.round if room is not None and room.moment.run == run else 0
            return max(at, self._reached.get(code, {}).get(run, 0))

    def _go_on(self, code: str, moment: Moment) -> bool:
        """Whether the presenter's stage shows verdicts that it had not shown."""
        known = self._reached.setdefault(code, {})
        before = known.pop(moment.run, -1)
        known[moment.run] = max(before, moment.round)
        while len(known) > _RUNS:
            del known[next(iter(known))]
        return moment.round > before

    def now(self) -> float:
        """The time by the clock of the rooms."""
        return self._clock()

    def show(self, code: str, view: View) -> None:
        """What is on the presenter's stage."""
        with self._lock:
            before = self._views.get(code)
            self._views[code] = view
        if before is not view:
            self.bell(code).ring()

    def view(self, code: str) -> View | None:
        """The same."""
        with self._lock:
            return self._views.get(code)

    def save(self) -> None:
        """Write what has changed, now; what is over is deleted."""
        with self._writing:  # nobody else waits for the disk
            with self._lock:
                self._timer, changed = None, {*self._changed}
                self._changed.clear()
                now = self._clock()
                kept = {code: self._rooms.get(code) for code in changed}
                texts = {
                    code: write(room) for code, room in kept.items() if room is not None and not is_over(room, now)
                }
            for code in changed:
                path = self._folder / f"{code}.json"
                partial = path.with_suffix(".part")
                try:
                    if code not in texts:
                        path.unlink(missing_ok=True)
                        continue
                    self._folder.mkdir(parents=True, exist_ok=True)
                    partial.write_text(texts[code], encoding="utf-8")
                    os.replace(partial, path)
                except OSError as error:
                    self.note = (
                        f"Rooms cannot be saved in {str(self._folder)!r} ({error.strerror}): they end with this server."
                    )

    def answers(self, seconds: float) -> bool:
        """Whether rooms can be asked anything within so long."""
        return is_free(self._lock, seconds)

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
            self._reached.pop(code, None)
            self._opened.pop(code, None)
            self.bell(code).ring()
            self._bells.pop(code, None)
            self._desks.pop(code, None)
            self._keep(code)

    def _read(self) -> dict[str, Room]:
        """The rooms of before; a file that cannot be read is set aside, and that of one that is over is deleted. A time that is not over yet, since
        the system's clock was set back, is now."""
        found: dict[str, Room] = {}
        try:
            paths = sorted(self._folder.glob("*.json"))
        except OSError as error:
            raise StoreError(f"The rooms in {str(self._folder)!r} could not be read ({error.strerror}).") from None
        for path in paths:
            now = self._clock()
            try:
                room = not_after(_of_file(path), now)
            except (RoomError, OSError, UnicodeDecodeError):
                aside = path.with_suffix(".damaged")
                with suppress(OSError):  # a folder that cannot be written to; the note says it all the same
                    os.replace(path, aside)
                self.note = f"A saved room was damaged, and is now {aside.name!r}: open a new one."
                continue
            if not is_over(room, now):
                found[room.code] = room
            else:
                with suppress(OSError):
                    path.unlink()
        return found


def _of_file(path: Path) -> Room:
    room = read(path.read_text(encoding="utf-8"))
    if room.code != path.stem:
        raise RoomError(f"The file {path.name!r} has the room {room.code}.")
    return room


def _forward() -> Callable[[], float]:
    """Seconds since 1970 by the system's clock as it is now, and from then on what has passed, whoever sets that clock."""
    begun = time() - monotonic()
    return lambda: begun + monotonic()
