"""Who carries out requests one after the other: real simulations of a server, in a queue that does each when it is asked for; no engine process."""

import time
from collections.abc import Callable
from typing import cast

from app.bell import Bell
from app.job import Job, Status, TaskState
from app.jobs import Jobs
from app.lab.driver import Sitting
from specviz.errors import InputError, SpecvizError
from specviz.lab import service, study, task
from specviz.runs.tasks import Work
from tests.lab.making import surface

RATES = (0.5, 1.0, 4.0)


def _asked() -> list[study.ServerAsked]:
    costs = surface()
    loads = [service.ServiceLoad(rate, 5, 5, {"code": 0.9}, 2, 2) for rate in RATES]
    return [study.ServerAsked(costs.target, costs.draft, load) for load in loads]


class Number(int):
    """Of a request: a job that is rung by nobody."""

    bell = Bell()


class Queue:
    """Performs each request when it is first looked at; `breaks` may raise in its stead."""

    def __init__(self, breaks: Callable[[int], None] = lambda part: None) -> None:
        self.breaks = breaks
        self.requests: list[tuple[str, bool]] = []
        self.states: dict[int, TaskState] = {}
        self.held = False

    def perform(self, pair: None, name: str, asked: str, *, background: bool, **others: object) -> "Number":
        assert (pair, name, {*others}) == (None, study.NAME, {"watched", "visitor"})
        self.requests.append((asked, background))
        return Number(len(self.requests) - 1)

    def task_state(self, job: int) -> TaskState:
        if job not in self.states and not self.held:
            reports: list[str] = []
            status, message = Status.DONE, ""
            try:
                self.breaks(job)
                task.perform(Work(None, self.requests[job][0], reports.append, _say, lambda: False))
            except SpecvizError as error:
                status, message = Status.FAILED, str(error)
            self.states[job] = TaskState(status, message, "", None, 0, reports[-1] if reports else None)
        return self.states.get(job, TaskState(Status.QUEUED, "", "", None, 2, None))

    def wait_for_rounds(self, job: Job, seconds: float) -> None:
        time.sleep(0.005)

    def cancel(self, job: int) -> None:
        self.states.setdefault(job, TaskState(Status.CANCELLED, "Stopped before it began.", "", None, 0, None))


def _say(what: str, share: float | None) -> None:
    """Nobody listens."""


def _begun(queue: Queue) -> Sitting:
    sitting = Sitting(cast("Jobs", queue), _asked(), visitor="ada")
    sitting.start()
    return sitting


def _over(sitting: Sitting) -> Sitting:
    late = time.monotonic() + 60
    while not sitting.over:
        assert time.monotonic() < late, "it did not end"
        time.sleep(0.005)
    assert sitting.standing() is None
    return sitting


def test_every_request_is_a_job_in_the_background() -> None:
    """One after the other, all of one sitting; the answers are in the order of the requests."""
    queue = Queue()
    sitting = _over(_begun(queue))
    assert (sitting.status, sitting.message, sitting.done) == (Status.DONE, "", len(RATES))
    assert [background for _, background in queue.requests] == [True] * len(RATES)
    asked = [study.requested(text) for text, _ in queue.requests]
    assert [each for each, _ in asked] == _asked()
    assert len({name for _, name in asked}) == 1
    answers = [
        study.ServerFound(tuple(service.simulate(surface(), each.load, mode) for mode in service.MODES))
        for each in _asked()
    ]
    assert sitting.found == answers


def test_stop_and_failure_keep_what_was_found() -> None:
    """A request that waits is given up; one that fails ends the sitting with its sentence; one without an answer does so too."""
    queue = Queue()
    queue.held = True
    sitting = _begun(queue)
    late = time.monotonic() + 60
    while (waiting := sitting.standing()) is None or waiting.ahead != 2:
        assert time.monotonic() < late, "it did not begin"
    assert (waiting.done, waiting.runs, waiting.visitor, waiting.title) == (0, 3, "ada", "")
    sitting.stop()
    assert (_over(sitting).status, sitting.message, sitting.found) == (Status.CANCELLED, "", [])

    def breaks(part: int) -> None:
        if part == 1:
            raise InputError("The second part cannot be.")

    broken = _over(_begun(Queue(breaks)))
    assert (broken.status, broken.message) == (Status.FAILED, "The second part cannot be.")
    assert len(broken.found) == 1
    for report, words in ((None, "without a result"), ("no JSON", "different versions")):
        queue = Queue()
        queue.states[0] = TaskState(Status.DONE, "", "", None, 0, report)
        assert words in _over(_begun(queue)).message
