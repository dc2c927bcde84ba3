"""The number of torch's threads: before every round of every way to decode it fits the cores that are free."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import pytest
import torch

from specviz.audit.pairs import subject_of
from specviz.audit.subject import DecoderParts
from specviz.decoding.costs import Costs
from specviz.decoding.loop import speculate
from specviz.models import Pair, limits, load_pair, threads
from specviz.models.threads import Glance, LoadMeter, Threads, adapting, threads_for
from specviz.runs import costs
from specviz.runs.costs import watched
from specviz.runs.round_threads import RoundTimes
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Round

PROMPT = "Once upon a time"
SHORT = Settings(max_new_tokens=12)


@dataclass
class Machine:
    """A machine whose load and clock the test decides."""

    others: float = 0.0
    now: float = 100.0
    used: float = 0.0

    def glance(self) -> Glance:
        return Glance(self.now, self.used, 0.0)

    def pass_(self, seconds: float) -> None:
        self.now += seconds
        self.used += seconds * self.others


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Four cores, four threads of torch, nothing else running."""
    fake = Machine()
    monkeypatch.setattr(threads, "GLANCE_S", 0.2)
    monkeypatch.setattr(threads, "glance", fake.glance)
    monkeypatch.setattr(threads, "monotonic", lambda: fake.now)
    monkeypatch.setattr(threads, "sleep", fake.pass_)
    monkeypatch.setattr(threads, "LOAD", LoadMeter())
    monkeypatch.setattr(limits, "core_count", lambda: 4.0)
    monkeypatch.setattr(costs, "useful_threads", lambda pair: None)
    torch.set_num_threads(4)
    return fake


class Clocked:
    """Rounds whose seconds the test decides, with the threads that each was made on."""

    def __init__(self, run: Run, machine: Machine, seconds: list[float]) -> None:
        self.threads: list[int] = []
        decoding = run._decoding._rounds

        def rounds() -> Iterator[Round]:
            ended_s = 0.0
            for took in seconds:
                self.threads.append(torch.get_num_threads())
                machine.pass_(took)
                began_s, ended_s = ended_s, ended_s + took
                yield replace(next(decoding), began_s=began_s, draft_s=0.0, verify_s=0.0, ended_s=ended_s)

        run._decoding._rounds = rounds()


@pytest.mark.parametrize(
    ("usual", "cores", "others", "reserve", "count"),
    [
        (2, 2, 0.0, 0, 2),
        (2, 2, 0.2, 0, 2),  # the noise of a calm system
        (2, 2, 1.0, 0, 1),
        (2, 2, 2.0, 0, 1),
        (1, 2, 2.0, 1, 1),
        (4, 8, 0.6, 0, 4),  # a browser, and cores enough
        (4, 8, 5.0, 0, 3),
        (7, 8, 0.0, 1, 7),
        (7, 8, 0.9, 1, 7),  # the page's own core
        (7, 8, 3.0, 1, 5),
        (8, 8, None, 0, 8),
        (8, 1.5, 0.0, 0, 1),  # a container's quota
        (8, 2.0, 0.0, 0, 2),
    ],
)
def test_as_many_threads_as_cores_are_free(
    usual: int, cores: float, others: float | None, reserve: int, count: int
) -> None:
    """No thread shares a core with another program, and at least one thread runs."""
    assert threads_for(usual, cores, others, reserve) == count


@pytest.mark.slow
def test_a_run_has_threads_for_the_free_cores_from_its_first_round_on(embedded: Pair, machine: Machine) -> None:
    """A Python caller's run looks before its first pass, and again between its rounds; between them torch has the caller's own number."""
    machine.others = 2.0
    run = Run(embedded, PROMPT, SHORT, plain=True)
    clocked = Clocked(run, machine, [0.1] * 12)
    for index, _ in enumerate(run):
        machine.others = 3.0 if index < 5 else 0.0
        assert torch.get_num_threads() == 4
    assert clocked.threads[:2] == [2, 2]
    assert clocked.threads[4:6] == [1, 1]
    assert clocked.threads[-3:] == [4, 4, 4]


def test_a_callers_own_number_is_the_most(embedded: Pair, machine: Machine) -> None:
    """Somebody who set torch's threads gets no more than that, and has that number afterwards."""
    torch.set_num_threads(3)
    run = Run(embedded, PROMPT, SHORT, plain=True)
    clocked = Clocked(run, machine, [0.1] * 12)
    run.finish()
    assert set(clocked.threads) == {3}
    assert torch.get_num_threads() == 3


def test_a_slow_round_leaves_the_next_ones_one_thread(embedded: Pair, machine: Machine) -> None:
    """Whatever the system's counters say: for a second, then all are tried again, and for twice as long after another. The record says so."""
    run = Run(embedded, PROMPT, replace(SHORT, max_new_tokens=22), plain=True)
    clocked = Clocked(run, machine, [0.1, 0.1, 0.29, 0.31, *[0.11] * 10, 0.5, *[0.11] * 7])
    run.finish()
    assert clocked.threads == [4, 4, 4, 4, *[1] * 10, 4, *[1] * 7]
    assert any("Round 4 took more than 3 times" in note for note in run.card.notes)


def test_what_a_round_is_expected_to_take() -> None:
    """By its costs, where these are known; else only rounds that drafted as much or more are compared with."""
    known, unknown = RoundTimes(Costs(0.5, (1.0, 1.0, 1.0, 1.0, 2.0))), RoundTimes()
    for times in (known, unknown):
        assert not times.is_slow(0, 0.1), "nothing is known of a first round"
    assert not known.is_slow(4, 1.1), "a round of four costs as much as four plain ones"
    assert known.is_slow(4, 3.0)
    assert not unknown.is_slow(4, 3.0)
    assert not unknown.is_slow(2, 3.0)
    assert unknown.is_slow(0, 10.0)


def test_runs_that_are_compared_have_one_number(embedded: Pair, machine: Machine) -> None:
    """Runs inside a comparison take its number, also when the load changes; a slow round leaves all of them one thread."""
    machine.others = 1.0
    with watched(embedded) as watchman:
        for load, seconds, expected in (
            (0.0, [0.1] * 12, {3}),
            (0.0, [0.1, 0.4, *[0.1] * 10], {3, 1}),
            (0.0, [0.1] * 12, {1}),
        ):
            machine.others = load
            run = Run(embedded, PROMPT, SHORT, plain=True)
            clocked = Clocked(run, machine, seconds)
            run.finish()
            assert set(clocked.threads) == expected
        assert watchman.threads == 1
    assert torch.get_num_threads() == 4


def test_an_audit_has_threads_for_the_free_cores(embedded: Pair, machine: Machine) -> None:
    """Its decoder is a loop that is no `Run`."""
    used: list[int] = []

    def loop(*args: Any, **named: Any) -> Iterator[Round]:
        for round_ in speculate(*args, **named):
            used.append(torch.get_num_threads())
            yield round_

    machine.others = 3.0
    subject = subject_of(embedded, SHORT)
    assert isinstance(subject.parts, DecoderParts)
    subject = replace(subject, parts=replace(subject.parts, speculate=loop))
    list(subject.decode((1, 2, 3), replace(SHORT, max_new_tokens=4)))
    assert set(used) == {1}
    assert torch.get_num_threads() == 4


@pytest.mark.slow
def test_loading_has_threads_for_the_free_cores(machine: Machine) -> None:
    """At its first step, and again at every other one."""
    used: list[int] = []
    machine.others = 3.0

    def progress(what: str, share: float | None) -> None:
        used.append(torch.get_num_threads())
        machine.others = 0.0
        machine.pass_(1.0)

    load_pair("embedded", device="cpu", dtype="float32", progress=progress)
    assert used[0] == 1
    assert used[-1] == 4
    assert torch.get_num_threads() == 4


def test_threads_follow_the_free_cores_between_steps(machine: Machine) -> None:
    """Work that is compared with nothing goes down to one thread while other programs have the cores, and up again afterwards."""
    said: list[int] = []
    with adapting(lambda what: said.append(torch.get_num_threads())) as step:
        for machine.others in (0.0, 3.0, 3.0, 0.0):
            machine.pass_(0.3)
            step("a step")
    assert said == [4, 1, 1, 4]
    assert torch.get_num_threads() == 4


def test_an_old_glance_is_taken_again(machine: Machine) -> None:
    """What the machine did an hour ago says nothing about a run that begins now; what is known from a moment ago costs no other look."""
    machine.others = 3.0
    machine.pass_(3600.0)
    machine.others = 0.0
    with Threads().used() as chosen:
        assert chosen.count == 4
    began = machine.now
    with Threads().used():
        assert machine.now == began
    machine.pass_(1.0)
    with Threads().used():
        assert machine.now == began + 1.0


@pytest.mark.slow
def test_the_threads_do_not_change_the_scores(embedded: Pair) -> None:
    """Bit for bit: so a run whose threads change writes the same text."""
    target, scores = embedded.target, {}
    for count in (1, 2):
        torch.set_num_threads(count)
        with torch.inference_mode():
            for cached in (3, 40):
                for width in (1, 2, 5, 9):
                    target.begin(cached + width)
                    target.forward(torch.arange(cached), rows=1)
                    target.keep(range(cached))
                    scores[count, cached, width] = target.forward(torch.arange(width) * 7).logits.clone()
    assert all(torch.equal(scores[1, cached, width], alike) for (_, cached, width), alike in scores.items())


@contextmanager
def busy(core: int) -> Iterator[None]:
    """A program that computes all the time on this core."""
    code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nprint(flush=True)\nwhile True: pass"
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    try:
        assert program.stdout is not None
        program.stdout.readline()
        yield
    finally:
        program.kill()
        program.communicate()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux can tie a process to a core")
@pytest.mark.skipif(len(limits.cores()) < 2, reason="one core has no threads to choose")
def test_a_run_beside_a_busy_program_is_as_fast_as_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the third round on, all threads beside a program that takes a core: not less than half the rate of one thread beside it. The median
    of several runs in turn, since what else the machine does falls on both."""
    monkeypatch.setattr(threads, "GLANCE_S", 0.2)
    pair = load_pair("embedded", device="cpu", dtype="float32")
    monkeypatch.setattr(costs, "useful_threads", lambda pair: None)
    cores = sorted(limits.cores())
    ratios = []
    with busy(cores[0]), busy(cores[1]):
        for _ in range(5):
            seconds = {}
            for count in (1, len(cores)):
                torch.set_num_threads(count)
                run = Run(pair, PROMPT, replace(SHORT, max_new_tokens=40), plain=True)
                seconds[count] = median(round_.seconds for round_ in run.finish().rounds[2:])
            ratios.append(seconds[1] / seconds[len(cores)])
    assert median(ratios) > 0.5
