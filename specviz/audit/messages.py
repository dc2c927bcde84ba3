"""Messages between a page and an audit: requests and progress, records that cross the wire as JSON text. Standard library only."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from specviz.audit.records import Power
from specviz.settings import Range, Settings
from specviz.trace.files import from_json, to_json

AUDIT, ZOO = "audit", "zoo"  # the names of the tasks: an audit of a loaded pair, and one of an exhibit of the zoo
# In the order in which they run on a page: the histogram grows first, and the drafts of the same runs are read
# afterwards.
CHECKS = ("distribution", "drafts", "acceptance", "greedy text", "caches")
SAMPLES = Range(20, 20_000, step=20)
USUAL_SAMPLES, ZOO_SAMPLES = 400, 1000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """An audit of a loaded pair.

    Attributes:
        settings: of the runs; the audit sets their length.
        template: wrap it in the chat template, where there is one.
        samples: runs with a seed of their own, whose first tokens are counted.
    """

    settings: Settings
    prompt: str
    template: bool
    samples: int


@dataclass(frozen=True, slots=True)
class ExhibitRequest:
    """An audit of an exhibit of the zoo on its tiny models; `honest` leaves the bug out."""

    exhibit: str
    honest: bool
    samples: int


class CheckState(StrEnum):
    """The progress of a check, and in the end its verdict."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    PASSED = "passed"
    CAUGHT = "caught"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check with its evidence so far, or its finding.

    Attributes:
        sentence: for people; empty while it waits.
        done, total: texts or runs; both 0 where nothing was tried.
    """

    check: str
    state: CheckState = CheckState.WAITING
    sentence: str = ""
    done: int = 0
    total: int = 0

    @property
    def caught(self) -> bool:
        """True if the check reports something: a caught bug, or a decoder that failed."""
        return self.state in (CheckState.CAUGHT, CheckState.FAILED)


@dataclass(frozen=True, slots=True)
class TokenBar:
    """One token of the histogram: visible text, its exact probability p, and in how many runs it was the first one. `text` is None for all
    other tokens together."""

    text: str | None
    p: float
    count: int


@dataclass(frozen=True, slots=True)
class AuditProgress:
    """The state of an audit on the page; each record replaces the one before.

    Attributes:
        mark: BUG or LOSSY with the title of an exhibit, LOSSY with the name of a lossy rule; "" for a decoder that should be lossless.
        prompt: visible text that the counted tokens follow.
        lines: of all checks, in the order in which they run.
        bars: the histogram of the first token, most likely first; empty before the first run.
        power: the biases that the test of the distribution would have caught, where it caught nothing.
        over: the audit has ended; `stopped`: before its last check had.
        saved: the report as `specviz audit --json` prints it; "" before the end.
    """

    mark: str
    prompt: str
    lines: tuple[CheckLine, ...]
    bars: tuple[TokenBar, ...] = ()
    power: tuple[Power, ...] = ()
    over: bool = False
    stopped: bool = False
    saved: str = ""

    @property
    def caught(self) -> tuple[str, ...]:
        """The names of the checks that report something."""
        return tuple(line.check for line in self.lines if line.caught)

    @property
    def runs(self) -> int:
        """The number of first tokens that were counted."""
        return sum(bar.count for bar in self.bars)


def encode(record: object) -> str:
    """A record as JSON text."""
    return json.dumps(to_json(record), separators=(",", ":"), allow_nan=False)


def decode(kind: type[T], text: str) -> T:
    """The record of such a text. Raises TraceError if the text is not of this record."""
    record: T = from_json(kind, json.loads(text), kind.__name__)
    return record
