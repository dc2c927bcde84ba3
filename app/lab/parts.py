"""Carries out a study part by part, each a job in the background: a visitor's run waits for one part at most.

Makes no Streamlit call. Every method may be called from any thread.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

from app.job import Job, Status, TaskState
from app.jobs import Jobs
from specviz.errors import SpecvizError
from specviz.lab import study
from specviz.request import PairAsked

_NEWS_S = 0.5
"""A job is looked at so often at least: its end may come without a message."""


_OTHER_VERSION = "What the engine reported is no study: page and engine are of different versions. Start specviz again."


class StudyRun:
    """One study, from Start to its last part or to Stop.

    Args:
        watched: checks whether the visitor's page is still open; else the study ends.

    Attributes:
        report: what was found so far, as `specviz.lab.study` writes it; None before the first report.
    """

    def __init__(
        self,
        jobs: Jobs,
        pair: PairAsked | None,
        asked: study.Asked,
        *,
        watched: Callable[[], bool],
        visitor: str,
    ) -> None:
        self._jobs, self._pair, self._asked, self._watched, self._visitor = jobs, pair, asked, watched, visitor
        self._lock = threading.RLock()
        self._sitting = uuid4().hex[:8]
        self._found: study.Found | None = None
        self._stopping = False
        self._ended: TaskState | None = None
        self.report: str | None = None
        self._job = self._next()
        threading.Thread(target=self._work, name="study", daemon=True).start()

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self._ended is not None

    def state(self) -> TaskState:
        """Where it stands, as of one task; the share is that of the parts that are over."""
        with self._lock:
            if self._ended is not None:
                return self._ended
            now = self._jobs.task_state(self._job)
            status = Status.RUNNING if now.over else now.status
            share = study.made(self._found) / max(1, study.parts(self._asked))
            return replace(now, status=status, share=share, report=self.report)

    def stop(self) -> None:
        """End it: what was found stays."""
        with self._lock:
            self._stopping = True
            if not self.over:
                self._jobs.cancel(self._job)

    def _next(self) -> Job:
        asked = study.part(study.StudyPart(self._asked, self._found, self._sitting))
        return self._jobs.perform(
            self._pair, study.NAME, asked, watched=self._watched, visitor=self._visitor, background=True
        )

    def _take(self, report: str | None) -> None:
        """Keep a report.

        Raises:
            SpecvizError, ValueError: it is none.
        """
        if report is not None and report != self.report:
            self._found, self.report = study.found(report), report

    def _work(self) -> None:
        """Wait for part after part, until there is none, one fails, or somebody stops it."""
        while not self.over:
            self._jobs.wait_for_rounds(self._job, _NEWS_S)
            with self._lock:
                now = self._jobs.task_state(self._job)
                try:
                    self._take(now.report)
                    if now.over:
                        self._go_on(now)
                except SpecvizError as error:
                    self._end(Status.FAILED, str(error))
                except ValueError:
                    self._end(Status.FAILED, _OTHER_VERSION)

    def _go_on(self, now: TaskState) -> None:
        """A part is over: the next one, or the end."""
        if now.status is not Status.DONE:
            self._end(now.status, "" if self._stopping else now.message)
        elif study.made(self._found) >= study.parts(self._asked):
            self._end(Status.DONE, "")
        elif now.report is None:
            self._end(Status.FAILED, "A part of the study ended without a result: start it again.")
        elif self._stopping:
            self._end(Status.CANCELLED, "")
        else:
            self._job = self._next()

    def _end(self, status: Status, message: str) -> None:
        self._ended = TaskState(status, message, "", None, 0, self.report)
