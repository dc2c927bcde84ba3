"""Several engines and one line, with engines that are no processes: which job goes where, what is marked, and what an engine that dies loses."""

import random

import pytest

from app.server import limits, visitors
from app.server.job import Job, Status
from app.server.jobs import Jobs
from specviz.audit.messages import AUDIT
from specviz.request import PairRequest, Request
from specviz.serving.hosting import Hosting
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.wire import Perform, Ready, RunPrompt, Unavailable
from tests.app.server.conftest import Start
from tests.helpers.engines import CARD, FakeEngine
from tests.helpers.views import english

PAIR, OTHER = PairRequest("embedded"), PairRequest("embedded-tiny")
CALM = Conditions(True, 3, 0, True, 2.3, 2.5, 0.01, 0.1, 8, 3, 3)


def _asked(prompt: str = "a", pair: PairRequest = PAIR) -> Request:
    return Request(pair, prompt, Settings())


def _carried_out(*runs: tuple[FakeEngine, Job]) -> None:
    """Runs that go on at the same time, from the loaded pair to their end."""
    for engine, job in runs:
        engine.loads(job)
    for engine, job in runs:
        engine.does(job, conditions=CALM)


def _two(start: Start, machine: str = "here") -> tuple[Jobs, FakeEngine, FakeEngine]:
    """Two engines that are ready; both have the pair."""
    jobs, (first, second) = start(2, "here", machine)
    for engine, pair in ((first, PAIR), (second, OTHER)):
        _carried_out((engine, jobs.run(_asked("warm", pair))))
    return jobs, first, second


def test_runs_at_the_same_time_are_marked(start: Start) -> None:
    """Runs of two visitors are sent at once; neither speedup is trusted, and the reason is said. One that begins during a run counts; a neighbour that ended
    before the pair was there, or runs on another machine, does not."""
    jobs, first, second = _two(start)

    def both() -> tuple[Job, Job]:
        return jobs.run(_asked(), visitor="a"), jobs.run(_asked(pair=OTHER), visitor="b")

    one, two = both()
    assert [engine.sent[-1] for engine in (first, second)] == [one.command, two.command]
    _carried_out((first, one), (second, two))
    for job in (one, two):
        timing = jobs.view(job)["timing"]
        assert (timing["trusted"], timing["why"]) == (False, "another engine ran at the same time")
        assert "Another engine of this server computed on the same machine" in english(timing["grounds"])
        assert job.status is Status.DONE
    one, two = both()
    _carried_out((second, two))
    _carried_out((first, one))
    assert jobs.view(one)["timing"]["trusted"]
    late = jobs.run(_asked(), visitor="a")
    first.loads(late)
    jobs.run(_asked(pair=OTHER), visitor="b")
    first.does(late, conditions=CALM)
    assert not jobs.view(late)["timing"]["trusted"]
    jobs, first, second = _two(start, machine="elsewhere")
    one, two = both()
    _carried_out((first, one), (second, two))
    assert all(jobs.view(job)["timing"]["trusted"] for job in (one, two))


def test_a_page_that_opens_costs_no_engine_anything(start: Start) -> None:
    """A load of what an engine has is over at once, also while every engine is busy, with what is known of the pair. While it is being
    loaded, another load waits for that."""
    jobs, (first, second) = start(2, "here", "here")
    loads = [jobs.load(PAIR) for _ in range(3)]
    assert (len(first.sent), len(second.sent)) == (1, 0)
    first.loads(loads[0])
    assert [job.status for job in loads] == [Status.DONE] * 3
    assert (loads[2].card, loads[2].plain_rate, loads[2].why_dtype) == (CARD, 100.0, "it is faster")
    busy = [jobs.run(_asked(), visitor="a"), jobs.run(_asked(pair=OTHER), visitor="b")]
    assert all(job.sent_at is not None for job in busy)
    assert jobs.load(PAIR).status is Status.DONE
    assert (len(first.sent), len(second.sent)) == (2, 1)
    dropping = jobs.run(_asked(pair=OTHER), visitor="c")
    first.does(busy[0], conditions=CALM)
    assert first.sent[-1] == dropping.command
    assert jobs.load(PAIR).status is Status.QUEUED, "the one that had it is about to drop it"


def test_a_job_goes_to_the_engine_that_has_its_pair(start: Start) -> None:
    """Also where another was idle for longer. Where none has it, an engine without a pair loads it, then the one that was used longest ago."""
    jobs, (first, second, third) = start(3, "here", "here", "here")
    for engine, pair in ((first, PAIR), (second, OTHER)):
        _carried_out((engine, jobs.run(_asked("warm", pair))))
    again = jobs.run(_asked(pair=OTHER))
    assert second.sent[-1] == again.command
    _carried_out((second, again))
    wanted = [jobs.run(_asked(pair=PairRequest(name))) for name in ("smollm2-135m", "embedded-large")]
    assert [engine.sent[-1] for engine in (third, first)] == [job.command for job in wanted]


def test_a_pair_that_is_being_loaded_is_loaded_nowhere_else(start: Start) -> None:
    """A run waits for the load of a page, and a page for the load of a run; a run does not wait for another run."""
    jobs, (first, second) = start(2, "here", "here")
    load, run, other = jobs.load(PAIR), jobs.run(_asked()), jobs.run(_asked(pair=OTHER))
    assert (first.sent, second.sent) == ([load.command], [other.command])
    page, next_run = jobs.load(OTHER), jobs.run(_asked(pair=OTHER))
    first.loads(load)
    assert first.sent[-1] == run.command
    second.loads(other)
    assert page.status is Status.DONE
    _carried_out((first, run))
    assert first.sent[-1] == next_run.command


def test_the_two_runs_of_a_race_do_not_disturb_each_other(start: Start) -> None:
    """The second waits until the first is over, though an engine is free; another visitor's run does not wait for either."""
    jobs, first, second = _two(start)
    one = jobs.run(_asked(), visitor="a")
    beside = jobs.run(_asked(pair=OTHER), visitor="a", beside=one)
    assert (first.sent[-1], beside.status, jobs.queue_position(beside)) == (one.command, Status.QUEUED, 1)
    other = jobs.run(_asked(pair=OTHER), visitor="b")
    assert second.sent[-1] == other.command
    _carried_out((second, other))
    assert beside.status is Status.QUEUED
    _carried_out((first, one))
    assert second.sent[-1] == beside.command


def test_everything_comes_to_its_turn(start: Start) -> None:
    """Whatever is requested, in whatever order it ends: every job is over in the end, and jobs of one kind that any engine could do begin in the
    order of the line."""
    draw = random.Random(8)  # noqa: S311  # a test repeats itself
    for _ in range(40):
        jobs, made = start(draw.randrange(1, 5), *draw.choices("mn", k=4))
        pairs, asked = [PAIR, OTHER, PairRequest("smollm2-135m")], []
        for index in range(draw.randrange(1, 15)):
            pair = draw.choice(pairs)
            kind = draw.randrange(4)
            if kind == 0:
                asked.append(jobs.load(pair))
            elif kind == 1:
                asked.append(jobs.perform(None, AUDIT, str(index)))
            else:
                asked.append(jobs.run(_asked(str(index), pair), visitor=f"visitor {index % 5}" if kind == 2 else ""))
        begun = []
        while running := jobs.running():
            begun += [job for job in running if job not in begun]
            job = draw.choice(running)
            engine = next(each for each in made if each.sent and each.sent[-1] == job.command)
            if job.pair is not None:
                engine.loads(job)
            if isinstance(job.command, RunPrompt):
                engine.does(job, conditions=CALM)
            elif not job.over:
                engine.does(job)
        assert all(job.over for job in asked), "nothing runs and something waits"
        assert jobs.waiting() == []
        alike = [asked.index(job) for job in begun if isinstance(job.command, Perform)]
        assert alike == sorted(alike)


def test_an_engine_that_dies_loses_its_own_job_only(start: Start) -> None:
    """Its job is lost in a sentence with the reason, another process is started, and the job of the neighbour goes on."""
    jobs, first, second = _two(start)
    one, two = jobs.run(_asked(), visitor="a"), jobs.run(_asked(pair=OTHER), visitor="b")
    first.says(Unavailable("its machine was lost"))
    first.ends("exit code 1")
    assert one.status is Status.FAILED
    assert one.message.startswith("The engine process stopped in mid-run (its machine was lost).")
    assert (two.status, len(type(first).made)) == (Status.LOADING, 3)
    _carried_out((second, two))
    assert two.status is Status.DONE
    assert jobs.loaded(PAIR) is None
    again = jobs.run(_asked(), visitor="a")
    assert second.sent[-1] == again.command, "the one that lives does it"
    third = type(first).made[2]
    third.says(Ready("here"))
    assert jobs.run(_asked(), visitor="c").command == third.sent[-1]


def test_an_engine_that_cannot_start_leaves_the_jobs_to_the_others(start: Start) -> None:
    """Only where none is left do the jobs that wait fail, with the reason; the next request tries again."""
    jobs, (first, second) = start(2)
    waiting = jobs.run(_asked(), visitor="a")
    first.says(Unavailable("no machine of the Ray cluster has room"))
    first.ends("exit code 1")
    assert not waiting.over
    second.ends("exit code 3")
    assert waiting.status is Status.FAILED
    assert "could not start (exit code 3)" in waiting.message
    made = type(first).made
    assert len(made) == 2
    again = jobs.run(_asked(), visitor="a")
    assert len(made) == 4
    made[3].says(Ready("here"))
    assert made[3].sent == [again.command]


def test_a_classroom_gives_nobody_in_particular_a_position(start: Start) -> None:
    """Who sends no cookie would get as many as he opens pages; a server of one's own has no such limit."""
    room, _ = start(1, hosting=Hosting(("embedded",), most_tokens=256))
    refused = [room.run(_asked()), room.perform(PAIR, AUDIT, "{}")]
    assert [(job.status, job.message) for job in refused] == [(Status.FAILED, visitors.NOBODY)] * 2
    assert room.run(_asked(), visitor="a").status is Status.QUEUED
    assert start(1)[0].run(_asked()).status is Status.QUEUED


def test_an_address_and_all_together_wait_only_so_many(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence for who comes later; who comes from elsewhere waits, until there are too many in all."""
    monkeypatch.setattr(limits, "MOST_WAITING", 30)
    monkeypatch.setattr(limits, "WAITING_OF_ADDRESS", 10)
    jobs, _ = start(1, address_of=lambda visitor: visitor.split(" ")[0])
    many = [jobs.run(_asked(), visitor=f"a {number}") for number in range(13)]
    assert [job.status for job in many].count(Status.QUEUED) == 10
    assert many[-1].status is Status.FAILED
    assert many[-1].message.startswith("10 jobs wait on this server")
    others = [jobs.run(_asked(), visitor=f"{number} b") for number in range(30)]
    assert [job.status for job in others].count(Status.QUEUED) == 20
    assert jobs.queue_position(others[0]) <= 1


def test_one_load_of_a_pair_serves_everybody_who_waits_for_it(start: Start) -> None:
    """However many pages ask; who leaves ends it for nobody else, and a page that asks again is no further one."""
    jobs, _ = start(1)
    pages = [lambda: True, lambda: True]
    loads = {id(jobs.load(PAIR, watched=pages[number % 2])) for number in range(1000)}
    assert len(loads) == 1
    job = jobs.load(PAIR, watched=pages[0])
    assert len(job.watchers) == 2
    assert jobs.load(OTHER) is not job
    jobs.leave(job, pages[1])
    assert not job.over
    jobs.leave(job, pages[0])
    assert job.status is Status.CANCELLED
    assert jobs.load(PAIR) is not job
