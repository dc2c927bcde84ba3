"""What the lab measured, in one SQLite file in the user's data folder: sweeps, their runs, and a recording of each run.

Every run is written in one transaction when it is over, so a process that is killed loses the run in hand and nothing else. A file that
is damaged, or was written by a newer version, is renamed and a new one begun; nothing is ever deleted. Standard library only.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from specviz.errors import InputError, StoreError, TraceError
from specviz.folders import data_folder
from specviz.lab.plan import SweepPlan, check_size, tasks, values_at
from specviz.lab.results import MEASURED, Found, Sweep, standing
from specviz.trace.files import MAX_BYTES, from_json, to_json

FILE = "lab.sqlite3"
VERSION = 1
LONGEST_NAME = 80
_SWEEP = "INSERT INTO sweeps (name, created, machine, plan, runs) VALUES (?, ?, ?, ?, ?)"
_RUN = "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_OURS = 0x5350564C
"""What marks a SQLite file as the lab's ("SPVL")."""
_PATIENCE_S = 10.0
"""How long a process waits while another one writes."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_TABLES = """
CREATE TABLE sweeps (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL, machine TEXT NOT NULL, plan TEXT NOT NULL,
    runs INTEGER NOT NULL);
CREATE TABLE runs (sweep INTEGER NOT NULL REFERENCES sweeps (id), task INTEGER NOT NULL, how TEXT NOT NULL, at TEXT NOT NULL,
    title TEXT NOT NULL, alpha REAL, speedup REAL, wall_s REAL NOT NULL, found TEXT NOT NULL, PRIMARY KEY (sweep, task)) WITHOUT ROWID;
CREATE TABLE recordings (sweep INTEGER NOT NULL REFERENCES sweeps (id), task INTEGER NOT NULL, recording BLOB NOT NULL,
    PRIMARY KEY (sweep, task));
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """One sweep in the list.

    Attributes:
        axes: the names of what it varies.
        runs, done: how many runs it has, and how many of them were made.
        seconds: what these took.
    """

    name: str
    created: str
    machine: str
    axes: tuple[str, ...]
    runs: int
    done: int
    seconds: float


def _row(sweep: int | None, plan: SweepPlan, found: Found, how: str) -> tuple[Any, ...]:
    """A run as the table has it."""
    task = tasks(plan)[found.task]
    at = ", ".join(f"{axis}={value}" for axis, value in values_at(plan, task).items())
    counts = found.row
    alpha = counts.accepted / counts.judged if counts is not None and counts.judged else None
    speedup = None if counts is None else counts.speedup.median
    text = json.dumps(to_json(found), allow_nan=False)
    return sweep, found.task, how, at, plan.prompts[task.prompt].title, alpha, speedup, found.wall_s, text


class Store:
    """The lab's database; each method opens it anew, so that page and command can use it at the same time.

    Attributes:
        path: the file.
        note: one sentence where an earlier file was set aside; else "".

    Raises:
        StoreError: the file cannot be opened or made.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = data_folder() / FILE if path is None else path
        self.note = ""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if fault := _fault(self.path):
                self.note = _set_aside(self.path, fault)
        except OSError as error:
            raise StoreError(
                f"The lab's database {str(self.path)!r} could not be opened ({error.strerror}): set SPECVIZ_DATA to a folder that can be written."
            ) from None
        with self._database() as db:
            db.execute("BEGIN IMMEDIATE")  # of two processes that begin the file together, the second finds it made
            if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in filter(str.strip, _TABLES.split(";")):
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {_OURS}")
                db.execute(f"PRAGMA user_version = {VERSION}")

    def begin(self, name: str, plan: SweepPlan, machine: str) -> Sweep:
        """Begin a sweep under a new name.

        Raises:
            InputError: the name is taken or cannot be used, or the sweep is too large.
        """
        check_size(plan, self.run_seconds())
        _check_name(name)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        with self._database() as db:
            try:
                db.execute(_SWEEP, (name, made, machine, json.dumps(to_json(plan)), plan.size))
            except sqlite3.IntegrityError:
                raise InputError(f"A sweep called {name!r} exists already: resume it, or give another name.") from None
        return Sweep(name, made, machine, plan, tasks(plan), ())

    def keep(self, name: str, found: Found, recording: str | None = None) -> None:
        """Store one run, in place of an earlier one of the same task, see `specviz.lab.results.standing`; when this returns, it is on the disk.

        Args:
            recording: the run and its plain run, as `specviz.trace.files.dumps` writes them.
        """
        with self._database() as db:
            sweep, plan = self._plan(db, name)
            earlier = self._earlier(db, sweep, found.task, name)
            if earlier is not None and (kept := standing(earlier, found)) is not found:
                text = json.dumps(to_json(kept), allow_nan=False)
                db.execute("UPDATE runs SET found = ? WHERE sweep = ? AND task = ?", (text, sweep, found.task))
                return
            db.execute(_RUN, _row(sweep, plan, found, found.how))
            db.execute("DELETE FROM recordings WHERE sweep = ? AND task = ?", (sweep, found.task))
            if recording is not None:
                packed = zlib.compress(recording.encode("ascii"))
                db.execute("INSERT INTO recordings VALUES (?, ?, ?)", (sweep, found.task, packed))

    def adopt(self, text: str) -> str:
        """Store a sweep that was measured elsewhere, as `text_of` writes it, and return its name: its own, or a free one.

        Raises:
            StoreError: the text is no sweep.
        """
        try:
            read = json.loads(text)
            name, created, machine = (str(read[part]) for part in ("name", "created", "machine"))
            plan = from_json(SweepPlan, read["plan"], "plan")
            found = [from_json(Found, each, "found") for each in read["found"]]
            _ = [tasks(plan)[each.task] for each in found]
        except (ValueError, KeyError, TypeError, IndexError, TraceError) as error:
            raise StoreError(f"The sweep could not be read ({type(error).__name__}: {error}).") from None
        if any(each.name == name for each in self.listing()):
            name = self.free_name(plan)
        _check_name(name)
        with self._database() as db:
            number = db.execute(_SWEEP, (name, created, machine, json.dumps(to_json(plan)), plan.size)).lastrowid
            for each in found:
                db.execute(_RUN, _row(number, plan, each, f"{each.how} elsewhere"))
        return name

    def note_machine(self, name: str, machine: str) -> None:
        """Write down where a sweep is measured, if nothing is written yet.

        Raises:
            InputError: there is no such sweep.
        """
        with self._database() as db:
            number, _ = self._plan(db, name)
            db.execute("UPDATE sweeps SET machine = ? WHERE id = ? AND machine = ''", (machine, number))

    def sweep(self, name: str) -> Sweep:
        """A sweep with everything that was measured of it.

        Raises:
            InputError: there is none of this name.
            StoreError: it cannot be read.
        """
        with self._database() as db:
            number, plan = self._plan(db, name)
            created, machine = db.execute("SELECT created, machine FROM sweeps WHERE id = ?", (number,)).fetchone()
            rows = db.execute("SELECT found FROM runs WHERE sweep = ? ORDER BY task", (number,)).fetchall()
        found = tuple(_read(Found, text, name) for (text,) in rows)
        return Sweep(name, created, machine, plan, tasks(plan), found)

    def recording(self, name: str, task: int) -> str | None:
        """The recording of a run, to be opened on Watch or saved; None where it has none, as a replanned run.

        Raises:
            InputError: there is no such sweep.
        """
        with self._database() as db:
            number, _ = self._plan(db, name)
            row = db.execute("SELECT recording FROM recordings WHERE sweep = ? AND task = ?", (number, task)).fetchone()
        if row is None:
            return None
        try:
            return zlib.decompressobj().decompress(row[0], MAX_BYTES).decode("ascii")
        except (zlib.error, UnicodeDecodeError):
            raise StoreError(f"The recording of run {task} of {name!r} is damaged: measure it again.") from None

    def listing(self) -> tuple[Listed, ...]:
        """Every sweep, the latest first."""
        asked = """SELECT name, created, machine, plan, runs, COUNT(task), TOTAL(wall_s) FROM sweeps LEFT JOIN runs ON sweep = id
            GROUP BY id ORDER BY id DESC"""
        with self._database() as db:
            rows = db.execute(asked).fetchall()
        return tuple(
            Listed(name, created, machine, _axes(plan), runs, done, seconds)
            for name, created, machine, plan, runs, done, seconds in rows
        )

    def rename(self, name: str, new: str) -> None:
        """Give a sweep another name.

        Raises:
            InputError: there is none of this name, or the new one is taken or cannot be used.
        """
        _check_name(new)
        with self._database() as db:
            number, _ = self._plan(db, name)
            try:
                db.execute("UPDATE sweeps SET name = ? WHERE id = ?", (new, number))
            except sqlite3.IntegrityError:
                raise InputError(f"A sweep called {new!r} exists already: give another name.") from None

    def free_name(self, plan: SweepPlan) -> str:
        """A name that no sweep has, from what it varies."""
        wanted = " x ".join(axis.name for axis in plan.axes)
        taken = {each.name for each in self.listing()}
        names = (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3)))
        return next(name for name in names if name not in taken)

    def run_seconds(self) -> float | None:
        """The median seconds of the measured runs, for an estimate; None where there are none."""
        with self._database() as db:
            asked = "SELECT wall_s FROM runs WHERE how = ? ORDER BY sweep DESC, task DESC LIMIT 1000"
            times = [seconds for (seconds,) in db.execute(asked, (MEASURED,))]
        return median(times) if times else None

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """The database, open for one transaction.

        Raises:
            StoreError: it is locked, full, damaged or cannot be written.
        """
        try:
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE_S)) as db, db:
                yield db
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            raise StoreError(
                f"The lab's database {str(self.path)!r} could not be used ({error}): try again; a damaged one is set aside when it is next opened."
            ) from None

    def _earlier(self, db: sqlite3.Connection, sweep: int, task: int, name: str) -> Found | None:
        """What is stored of a run; None where nothing is, or nothing that can be read."""
        row = db.execute("SELECT found FROM runs WHERE sweep = ? AND task = ?", (sweep, task)).fetchone()
        with suppress(StoreError):
            return None if row is None else _read(Found, row[0], name)
        return None

    def _plan(self, db: sqlite3.Connection, name: str) -> tuple[int, SweepPlan]:
        row = db.execute("SELECT id, plan FROM sweeps WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise InputError(f"No sweep is called {name!r:.100}: `specviz lab list` shows those that there are.")
        return row[0], _read(SweepPlan, row[1], name)


def text_of(sweep: Sweep) -> str:
    """A sweep as text that another store can adopt; without the recordings of its runs."""
    found = [to_json(each) for each in sweep.found]
    whole = {
        "name": sweep.name,
        "created": sweep.created,
        "machine": sweep.machine,
        "plan": to_json(sweep.plan),
        "found": found,
    }
    return json.dumps(whole, separators=(",", ":"), allow_nan=False) + "\n"


def measured_elsewhere(before: str, here: str) -> str:
    """Why a sweep cannot go on here, "" where it can: its figures are those of one machine.

    Args:
        before, here: where it was measured, and where it would go on: the words of `specviz.reporting.machine`, perhaps after a number format.
    """
    one, other = (words.rsplit(", ", 2) for words in (before, here))
    if len(one) < 3 or len(other) < 3 or one[0].endswith(other[0]) or other[0].endswith(one[0]):
        return ""
    return (
        f"This sweep was measured on another machine ({one[0]}), and this one is {other[0]}: begin a new sweep for it."
    )


def _fault(path: Path) -> str:
    """Why a file cannot be used, in a few words; "" where it can, or where there is none.

    Raises:
        OSError: it cannot be opened at all.
    """
    if not path.exists():
        return ""
    with path.open("r+b"):
        pass
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE_S)) as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            made_by = db.execute("PRAGMA application_id").fetchone()[0]
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if version == made_by == 0 and not tables:
                return ""
            if made_by != _OURS:
                return "it is not the lab's"
            if version > VERSION:
                return "a newer version of specviz wrote it"
            checks = (db.execute(f"PRAGMA quick_check({table})").fetchone()[0] for table in ("sweeps", "runs"))
            sound = tables >= {"sweeps", "runs", "recordings"} and all(check == "ok" for check in checks)
            return "" if sound else "it is damaged"
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is None or code & 0xFF not in _DAMAGED:
            raise StoreError(
                f"The lab's database {str(path)!r} could not be opened ({error}): close the program that uses it."
            ) from None
        return "it is damaged"


def _set_aside(path: Path, fault: str) -> str:
    """Rename the file, and the journal that belongs to it; returns the sentence that says so."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (
        path.with_name(f"{path.stem}-set-aside-{stamp}{tail}{path.suffix}") for tail in ("", *map(str, range(100)))
    )
    aside = next(name for name in names if not name.exists())
    for end in ("-journal", "-wal", ""):
        part = Path(f"{path}{end}")
        if part.exists():
            os.rename(part, f"{aside}{end}")
    return f"The lab's database could not be used ({fault}): it was renamed to {str(aside)!r}, and a new one was begun."


def _axes(plan: str) -> tuple[str, ...]:
    try:
        return tuple(str(axis["name"]) for axis in json.loads(plan)["axes"])
    except (ValueError, KeyError, TypeError):
        return ()


def _read(kind: type, text: str, name: str) -> Any:
    try:
        return from_json(kind, json.loads(text), kind.__name__)
    except (ValueError, RecursionError, TraceError, InputError) as error:
        raise StoreError(
            f"The sweep {name!r} cannot be read ({error!s:.120}): measure it again under another name."
        ) from None


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise InputError(f"The name was {name!r:.100}: give 1 to {LONGEST_NAME} printable characters.")
