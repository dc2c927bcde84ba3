"""Requests of all visitors as jobs: a queue for the one engine process, positions in it, cancelling, a heartbeat.

Makes no Streamlit call. Every method may be called from any thread.
"""

import itertools
import json
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, assert_never
from uuid import uuid4

from app.engine_client import EngineProcess
from specviz.errors import WorkerError
from specviz.offers import Listing
from specviz.trace.files import to_json
from specviz.trace.records import PairCard, Prefill, Round, Stop, TokenBytes
from specviz.wire import (
    Cancel,
    Command,
    Detail,
    Done,
    Ended,
    Event,
    Failed,
    JobCommand,
    JobEvent,
    Lane,
    ListPairs,
    Load,
    Loaded,
    PairAsked,
    Pairs,
    Progress,
    Ready,
    Replan,
    Request,
    Rounds,
    RunPrompt,
    Started,
)

_BEAT_S = 0.05
"""How often it is checked whether anybody still watches: the run of a closed tab is ended after the round it is in."""

_LOADING_BEATS = 20
"""Ending a load costs everybody the engine, so it waits for so many beats: a connection can be lost for a moment."""


class Status(StrEnum):
    """The state of a job."""

    QUEUED = "queued"
    LOADING = "loading"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


_OVER = (Status.DONE, Status.CANCELLED, Status.FAILED)
Json = dict[str, Any]


def _always() -> bool:
    return True


def _no_rounds() -> dict[Lane, list[Any]]:
    return {lane: [] for lane in Lane}


@dataclass(slots=True)
class _Encoded:
    """What of a job is plain JSON already, so that nothing is encoded again at the next poll."""

    rounds: dict[Lane, list[Json]] = field(default_factory=_no_rounds)
    tokens: Json = field(default_factory=dict)
    detail: tuple[Detail, Json] | None = None
    recording: Json | None = None


@dataclass(slots=True)
class Job:
    """One command for the engine and everything that was reported of it so far; read it through `Jobs.view` while it runs.

    Attributes:
        what, share: what the engine is doing before the first round, and how much of it is done.
        card: of the pair, once it is loaded.
        run_card: of the run, with its drafter, once it has started.
        plain_rate: tokens per second of plain decoding on a standard prompt.
        rounds: light rounds by lane, in order.
        recording: of the run that is over, as text; None before, and where nothing was recorded.
        watched: checks whether the visitor's page is still open; `unwatched` counts how many checks in a row it was not.
    """

    command: JobCommand
    status: Status = Status.QUEUED
    message: str = ""
    what: str = ""
    share: float | None = None
    card: PairCard | None = None
    plain_rate: float | None = None
    run_card: PairCard | None = None
    prompt_ids: tuple[int, ...] = ()
    tokens: dict[int, TokenBytes] = field(default_factory=dict)
    rounds: dict[Lane, list[Round]] = field(default_factory=_no_rounds)
    prefill: Prefill | None = None
    detail: Detail | None = None
    ended: dict[Lane, Stop] = field(default_factory=dict)
    recording: str | None = None
    speedups: tuple[float, ...] = ()
    timed: int = 0
    replan: Replan | None = None
    listings: tuple[Listing, ...] | None = None
    watched: Callable[[], bool] = _always
    unwatched: int = 0
    _encoded: _Encoded = field(default_factory=_Encoded)

    @property
    def id(self) -> str:
        """The name of the job, in commands and events."""
        return self.command.job

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status in _OVER

    @property
    def pair(self) -> PairAsked | None:
        """The models that the command names; None where it names none."""
        match self.command:
            case Load(pair=pair):
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


@dataclass(frozen=True, slots=True)
class LoadState:
    """The state of a load, at one moment; the fields are those of `Job`, and the number of jobs before it in the queue."""

    status: Status
    message: str
    what: str
    share: float | None
    queue_position: int
    card: PairCard | None
    plain_rate: float | None


class Jobs:
    """The queue and the engine process. One job is in the process at a time; a process that died is replaced.

    Attributes:
        loaded: the last job that found its pair loaded and warm: what it reports of the pair holds for the process.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._numbers = itertools.count(1)
        self._name = uuid4().hex[:8]
        self.loaded: Job | None = None
        self._listings: Job | None = None
        self._waiting: deque[Job] = deque()
        self._current: Job | None = None
        self._ready = False
        self._closed = threading.Event()
        self._engine = self._start()
        threading.Thread(target=self._watch_heartbeats, name="heartbeats", daemon=True).start()

    def load(self, pair: PairAsked, *, watched: Callable[[], bool] = _always) -> Job:
        """Request a pair to be loaded and warmed; cancelled soon after nobody watches any more."""
        return self._submit(Load(self._new_id(), pair), watched)

    def run(self, request: Request, *, watched: Callable[[], bool] = _always) -> Job:
        """Request a speculative run and, after it, the plain one where the request has it; both are cancelled soon after
        nobody watches any more."""
        return self._submit(RunPrompt(self._new_id(), request), watched)

    def listings(self) -> Job:
        """The list of what can be loaded: requested once, for all visitors."""
        with self._lock:
            if self._listings is None:
                self._listings = self._submit(ListPairs(self._new_id()))
            return self._listings

    def cancel(self, job: Job) -> None:
        """End a job: at once while it waits or loads, after the round it is in while it runs.

        A load cannot be interrupted from within, so its process is ended and another started.
        """
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                job.status, job.message = Status.CANCELLED, "Stopped before it began."
            elif job is self._current and job.status is Status.LOADING:
                job.status, job.message = Status.CANCELLED, "Stopped while the models were being loaded."
                self._current = self.loaded = None
                self._engine.kill()
                self._engine = self._start()
            elif job is self._current:
                self._send(Cancel(job.id))

    def queue_position(self, job: Job) -> int:
        """How many jobs are before this one; 0 when it is its turn."""
        with self._lock:
            return self._waiting.index(job) + (self._current is not None) if job in self._waiting else 0

    def load_state(self, job: Job) -> LoadState:
        """The state of a load now."""
        with self._lock:
            return LoadState(
                status=job.status,
                message=job.message,
                what=job.what,
                share=job.share,
                queue_position=self.queue_position(job),
                card=job.card,
                plain_rate=job.plain_rate,
            )

    def view(self, job: Job) -> Json:
        """A run as the player takes it, in plain JSON: cumulative, so that a lost update does no harm."""
        with self._lock:
            recording = _recording(job)
            return {
                "id": job.id,
                "status": job.status.value,
                "message": job.message,
                "what": job.what,
                "share": job.share,
                "queue_position": self.queue_position(job),
                "plain_rate": job.plain_rate,
                "live": _live(job) if recording is None else None,
                "recording": recording,
                "speedups": list(job.speedups),
                "timed": job.timed,
                "replan": to_json(job.replan),
                "asked": {"prompt": job.request.prompt, "settings": asdict(job.request.settings)},
            }

    def wait_for_rounds(self, job: Job, seconds: float) -> None:
        """Return when the job has its first round or is over, but after this long at the latest."""
        with self._news:
            self._news.wait_for(lambda: bool(job.rounds[Lane.SPECULATIVE]) or job.over, seconds)

    @property
    def engine_pid(self) -> int:
        """The engine process's id, for those who watch its memory."""
        return self._engine.pid

    def close(self) -> None:
        """End the engine process."""
        self._closed.set()
        self._engine.close()

    def _new_id(self) -> str:
        return f"{self._name}-{next(self._numbers)}"

    def _submit(self, command: JobCommand, watched: Callable[[], bool] = _always) -> Job:
        with self._lock:
            job = Job(command, watched=watched)
            self._waiting.append(job)
            if self._down:
                self._engine = self._start()
            self._next()
        return job

    def _next(self) -> None:
        """Send the next job to the process, if it is free."""
        if self._current is None and self._ready and self._waiting:
            self._current = self._waiting.popleft()
            self._current.status = Status.LOADING
            self._send(self._current.command)

    def _send(self, command: Command) -> None:
        with suppress(WorkerError):  # its exit is being reported, and that report settles the job
            self._engine.send(command)

    def _start(self) -> EngineProcess:
        self._ready = self._down = False
        return EngineProcess(self._take, self._ended)

    def _take(self, event: Event) -> None:
        """Write an event into its job; one of a job that is no longer the current one is dropped."""
        with self._lock:
            if isinstance(event, Ready):
                self._ready = True
            elif self._current is not None and event.job == self._current.id:
                take(self._current, event)
                if isinstance(event, Loaded):
                    self.loaded = self._current
                self._news.notify_all()
                if self._current.over:
                    self._current = None
            self._next()

    def _ended(self, code: int) -> None:
        """The process died: report it to the job it had, keep what that job has, start another.

        A process that died before it was ready would only die again: the jobs that wait fail, and the next request tries.
        """
        with self._lock:
            if self._closed.is_set():
                return
            job, self._current, self.loaded = self._current, None, None
            if job is not None:
                _fail(
                    job,
                    f"The engine process stopped in mid-run (exit code {code}). It starts again by itself: press Run.",
                )
            if self._ready:
                self._engine = self._start()
                return
            while self._waiting:
                _fail(self._waiting.popleft(), f"The engine process could not start (exit code {code}): see its log.")
            self._down = True

    def _watch_heartbeats(self) -> None:
        while not self._closed.wait(_BEAT_S):
            with self._lock:
                for job in [job for job in (self._current, *self._waiting) if job is not None]:
                    job.unwatched = 0 if job.watched() else job.unwatched + 1
                    if job.unwatched > (_LOADING_BEATS if job.status is Status.LOADING else 0):
                        self.cancel(job)


def _fail(job: Job, message: str) -> None:
    job.status, job.message = Status.FAILED, message


def take(job: Job, event: JobEvent) -> None:
    """Write what an event reports into the job."""
    match event:
        case Progress():
            job.status, job.what, job.share = Status.LOADING, event.what, event.share
        case Loaded():
            job.card, job.plain_rate, job.what, job.share = event.card, event.plain_rate, "", None
            job.status = Status.DONE if isinstance(job.command, Load) else Status.RUNNING
        case Started() | Rounds() | Detail() | Ended():
            _take_live(job, event)
        case Done():
            job.recording, job.replan = event.recording, event.replan
            job.speedups, job.timed = event.speedups, event.timed
            job.status = Status.CANCELLED if event.cancelled else Status.DONE
        case Pairs():
            job.listings, job.status = event.listings, Status.DONE
        case Failed():
            _fail(job, event.message)
        case _:
            assert_never(event)


def _take_live(job: Job, event: Started | Rounds | Detail | Ended) -> None:
    """The same for the events of a live run."""
    match event:
        case Started():
            job.status, job.run_card, job.prefill = Status.RUNNING, event.card, event.prefill
            job.prompt_ids = event.prompt_ids
            job.tokens.update(event.tokens)
        case Rounds():
            job.tokens.update(event.tokens)
            job.rounds[event.lane].extend(event.rounds)
        case Detail():
            job.tokens.update(event.tokens)
            job.detail = event
        case Ended():
            job.ended[event.lane] = event.stop
        case _:
            assert_never(event)


def _recording(job: Job) -> Json | None:
    """The recording of a run that is over, as plain JSON; None before, and where nothing was recorded."""
    if job.recording is not None and job._encoded.recording is None:
        job._encoded.recording = json.loads(job.recording)
    return job._encoded.recording


def _live(job: Job) -> Json | None:
    """What has come so far of a run, as plain JSON; None before its first round."""
    if not job.rounds[Lane.SPECULATIVE]:
        return None
    known = job._encoded
    for lane, rounds in job.rounds.items():
        known.rounds[lane] += [to_json(round_) for round_ in rounds[len(known.rounds[lane]) :]]
    known.tokens |= {str(i): to_json(data) for i, data in job.tokens.items() if str(i) not in known.tokens}
    if job.detail is not None and (known.detail is None or known.detail[0] is not job.detail):
        known.detail = job.detail, {"index": job.detail.index, "round": to_json(job.detail.round)}
    return {
        "prompt": job.request.prompt,
        "settings": asdict(job.request.settings),
        "prompt_ids": list(job.prompt_ids),
        "prefill": to_json(job.prefill),
        "tokens": dict(known.tokens),
        "card": to_json(job.run_card),
        "rounds": list(known.rounds[Lane.SPECULATIVE]),
        "plain_rounds": list(known.rounds[Lane.PLAIN]),
        "ended": {lane.value: stop.value for lane, stop in job.ended.items()},
        "detail": known.detail and known.detail[1],
    }
