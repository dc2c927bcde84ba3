"""One job: a command for the engine, what the engine has reported of it so far, and the JSON of it for the player. Makes no Streamlit call."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import chain
from time import monotonic
from typing import Any, assert_never

from app.server.bell import Bell
from specviz.known_pairs import Listing
from specviz.request import PairAsked, Request
from specviz.settings import Settings
from specviz.trace.cards import PairCard
from specviz.trace.conditions import Conditions, beside_others
from specviz.trace.files import to_json
from specviz.trace.plan import Plan
from specviz.trace.records import Stop
from specviz.wire import (
    Done,
    Ended,
    Failed,
    JobCommand,
    JobEvent,
    Lane,
    ListPairs,
    Load,
    Loaded,
    Pairs,
    Perform,
    Performed,
    Progress,
    Reported,
    Rounds,
    RunPrompt,
    Started,
    Timing,
)


class Status(StrEnum):
    """The state of a job."""

    QUEUED = "queued"
    LOADING = "loading"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


_FRESH_S = 3.0
"""A run that began less long ago is not begun again by another click."""
_LETTERS_OF_ID = 8
_OVER = (Status.DONE, Status.CANCELLED, Status.FAILED)
Json = dict[str, Any]


def always() -> bool:
    """Somebody watches: for jobs that nobody in particular asked for."""
    return True


def _by_lane() -> dict[Lane, list[Any]]:
    return {lane: [] for lane in Lane}


@dataclass(slots=True)
class Job:
    """One command for the engine and everything that was reported of it so far; read it through `Jobs.view` while it runs.

    Attributes:
        what, share: what the engine is doing before the first round or in a task, and how much of it is done; after the last
            round, why it times the run again.
        card: of the pair, once it is loaded.
        run_card: of the run, with its drafter, once it has started.
        settings: of the run, with nothing left open, once it has started; None before.
        plan: how what the request left open was chosen; None before, and where it left nothing open.
        plain_rate: tokens per second of plain decoding on a standard prompt.
        why_dtype: why the engine chose the number format, in a sentence, or "".
        started: what is known of a run before its rounds, as JSON: prompt, settings, card and tokens; None before.
        log: the rounds as they came, by lane, in batches as in `specviz.wire.Rounds`: `app.server.updates` passes them on.
        bell: is rung when anything of this has changed.
        report: the last report of a task, as JSON text; None before the first.
        recording: of the run that is over, as text; None before, and where nothing was recorded.
        visitor: who requested it; empty for nobody in particular.
        began, heard: when it was sent to the engine, and when the engine last reported anything of it, in seconds of a clock that only
            goes forward; None before.
        counts: since when its time counts, by the same clock: its models were there; None before.
        against: the id of the run in whose third lane it races, and with whose plain run it is compared; "" for none.
        neighbours: whether another engine of its machine did a job, or started, while this one may have been timed.
        over_limit: whether it was cancelled for taking too long.
        stopped: when it was cancelled, by the same clock; it may not be over yet. None before.
        watchers: check whether a page that shows it is still open; `unwatched` counts how many checks in a row none was.
    """

    command: JobCommand
    status: Status = Status.QUEUED
    message: str = ""
    what: str = ""
    share: float | None = None
    card: PairCard | None = None
    plain_rate: float | None = None
    why_dtype: str = ""
    run_card: PairCard | None = None
    settings: Settings | None = None
    plan: Plan | None = None
    started: Json | None = None
    log: dict[Lane, list[str]] = field(default_factory=_by_lane)
    bell: Bell = field(default_factory=Bell)
    ended: dict[Lane, Stop] = field(default_factory=dict)
    recording: str | None = None
    speedups: tuple[float, ...] = ()
    timed: int = 0
    conditions: Conditions | None = None
    listings: tuple[Listing, ...] | None = None
    report: str | None = None
    visitor: str = ""
    against: str = ""
    began: float | None = None
    heard: float | None = None
    counts: float | None = None
    neighbours: bool = False
    over_limit: bool = False
    stopped: float | None = None
    watchers: set[Callable[[], bool]] = field(default_factory=lambda: {always})
    unwatched: int = 0
    _read: Json | None = None
    _batches: dict[Lane, list[Json]] = field(default_factory=_by_lane)

    @property
    def id(self) -> str:
        """The name of the job, in commands and events."""
        return self.command.job

    @property
    def fresh(self) -> bool:
        """Whether it was requested a moment ago, and is still wanted: it waits, or has just begun."""
        if self.over or self.stopped is not None:
            return False
        return self.began is None or not self.log[Lane.SPECULATIVE] or monotonic() - self.began < _FRESH_S

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status in _OVER

    @property
    def letters(self) -> int:
        """About how long everything is that it keeps, written as text."""
        asked = 0
        if isinstance(self.command, RunPrompt):
            earlier = sum(map(len, self.command.request.earlier))
            asked = len(self.command.request.prompt) + _LETTERS_OF_ID * earlier
        elif isinstance(self.command, Perform):
            asked = len(self.command.asked)
        live = sum(len(batch) for log in self.log.values() for batch in log)
        return asked + live + len(self.recording or "") + len(self.report or "")

    @property
    def pair(self) -> PairAsked | None:
        """The models that the command names; None where it names none."""
        match self.command:
            case Load(pair=pair) | Perform(pair=pair):
                return pair
            case RunPrompt(request=request):
                return request.pair
            case ListPairs():
                return None

    @property
    def request(self) -> Request:
        """The request of a run."""
        assert isinstance(self.command, RunPrompt), "only a run has a request"
        return self.command.request

    @property
    def ran(self) -> Request:
        """The request with the settings of the run: what the request leaves open is chosen once it has started."""
        return replace(self.request, settings=self.settings or self.request.settings)


@dataclass(frozen=True, slots=True)
class LoadState:
    """The state of a load, at one moment; the fields are those of `Job`, the number of jobs before it in the queue, and how long they take."""

    status: Status
    message: str
    what: str
    share: float | None
    queue_position: int
    card: PairCard | None
    plain_rate: float | None
    why_dtype: str
    wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class TaskState:
    """The state of a task, at one moment; the fields are those of `Job`, the number of jobs before it in the queue, and how long they take."""

    status: Status
    message: str
    what: str
    share: float | None
    queue_position: int
    report: str | None
    wait_s: float | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status in _OVER


def fail(job: Job, message: str) -> None:
    """End a job with one sentence for a person."""
    job.status, job.message = Status.FAILED, message


def take(job: Job, event: JobEvent) -> None:
    """Write what an event reports into the job."""
    match event:
        case Progress():
            needs = job.pair is not None and job.card is None
            at_work = isinstance(job.command, Perform) and not needs
            job.status, job.what, job.share = Status.RUNNING if at_work else Status.LOADING, event.what, event.share
        case Loaded():
            job.card, job.plain_rate, job.why_dtype = event.card, event.plain_rate, event.why_dtype
            job.what, job.share = "", None
            job.status = Status.DONE if isinstance(job.command, Load) else Status.RUNNING
        case Started() | Rounds() | Ended():
            _take_live(job, event)
        case Timing():
            job.what = event.what
        case Done():
            _take_done(job, event)
        case Pairs():
            job.listings, job.status = event.listings, Status.DONE
        case Reported() | Performed():
            _take_found(job, event)
        case Failed():
            fail(job, event.message)
        case _:
            assert_never(event)


def _take_done(job: Job, event: Done) -> None:
    """The same for a run that is over."""
    job.recording = event.recording
    job.speedups, job.timed, job.conditions, job.what = event.speedups, event.timed, event.conditions, ""
    if job.neighbours and job.conditions is not None:
        job.conditions = beside_others(job.conditions)
    job.status = Status.CANCELLED if event.cancelled else Status.DONE
    if job.recording is not None:  # which has all of it
        job.log, job._batches = _by_lane(), _by_lane()


def _take_found(job: Job, event: Reported | Performed) -> None:
    """The same for what a task has found."""
    match event:
        case Reported():
            job.status, job.report = Status.RUNNING, event.report
        case Performed():
            job.what, job.share = "", None
            job.status = Status.CANCELLED if event.cancelled else Status.DONE
        case _:
            assert_never(event)


def _take_live(job: Job, event: Started | Rounds | Ended) -> None:
    """The same for the events of a live run."""
    match event:
        case Started():
            job.status, job.run_card = Status.RUNNING, event.card
            job.settings, job.plan = event.settings, event.plan
            job.what, job.share = "", None
            if job.card is not None:  # some paths are checked when a run first needs them
                job.card = replace(job.card, notes=event.card.notes)
            job.started = {
                "prompt": job.request.prompt,
                "settings": asdict(event.settings),
                "prompt_ids": list(event.prompt_ids),
                "prefill": to_json(event.prefill),
                "tokens": to_json(event.tokens),
                "card": to_json(event.card),
            }
        case Rounds():
            job.log[event.lane].append(event.batch)
        case Ended():
            job.ended[event.lane] = event.stop
        case _:
            assert_never(event)


def recording_of(job: Job) -> Json | None:
    """The recording of a run that is over, as plain JSON; None before, and where nothing was recorded."""
    if job.recording is not None and job._read is None:
        job._read = json.loads(job.recording)
    return job._read


def live_of(job: Job) -> Json | None:
    """What has come so far of a run, as plain JSON; None before its first round."""
    if job.started is None or not job.log[Lane.SPECULATIVE]:
        return None
    for lane, batches in job._batches.items():
        batches.extend(map(json.loads, job.log[lane][len(batches) :]))
    tokens = {**job.started["tokens"]}
    for batch in chain.from_iterable(job._batches.values()):
        tokens |= batch["tokens"]
    rounds = {lane: [each for batch in batches for each in batch["rounds"]] for lane, batches in job._batches.items()}
    return {
        **job.started,
        "tokens": tokens,
        "rounds": rounds[Lane.SPECULATIVE],
        "plain_rounds": rounds[Lane.PLAIN],
        "ended": ended_of(job),
    }


def ended_of(job: Job) -> Json:
    """Why each lane that is over ended."""
    return {lane.value: stop.value for lane, stop in job.ended.items()}
