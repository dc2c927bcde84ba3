"""A comparison of a visit, without a page and without an engine."""

from app.server.job import Job, Status
from app.stage.comparison import VisitComparison
from specviz.comparison.planning import plan_of
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.wire import RunPrompt


def test_a_run_that_still_ends_does_not_stop_what_goes_on() -> None:
    """Stop, then Compare before the cancelled run has ended: it is requested again, and its end stops nothing."""
    requested, cancelled = list[Job](), list[Job]()

    def run(request: Request) -> Job:
        requested.append(Job(RunPrompt(str(len(requested)), request)))
        return requested[-1]

    base = Request(PairRequest("embedded"), "Once", Settings(max_new_tokens=4))
    comparison = VisitComparison(plan_of(base, {"k": ["1", "2"]}, draft=True))
    comparison.advance(run)
    comparison.stop(cancelled.append)
    assert cancelled == requested
    comparison.resume()
    requested[0].status = Status.CANCELLED
    comparison.advance(run)
    assert comparison.live
    assert [job.request.settings.k for job in requested] == [1, 1]
