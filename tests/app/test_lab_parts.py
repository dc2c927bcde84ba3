"""Who carries out a study part by part: real parts of a simulated server, in a queue that does each when it is asked for; no engine process."""

import json
import time
from collections.abc import Callable
from typing import cast

import pytest

from app.job import Status, TaskState
from app.jobs import Jobs
from app.lab.parts import StudyRun
from specviz.errors import InputError, SpecvizError
from specviz.lab import service, studies_task, study
from specviz.runs.tasks import Work
from tests.lab.making import surface

RATES = (0.5, 1.0, 4.0)


def _asked() -> study.ServerAsked:
    costs = surface()
    return study.ServerAsked(costs.target, costs.draft, RATES, ("code",), (0.9,), tokens=5, requests=5, k=2, room=2)


class Queue:
    """Performs each part when it is first looked at; `breaks` may raise in its stead."""

    def __init__(self, breaks: Callable[[int], None] = lambda part: None) -> None:
        self.breaks = breaks
        self.requests: list[tuple[str, bool]] = []
        self.states: dict[int, TaskState] = {}
        self.held = False

    def perform(self, pair: None, task: str, asked: str, *, background: bool, **others: object) -> int:
        assert (pair, task, {*others}) == (None, study.NAME, {"watched", "visitor"})
        self.requests.append((asked, background))
        return len(self.requests) - 1

    def task_state(self, job: int) -> TaskState:
        if job not in self.states and not self.held:
            reports: list[str] = []
            status, message = Status.DONE, ""
            try:
                self.breaks(job)
                studies_task.perform(Work(None, self.requests[job][0], reports.append, _say, lambda: False))
            except SpecvizError as error:
                status, message = Status.FAILED, str(error)
            self.states[job] = TaskState(status, message, "", None, 0, reports[-1] if reports else None)
        return self.states.get(job, TaskState(Status.QUEUED, "", "", None, 2, None))

    def wait_for_rounds(self, job: int, seconds: float) -> None:
        time.sleep(0.005)

    def cancel(self, job: int) -> None:
        self.states.setdefault(job, TaskState(Status.CANCELLED, "Stopped before it began.", "", None, 0, None))


def _say(what: str, share: float | None) -> None:
    """Nobody listens."""


def _study(queue: Queue) -> StudyRun:
    return StudyRun(cast("Jobs", queue), None, _asked(), watched=lambda: True, visitor="ada")


def _over(parts: StudyRun) -> TaskState:
    late = time.monotonic() + 60
    while not parts.over:
        assert time.monotonic() < late, "it did not end"
        time.sleep(0.005)
    return parts.state()


def test_the_parts_find_what_the_study_finds() -> None:
    """One part for each arrival rate, each in the background, and each goes on where the one before ended."""
    queue = Queue()
    state = _over(_study(queue))
    assert (state.status, state.message) == (Status.DONE, "")
    assert [background for _, background in queue.requests] == [True] * len(RATES)
    asked = [study.part_in(text) for text, _ in queue.requests]
    assert [study.made(each.found) for each in asked if each] == [0, 1, 2]
    whole: list[str] = []
    studies_task.perform(Work(None, study.written(_asked()), whole.append, _say, lambda: False))
    assert state.report == whole[-1]
    found = study.found(state.report or "")
    assert isinstance(found, study.ServerFound)
    assert len(found.rows) == len(RATES) * len(service.MODES)


def test_stop_and_failure_keep_what_was_found() -> None:
    """A part that waits is given up; one that fails ends the study with its sentence; one without a result does so too."""
    queue = Queue()
    queue.held = True
    parts = _study(queue)
    waiting = parts.state()
    assert (waiting.status, waiting.queue_position, waiting.share) == (Status.QUEUED, 2, 0.0)
    parts.stop()
    state = _over(parts)
    assert (state.status, state.message, state.report) == (Status.CANCELLED, "", None)

    def breaks(part: int) -> None:
        if part == 1:
            raise InputError("The second part cannot be.")

    state = _over(_study(Queue(breaks)))
    assert (state.status, state.message) == (Status.FAILED, "The second part cannot be.")
    assert study.made(study.found(state.report or "")) == 1
    empty = Queue()
    empty.states[0] = TaskState(Status.DONE, "", "", None, 0, None)
    assert "without a result" in _over(_study(empty)).message
    wrong = Queue()
    wrong.states[0] = TaskState(Status.DONE, "", "", None, 0, "no JSON")
    assert "different versions" in _over(_study(wrong)).message


def test_what_is_no_part_is_one_sentence() -> None:
    """A part without a study, or with another's findings, which count for nothing."""
    with pytest.raises(InputError, match="no part of a study"):
        study.part_in(json.dumps({"StudyPart": {"asked": 3}}))
    assert study.part_in(study.written(_asked())) is None
