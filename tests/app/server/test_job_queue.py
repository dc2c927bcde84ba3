"""The line before the engine, without threads: whose turn it is, and the waiting time from measured times."""

import random

from app.server.job import Job, Status
from app.server.job_queue import JobDurations, JobQueue
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.wire import RunPrompt

_PAIR, _OTHER = PairRequest("embedded"), PairRequest("embedded-tiny")


def _run(name: str, pair: PairRequest = _PAIR, *, visitor: str = "") -> Job:
    return Job(RunPrompt(name, Request(pair, "a", Settings())), visitor=visitor)


def _took(pace: JobDurations, seconds: float, job: Job, status: Status = Status.DONE) -> None:
    job.sent_at, job.status = 100.0, status
    pace.add(job, 100.0 + seconds)


def test_the_waiting_time_is_the_sum_of_what_was_measured() -> None:
    """The median of the latest jobs of a kind for each before, less what the current one had; nothing until every kind was measured."""
    pace, now, mine = JobDurations(), _run("now"), [_run("one"), _run("two")]
    now.sent_at = 1000.0
    assert pace.wait_s([now], mine, 1001.0) is None
    for seconds in (2.0, 9.0, 3.0):
        _took(pace, seconds, _run("before"))
    assert pace.wait_s([now], mine, 1001.0) == 2.0 + 3.0 + 3.0
    assert pace.wait_s([now], mine, 1060.0) == 6.0, "one that takes longer than usual may be over at any moment"
    assert pace.wait_s([now], [_run("other", _OTHER)], 1001.0) is None, "another pair takes another time"


def test_with_several_engines_fewer_jobs_have_to_end() -> None:
    """While all are busy one job must end for the first in line, two for the second; free ones take jobs at once."""
    line, waiting = JobQueue(), [_run("1"), _run("2"), _run("3")]
    for job in waiting:
        line.add(job)
    busy = [_run("a"), _run("b"), _run("c")]
    assert [line.position(job, busy, 3) for job in waiting] == [1, 2, 3]
    assert [line.position(job, busy[:1], 3) for job in waiting] == [0, 0, 1]
    assert [line.position(job, [], 3) for job in waiting] == [0, 0, 0]
    assert line.position(_run("elsewhere"), busy, 3) == 0


def test_the_waiting_time_is_that_of_the_engine_that_is_free_first() -> None:
    """The jobs before are given in order to the engine that is free first; one engine's wait is never shorter than that of two."""
    pace, quick, slow = JobDurations(), _run("quick"), _run("slow", _OTHER)
    _took(pace, 2.0, _run("before"))
    _took(pace, 10.0, _run("before", _OTHER))
    quick.sent_at = slow.sent_at = 1000.0
    assert pace.wait_s([quick, slow], [], 1001.0, 2) == 1.0
    assert pace.wait_s([quick, slow], [_run("x")], 1001.0, 2) == 3.0
    assert pace.wait_s([quick, slow], [_run("x", _OTHER)], 1001.0, 2) == 9.0, (
        "the other engine is free before it is over"
    )
    assert pace.wait_s([quick, slow], [_run("x")] * 6, 1001.0, 2) == 11.0, (
        "the last two begin when the slow one is over"
    )
    assert pace.wait_s([slow], [_run("x"), _run("x")], 1001.0, 2) == 4.0, "one engine is free now"
    assert pace.wait_s([quick], [_run("x"), _run("x", _OTHER)], 1001.0) == 13.0
    draw = random.Random(3)  # noqa: S311  # a test repeats itself
    for _ in range(200):
        before = [_run("x", draw.choice((_PAIR, _OTHER))) for _ in range(draw.randrange(8))]
        waits_s = [pace.wait_s([], before, 0.0, engines) or 0.0 for engines in range(1, 5)]
        assert waits_s == sorted(waits_s, reverse=True)


def test_a_job_that_was_stopped_says_nothing_of_the_next() -> None:
    """Nor does one that failed; one that met the limit of time does: it kept the engine so long. Only the latest jobs count."""
    pace, job = JobDurations(), _run("now")
    _took(pace, 5.0, _run("stopped"), Status.CANCELLED)
    _took(pace, 5.0, _run("failed"), Status.FAILED)
    assert pace.typical_s(job) is None
    late = _run("late")
    late.over_limit = True
    _took(pace, 60.0, late, Status.CANCELLED)
    assert pace.typical_s(job) == 60.0
    for seconds in [1.0] * 50 + [8.0] * 9:
        _took(pace, seconds, _run("before"))
    assert pace.typical_s(job) == 8.0


def test_addresses_take_turns() -> None:
    """Twenty visitors of one address put nobody else at the end; within an address, and where addresses are not known, the first comes first, and
    the two runs of one race stay together."""
    draw = random.Random(7)  # noqa: S311  # a test repeats itself
    line = JobQueue(lambda visitor: visitor.split(" ")[0])
    now = _run("now", visitor="crowd now")
    crowd = [_run(str(number), visitor=f"crowd {number}") for number in range(20)]
    for job in crowd:
        line.add(job, [now])
    other, beside, later = (_run(name, visitor=visitor) for name, visitor in (("o", "b 1"), ("p", "b 1"), ("q", "c 1")))
    for job in (other, beside, later):
        line.add(job, [now])
    assert [*line] == [other, beside, later, *crowd]
    line.add(second := _run("r", visitor="b 2"), [now])
    assert [*line][:4] == [other, beside, later, crowd[0]]
    assert [*line].index(second) == 4, "behind one of everybody else's address"
    unknown = JobQueue()
    for job in sorted(crowd, key=lambda _: draw.random()):
        unknown.add(job, [now])
        assert [*unknown][-1] is job
