"""Which job goes to which engine, without threads and processes."""

import random
from collections.abc import Callable

import pytest

from app import slot as slot_module
from app.dispatch import disturbed, next_turn
from app.job import Job
from app.job_queue import JobQueue
from app.slot import Slot
from specviz.audit.asked import AUDIT
from specviz.request import PairAsked, Request
from specviz.serving.process import Launch
from specviz.settings import Settings
from specviz.wire import JobCommand, ListPairs, Load, Perform, Ready, RunPrompt
from tests.helpers.engines import fake_engines

A, B, C = (
    PairAsked("embedded"),
    PairAsked("embedded-tiny"),
    PairAsked("embedded-large"),
)
Make = Callable[..., Slot]


def _run(name: str = "run", pair: PairAsked = A, visitor: str = "") -> Job:
    return Job(RunPrompt(name, Request(pair, "a", Settings())), visitor=visitor)


def _load(pair: PairAsked = A) -> Job:
    return Job(Load("load", pair))


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    """A slot with an engine that has a pair, does a job, and was used at some time."""
    monkeypatch.setattr(slot_module, "EngineProcess", fake_engines())

    def made(pair: PairAsked | None = None, job: Job | None = None, used: float = 0.0, machine: str = "here") -> Slot:
        slot = Slot(Launch(), lambda *_: None, lambda *_: None)
        slot.note(Ready(machine))
        slot.loaded, slot.job, slot.used = None if pair is None else _load(pair), job, used
        return slot

    return made


def _placed(job: Job, slots: list[Slot]) -> Slot | None:
    turn = next_turn([job], slots)
    return None if turn is None else turn.slot


def test_a_job_goes_to_the_engine_that_has_its_pair(make: Make) -> None:
    """Also where another was idle for longer or has nothing loaded; a busy one that has it is not waited for."""
    empty, having, busy = make(), make(A, used=9.0), make(B, _run("now", B))
    assert _placed(_run(), [empty, busy, having]) is having
    assert _placed(_run("other", B), [empty, busy, having]) is empty


def test_the_pair_that_is_missed_least_is_dropped(make: Make) -> None:
    """First an engine that has none; then one whose pair another has too; then the one that was used longest ago."""
    twice, old, late, empty = make(A, used=9.0), make(B, used=1.0), make(C, used=5.0), make()
    other = make(A, _run("now"), used=8.0)
    wanted = PairAsked("smollm2-135m")
    assert _placed(_run("x", wanted), [twice, old, late, other, empty]) is empty
    assert _placed(_run("x", wanted), [old, late, other, twice]) is twice
    assert _placed(_run("x", wanted), [late, old]) is old


def test_a_page_that_is_opened_loads_nothing_twice(make: Make) -> None:
    """A load of what is being loaded waits for it. So does one run, where that load is nobody's run; the next run has a free engine load it."""
    loading, free = make(None, _load(A)), make()
    assert next_turn([_load(A)], [loading, free]) is None
    assert _placed(_load(B), [loading, free]) is free
    first, second = _run("first"), _run("second")
    assert next_turn([first], [loading, free]) is None
    turn = next_turn([first, second], [loading, free])
    assert turn is not None
    assert (turn.job, turn.slot) == (second, free)
    running = make(None, _run("now"))
    assert _placed(_run("next"), [running, free]) is free, "an engine that goes on with a run is not waited for"


def test_who_is_timed_beside_a_neighbour_is_known(make: Make) -> None:
    """From the moment that its pair is there; a neighbour of another machine does not count."""
    first, second = make(A, _run("first")), make(A, _run("second"))
    assert not [*disturbed([first, second])], "both still load"
    assert first.job is not None
    first.job.counts = 1.0
    assert [*disturbed([first, second])] == [first.job]
    second.machine = "elsewhere"
    assert not [*disturbed([first, second])]


def test_everything_comes_to_its_turn(make: Make) -> None:
    """Whatever is asked for, in whatever order it ends: every job begins, no visitor has two, and jobs of
    one kind that anybody could have begin in the order of the line."""
    draw = random.Random(8)  # noqa: S311  # a test repeats itself
    for _ in range(60):
        slots = [make(machine=draw.choice("mn")) for _ in range(draw.randrange(1, 5))]
        line, all_jobs, begun = JobQueue(), [], []
        for index in range(draw.randrange(1, 15)):
            pair, visitor, name = draw.choice((A, B, C)), draw.choice(("", "u", "v", "w")), str(index)
            commands: list[JobCommand] = [
                Load(name, pair),
                Perform(name, pair, AUDIT, "{}"),
                ListPairs(name),
            ]
            job = draw.choice([_run(name, pair, visitor), _run(name, pair), Job(draw.choice(commands))])
            all_jobs.append(job)
            line.add(job)
        while len(line) or any(slot.job for slot in slots):
            while (turn := next_turn(line, slots)) is not None:
                line.remove(turn.job)
                turn.slot.give(turn.job)
                begun.append(turn.job)
                visitors = [slot.job.visitor for slot in slots if slot.job and slot.job.visitor]
                assert len(visitors) == len(set(visitors))
            busy = [slot for slot in slots if slot.job is not None]
            assert busy, "nothing runs and nothing can begin"
            done = draw.choice(busy)
            if done.job is not None and done.job.pair is not None:
                done.loaded = done.job
            done.job = None
        assert sorted(job.id for job in begun) == sorted(job.id for job in all_jobs)
        lists = [job.id for job in begun if isinstance(job.command, ListPairs)]
        assert lists == sorted(lists, key=int)
