"""The messages between the page and the engine process: typed commands and events, each one line of JSON.

Both ends import this module, so that a field that one of them lacks is an error of the type checker. A message is written as
{"kind": its class, and its fields by name}, by the same writer and reader as recordings; bytes are base64. A round has the
shape that it has in a recording. Standard library only.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar, get_args

from specviz.errors import SpecvizError, WorkerError, brief
from specviz.known_pairs import PairStatus
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.cards import PairCard
from specviz.trace.conditions import Conditions
from specviz.trace.files import from_json, to_json
from specviz.trace.plan import Plan
from specviz.trace.records import Prefill, Round, Stop, TokenBytes


class Lane(StrEnum):
    """One of the two runs of a prompt."""

    SPECULATIVE = "speculative"
    PLAIN = "plain"


# ------------------------------------------------------------------ commands, from the page


@dataclass(frozen=True, slots=True)
class Load:
    """Load a pair and warm it up."""

    job: str
    pair: PairRequest


@dataclass(frozen=True, slots=True)
class RunPrompt:
    """Load the pair of the request, unless it is loaded, and run the prompt."""

    job: str
    request: Request


@dataclass(frozen=True, slots=True)
class Perform:
    """Load the pair, unless it is loaded, and perform a task of another package, such as an audit (`specviz.engine`).

    Attributes:
        pair: None for a task that needs no pair of the page.
        asked: the request, a record of the task's own package, as JSON text.
    """

    job: str
    pair: PairRequest | None
    task: str
    asked: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """End a job after the round or the pass it is in, or before it starts."""

    job: str


# ------------------------------------------------------------------ events, from the engine process


@dataclass(frozen=True, slots=True)
class Ready:
    """The engine has started and reads commands.

    Attributes:
        machine: where it runs, see `specviz.runs.serve.machine_name`: engines of a cluster that share a machine can disturb each other.
        listings: the pairs that are offered, as this machine sees them.
    """

    machine: str = ""
    listings: tuple[PairStatus, ...] = ()


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The engine ends, or could not start; `why` has the reason in a few words."""

    why: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The engine is loading, preparing a run, timing it again, or doing a task.

    Attributes:
        what: what it is doing, in a few words.
        share: how much of it is done, 0 to 1; None where that is not known.
    """

    job: str
    what: str
    share: float | None


@dataclass(frozen=True, slots=True)
class LoadedPair:
    """The pair is loaded and warm.

    Attributes:
        plain_rate: tokens per second of plain decoding, measured on a standard prompt.
        why_dtype: why the number format was chosen, in a sentence; "" where the page gave it.
    """

    job: str
    card: PairCard
    plain_rate: float
    why_dtype: str = ""


@dataclass(frozen=True, slots=True)
class RunStart:
    """The speculative run has its first round.

    Attributes:
        card: what runs, with the drafter of this run.
        prompt_ids: the ids that were fed, template and special tokens included.
        tokens: their bytes.
        settings: those of the run, with nothing left open.
        plan: how what the request left open was chosen; None where it left nothing open.
    """

    job: str
    card: PairCard
    prompt_ids: tuple[int, ...]
    tokens: dict[int, TokenBytes]
    prefill: Prefill
    settings: Settings
    plan: Plan | None


@dataclass(frozen=True, slots=True)
class Rounds:
    """The next rounds of a lane, in order, as text that the page passes on as it is. `batch`: JSON: {"rounds": as in a
    recording, "tokens": the bytes of the ids in them that no message before had}."""

    job: str
    lane: Lane
    batch: str

    @classmethod
    def of(cls, job: str, lane: Lane, rounds: Iterable[Round], tokens: Mapping[int, TokenBytes]) -> "Rounds":
        """The message of these rounds. Raises ValueError if a number in them is not finite."""
        fields = {"rounds": to_json(tuple(rounds)), "tokens": to_json(dict(tokens))}
        return cls(job, lane, json.dumps(fields, separators=(",", ":"), allow_nan=False))


@dataclass(frozen=True, slots=True)
class LaneEnd:
    """The run of a lane is over, and why."""

    job: str
    lane: Lane
    stop: Stop


@dataclass(frozen=True, slots=True)
class Done:
    """The job is over, or was cancelled. A task has only its reports.

    Attributes:
        recording: as `specviz.trace.files.dumps` writes it, so that the page need not write it again: the speculative run and the
            plain one, of the pair of runs with the median speedup (without a plain run: of the median time). Fewer runs where the
            job was cancelled; None where it was cancelled before its first round.
        speedups: of every pair of runs that counts (see `conditions`), in order.
        timed: how many times the run was timed, as far as it counts.
        conditions: whether other programs disturbed the runs, and whether the figures can be trusted; None where no run ended.
    """

    job: str
    cancelled: bool
    recording: str | None = None
    speedups: tuple[float, ...] = ()
    timed: int = 0
    conditions: Conditions | None = None


@dataclass(frozen=True, slots=True)
class TaskReport:
    """The results of a task so far, a record of its own package as JSON text: each report replaces the one before."""

    job: str
    report: str


@dataclass(frozen=True, slots=True)
class JobFailure:
    """The job failed; one sentence for a person."""

    job: str
    message: str


JobCommand = Load | RunPrompt | Perform  # the engine does them one after the other
Command = JobCommand | Cancel
JobEvent = Progress | LoadedPair | RunStart | Rounds | LaneEnd | Done | TaskReport | JobFailure
Event = Ready | Unavailable | JobEvent


def pair_of(command: JobCommand) -> PairRequest | None:
    """The models that a command names; None where it names none."""
    return command.request.pair if isinstance(command, RunPrompt) else command.pair


# ------------------------------------------------------------------ lines


def encode(message: Command | Event) -> str:
    """A message as one line of JSON, without its line end. Raises ValueError if a number in it is not finite."""
    fields = {"kind": type(message).__name__, **to_json(message)}
    return json.dumps(fields, separators=(",", ":"), allow_nan=False)


def decode_command(line: str) -> Command:
    """Read a command. Raises WorkerError if the line is not a command, or a field of it is missing, unknown or of
    another type."""
    return _decode(line, "a command", _COMMANDS)


def decode_event(line: str) -> Event:
    """Read an event. Raises WorkerError if the line is not an event, or a field of it is missing, unknown or of another
    type."""
    return _decode(line, "an event", _EVENTS)


_COMMANDS: dict[str, type[Command]] = {kind.__name__: kind for kind in get_args(Command)}
_EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
_Message = TypeVar("_Message")


def _decode(line: str, what: str, kinds: dict[str, type[_Message]]) -> _Message:
    try:
        fields = json.loads(line)
        kind = kinds[fields.pop("kind")]
        message: _Message = from_json(kind, fields, kind.__name__)
    except (ValueError, LookupError, TypeError, AttributeError, SpecvizError) as error:
        why = brief(error).removeprefix("In the recording, ")
        raise WorkerError(
            f"Page and engine process do not understand each other: {what} cannot be read ({why})."
        ) from error
    return message
