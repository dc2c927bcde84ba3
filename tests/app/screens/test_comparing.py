"""A comparison of a visit, without a page and without an engine."""

from typing import Any

import pytest

from app.screens.compare import Comparing
from app.server import resources
from app.server.job import Job, Status
from app.state import visitor
from specviz.comparison.planning import plan_of
from specviz.request import PairAsked, Request
from specviz.settings import Settings
from specviz.wire import RunPrompt


class _Jobs:
    """Those that were requested; a cancelled one ends later."""

    def __init__(self) -> None:
        self.requested: list[Job] = []

    def run(self, request: Request, **of: Any) -> Job:
        job = Job(RunPrompt(str(len(self.requested)), request))
        self.requested.append(job)
        return job

    def cancel(self, job: Job) -> None:
        job.cancelled_at = 1.0


def test_a_run_that_still_ends_does_not_stop_what_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop, then Compare before the cancelled run has ended: it is requested again, and its end stops nothing."""
    jobs = _Jobs()
    monkeypatch.setattr(resources, "jobs", lambda: jobs)
    monkeypatch.setattr(visitor, "watched", lambda: lambda: True)
    monkeypatch.setattr(visitor, "name", lambda: "somebody")
    base = Request(PairAsked("embedded"), "Once", Settings(max_new_tokens=4))
    comparing = Comparing(plan_of(base, {"k": ["1", "2"]}, draft=True))
    comparing.advance()
    comparing.stop()
    comparing.begin()
    jobs.requested[0].status = Status.CANCELLED
    comparing.advance()
    assert comparing.live
    assert [job.request.settings.k for job in jobs.requested] == [1, 1]
