"""A job: a command for an engine, what the engine has reported of it so far, and that as JSON for the player. Makes no Streamlit call."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import chain
from time import monotonic
from typing import Any, assert_never

from app.server.notifier import Notifier
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.cards import PairCard
from specviz.trace.conditions import Conditions, beside_others, conditions_json
from specviz.trace.files import to_json
from specviz.trace.plan import Plan
from specviz.trace.records import Stop
from specviz.wire import (
    Done,
    JobCommand,
    JobEvent,
    JobFailure,
    Lane,
    LaneEnd,
    Load,
    LoadedPair,
    Perform,
    Progress,
    Rounds,
    RunPrompt,
    RunStart,
    TaskReport,
    pair_of,
)

Json = dict[str, Any]
_FRESH_S = 3.0  # a run that was sent less long ago is not requested again by another click
_CHARACTERS_OF_ID = 8


class Status(StrEnum):
    """The state of a job."""

    QUEUED = "queued"
    LOADING = "loading"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


def always() -> bool:
    """The watcher of a job that belongs to no page."""
    return True


def _by_lane() -> dict[Lane, list[Any]]:
    return {lane: [] for lane in Lane}


@dataclass(slots=True, eq=False)
class Job:
    """One command for an engine and everything that was reported of it so far. Times are in seconds of `time.monotonic`.

    Attributes:
        what, share: what the engine is doing before the first round or in a task, and how much of it is done; after the last
            round, why it times the run again.
        plain_rate: tokens per second of plain decoding on a standard prompt.
        why_dtype: why the engine chose the number format, in a sentence, or "".
        run_card: of the run, with its drafter, once it has started.
        settings: of the run, with nothing left open, once it has started; None before.
        plan: how what the request left open was chosen; None before, and where it left nothing open.
        started: what is known of a run before its rounds, as JSON: prompt, settings, card and tokens; None before.
        log: the rounds as they came, by lane, in batches as in `specviz.wire.Rounds`.
        recording: of the run that is over, as text; None before, and where nothing was recorded.
        report: the last report of a task, as JSON text; None before the first.
        visitor: who requested it; "" for a page that belongs to no visitor.
        rival_of: the id of the run in whose third lane it races, and with whose plain run it is compared; "" for none.
        sent_at, reported_at: when it was sent to its engine, and when the engine last reported anything of it; None before.
        loaded_at: when its models were there: the time of a run counts from then on; None before.
        cancelled_at: when it was cancelled; it may not be over yet. None before.
        over_limit: whether it was cancelled for taking too long.
        disturbed: whether another engine of its machine did a job, or started, while this one may have been timed.
        watchers: check whether a page that shows it is still open; `unwatched` counts how many checks in a row found none.
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
    notifier: Notifier = field(default_factory=Notifier)
    ended: dict[Lane, Stop] = field(default_factory=dict)
    recording: str | None = None
    speedups: tuple[float, ...] = ()
    timed: int = 0
    conditions: Conditions | None = None
    report: str | None = None
    visitor: str = ""
    rival_of: str = ""
    sent_at: float | None = None
    reported_at: float | None = None
    loaded_at: float | None = None
    cancelled_at: float | None = None
    over_limit: bool = False
    disturbed: bool = False
    watchers: set[Callable[[], bool]] = field(default_factory=lambda: {always})
    unwatched: int = 0
    _recording_json: Json | None = None
    _batches: dict[Lane, list[Json]] = field(default_factory=_by_lane)

    @property
    def id(self) -> str:
        """The name of the job, in commands and events."""
        return self.command.job

    @property
    def over(self) -> bool:
        """True if nothing more will come."""
        return self.status in (Status.DONE, Status.CANCELLED, Status.FAILED)

    @property
    def fresh(self) -> bool:
        """True if it was requested a moment ago, and is still wanted: it waits, or has just begun."""
        if self.over or self.cancelled_at is not None:
            return False
        return self.sent_at is None or not self.log[Lane.SPECULATIVE] or monotonic() - self.sent_at < _FRESH_S

    @property
    def size(self) -> int:
        """About how many characters the job keeps."""
        command = self.command
        requested = 0
        if isinstance(command, RunPrompt):
            requested = len(command.request.prompt) + _CHARACTERS_OF_ID * sum(map(len, command.request.earlier))
        elif isinstance(command, Perform):
            requested = len(command.asked)
        live = sum(len(batch) for log in self.log.values() for batch in log)
        return requested + live + len(self.recording or "") + len(self.report or "")

    @property
    def pair(self) -> PairRequest | None:
        """The models that the command names; None where it names none."""
        return pair_of(self.command)

    @property
    def request(self) -> Request:
        """The request of a run."""
        assert isinstance(self.command, RunPrompt), "only a run has a request"
        return self.command.request

    @property
    def request_as_run(self) -> Request:
        """The request with the settings of the run: what the request leaves open is chosen once it has started."""
        return replace(self.request, settings=self.settings or self.request.settings)

    def end(self, status: Status, message: str) -> None:
        """End the job with one sentence for a person."""
        self.status, self.message = status, message

    def apply(self, event: JobEvent) -> None:
        """Write what an event reports into the job."""
        match event:
            case Progress():
                if self.started is None:  # after that the engine times the run again
                    task_runs = isinstance(self.command, Perform) and (self.pair is None or self.card is not None)
                    self.status = Status.RUNNING if task_runs else Status.LOADING
                self.what, self.share = event.what, event.share
            case LoadedPair():
                self.card, self.plain_rate, self.why_dtype = event.card, event.plain_rate, event.why_dtype
                self.what, self.share = "", None
                self.status = Status.DONE if isinstance(self.command, Load) else Status.RUNNING
            case RunStart() | Rounds() | LaneEnd() | TaskReport():
                self._apply_live(event)
            case Done():
                self._apply_done(event)
            case JobFailure():
                self.end(Status.FAILED, event.message)
            case _:
                assert_never(event)

    def _apply_live(self, event: RunStart | Rounds | LaneEnd | TaskReport) -> None:
        match event:
            case RunStart():
                self.status, self.run_card = Status.RUNNING, event.card
                self.settings, self.plan = event.settings, event.plan
                self.what, self.share = "", None
                if self.card is not None:  # some paths are checked when a run first needs them
                    self.card = replace(self.card, notes=event.card.notes)
                self.started = {
                    "prompt": self.request.prompt,
                    "settings": asdict(event.settings),
                    "prompt_ids": list(event.prompt_ids),
                    "prefill": to_json(event.prefill),
                    "tokens": to_json(event.tokens),
                    "card": to_json(event.card),
                }
            case Rounds():
                self.log[event.lane].append(event.batch)
            case LaneEnd():
                self.ended[event.lane] = event.stop
            case TaskReport():
                self.status, self.report = Status.RUNNING, event.report
            case _:
                assert_never(event)

    def _apply_done(self, event: Done) -> None:
        self.what, self.share = "", None
        self.recording, self.speedups, self.timed = event.recording, event.speedups, event.timed
        conditions = event.conditions
        self.conditions = beside_others(conditions) if self.disturbed and conditions is not None else conditions
        self.status = Status.CANCELLED if event.cancelled else Status.DONE
        if self.recording is not None:  # which has all rounds
            self.log, self._batches = _by_lane(), _by_lane()

    def recording_json(self) -> Json | None:
        """The recording of a run that is over; None before, and where nothing was recorded."""
        if self.recording is not None and self._recording_json is None:
            self._recording_json = json.loads(self.recording)
        return self._recording_json

    def live_json(self) -> Json | None:
        """The rounds of a live run so far, with what it began with; None before its first round."""
        if self.started is None or not self.log[Lane.SPECULATIVE]:
            return None
        for lane, batches in self._batches.items():
            batches.extend(map(json.loads, self.log[lane][len(batches) :]))
        tokens = {**self.started["tokens"]}
        for batch in chain.from_iterable(self._batches.values()):
            tokens |= batch["tokens"]
        speculative, plain = ([round_ for batch in self._batches[lane] for round_ in batch["rounds"]] for lane in Lane)
        live = {"tokens": tokens, "rounds": speculative, "plain_rounds": plain, "ended": self.ended_json()}
        return {**self.started, **live}

    def state_json(self) -> Json:
        """The progress of a run that it knows by itself."""
        return {
            "id": self.id,
            "message": self.message,
            "plain_rate": self.plain_rate,
            "ended": self.ended_json(),
            "recorded": self.recording is not None,
            "speedups": list(self.speedups),
            "timed": self.timed,
            "timing": conditions_json(self.conditions),
            "asked": {"prompt": self.request.prompt, "settings": asdict(self.request_as_run.settings)},
        }

    def ended_json(self) -> Json:
        """Why each lane that is over ended."""
        return {lane.value: stop.value for lane, stop in self.ended.items()}
