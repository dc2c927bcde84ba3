"""Runs as jobs: a queue before the one engine process, a place in line, cancelling, a heartbeat.

Makes no Streamlit call. Every method may be called from any thread.
"""

import itertools
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import uuid4

from app.engine_client import EngineProcess, Event
from specviz.errors import WorkerError

_BEAT_S = 0.05
"""So often it is looked whether anybody still watches: a run whose tab was closed is ended after the round it is in."""

_LOADING_BEATS = 20
"""A load costs everybody the engine when it is ended: that waits so long for a connection that was only lost for a moment."""


class Status(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    LOADING = "loading"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


_OVER = (Status.DONE, Status.CANCELLED, Status.FAILED)


def _always() -> bool:
    return True


@dataclass(slots=True)
class Job:
    """One request and everything heard of it so far; read it through `Runs.view` while it runs.

    `watched` tells whether whoever asked is still there, `unwatched` how often in a row they were not.
    """

    id: str
    command: dict[str, Any]
    status: Status = Status.QUEUED
    message: str = ""
    what: str = ""
    share: float | None = None
    card: dict[str, Any] | None = None
    plain_rate: float | None = None
    prompt_ids: list[int] = field(default_factory=list)
    tokens: dict[str, Any] = field(default_factory=dict)
    rows: list[Any] = field(default_factory=list)
    plain_rows: list[Any] = field(default_factory=list)
    prefill: dict[str, float] | None = None
    detail: dict[str, Any] | None = None
    recording: dict[str, Any] | None = None
    speedups: list[float] = field(default_factory=list)
    timed: int = 0
    replan: dict[str, Any] | None = None
    drafter: str = ""
    ended: dict[str, str] = field(default_factory=dict)
    listings: list[dict[str, Any]] | None = None
    watched: Callable[[], bool] = _always
    unwatched: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status in _OVER


class Runs:
    """The queue and the engine process behind it. One job is in the process at a time; a dead process is replaced.

    Attributes:
        loaded: the last job that found its pair loaded and warm: what it says of the pair holds for the process.
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

    def load(self, pair: dict[str, Any], *, watched: Callable[[], bool] = _always) -> Job:
        """Ask for a pair to be loaded and warmed; given up soon after nobody watches any more."""
        return self._submit({"do": "load", "pair": pair}, watched)

    def standing(self, job: Job) -> dict[str, Any]:
        """How a load stands: status, message, what is being done and how much of it, card and plain rate."""
        with self._lock:
            return {
                "status": job.status,
                "message": job.message,
                "what": job.what,
                "share": job.share,
                "place": self.place(job),
                "card": job.card,
                "plain_rate": job.plain_rate,
            }

    def run(
        self,
        pair: dict[str, Any],
        prompt: str,
        settings: dict[str, Any],
        *,
        template: bool = True,
        plain: bool = True,
        watched: Callable[[], bool] = _always,
    ) -> Job:
        """Ask for a speculative run and, after it, the plain one unless that is left out; both end soon after nobody
        watches any more."""
        command = {
            "do": "run",
            "pair": pair,
            "prompt": prompt,
            "settings": settings,
            "template": template,
            "plain": plain,
        }
        return self._submit(command, watched)

    def listings(self) -> Job:
        """The answer to what can be loaded: asked for once, for all visitors."""
        with self._lock:
            if self._listings is None:
                self._listings = self._submit({"do": "pairs"})
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
                self._send({"do": "cancel", "job": job.id})

    def place(self, job: Job) -> int:
        """How many jobs are before this one; 0 when it is its turn."""
        with self._lock:
            return self._waiting.index(job) + (self._current is not None) if job in self._waiting else 0

    def view(self, job: Job) -> dict[str, Any]:
        """What the player needs to show the job now: cumulative, so that a lost update does no harm."""
        with self._lock:
            live = None
            if job.recording is None and job.rows:
                live = {
                    "prompt": job.command["prompt"],
                    "settings": job.command["settings"],
                    "prompt_ids": job.prompt_ids,
                    "prefill": job.prefill,
                    "tokens": dict(job.tokens),
                    "rows": list(job.rows),
                    "drafter": job.drafter,
                    "plain_ends": [row[7] for row in job.plain_rows],
                    "plain_tokens": [row[3][0] for row in job.plain_rows],
                    "ended": dict(job.ended),
                    "detail": job.detail,
                }
            return {
                "id": job.id,
                "status": job.status.value,
                "message": job.message,
                "what": job.what,
                "share": job.share,
                "place": self.place(job),
                "plain_rate": job.plain_rate,
                "live": live,
                "recording": job.recording,
                "speedups": list(job.speedups),
                "timed": job.timed,
                "replan": job.replan,
                "asked": {"prompt": job.command["prompt"], "settings": job.command["settings"]},
            }

    def wait_for_rows(self, job: Job, seconds: float) -> None:
        """Return when the job has its first round or is over, but after this long at the latest."""
        with self._news:
            self._news.wait_for(lambda: bool(job.rows) or job.over, seconds)

    @property
    def engine_pid(self) -> int:
        """The engine process's id, for those who watch its memory."""
        return self._engine.pid

    def close(self) -> None:
        """End the engine process."""
        self._closed.set()
        self._engine.close()

    def _submit(self, command: dict[str, Any], watched: Callable[[], bool] = _always) -> Job:
        with self._lock:
            job = Job(f"{self._name}-{next(self._numbers)}", command, watched=watched)
            self._waiting.append(job)
            if self._down:
                self._engine = self._start()
            self._next()
        return job

    def _next(self) -> None:
        """Hand the next job to the process, if it is free."""
        if self._current is None and self._ready and self._waiting:
            self._current = self._waiting.popleft()
            self._current.status = Status.LOADING
            self._send({**self._current.command, "job": self._current.id})

    def _send(self, command: dict[str, Any]) -> None:
        with suppress(WorkerError):  # its exit is being reported, and that report settles the job
            self._engine.send(command)

    def _start(self) -> EngineProcess:
        self._ready = self._down = False
        return EngineProcess(self._heard, self._ended)

    def _heard(self, event: Event) -> None:
        with self._lock:
            if event["event"] == "ready":
                self._ready = True
            elif self._current is not None and event["job"] == self._current.id:
                _take(self._current, event)
                if event["event"] == "loaded":
                    self.loaded = self._current
                self._news.notify_all()
                if self._current.over:
                    self._current = None
            self._next()

    def _ended(self, code: int) -> None:
        """The process died: say so to the job it had, keep what that job has, start another.

        One that died before it was ready would only die again: those who wait are told, and the next request tries.
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


def _take(job: Job, event: Event) -> None:
    """Write what an event says into the job."""
    match event["event"]:
        case "progress":
            job.status, job.what, job.share = Status.LOADING, event["what"], event["share"]
        case "loaded":
            job.card, job.plain_rate, job.what, job.share = event["card"], event["plain_rate"], "", None
            job.status = Status.DONE if job.command["do"] == "load" else Status.RUNNING
        case "started":
            job.status, job.prompt_ids, job.prefill = Status.RUNNING, event["prompt_ids"], event["prefill"]
            job.drafter = event.get("drafter", "")
            job.tokens.update(event["tokens"])
        case "rows":
            job.tokens.update(event["tokens"])
            (job.rows if event["lane"] == "speculative" else job.plain_rows).extend(event["rows"])
        case "detail":
            job.tokens.update(event["tokens"])
            job.detail = {"index": event["index"], "round": event["round"]}
        case "pairs":
            job.listings, job.status = event["listings"], Status.DONE
        case "ended":
            job.ended[event["lane"]] = event["stop"]
        case "done":
            job.recording, job.speedups, job.timed = event["recording"], event["speedups"], event["timed"]
            job.replan = event.get("replan")
            job.status = Status.CANCELLED if event["cancelled"] else Status.DONE
        case "failed":
            _fail(job, event["message"])
