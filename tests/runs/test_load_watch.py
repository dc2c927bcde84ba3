"""Watching over timed runs: threads for the cores that are free, the share of time in which a run had no core, repeats."""

import os
import subprocess
import sys
import threading
from itertools import count
from time import perf_counter, sleep

import pytest
import torch

from specviz.models import machine_notes, threads
from specviz.models.machine_notes import CoreTime
from specviz.models.threads import glance
from specviz.runs import load_watch
from specviz.runs.load_watch import watching
from tests.helpers import hasty

REAL = [(module, name, getattr(module, name)) for module, name, _ in hasty.VALUES]


@pytest.fixture(autouse=True)
def real_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests wait for no calm machine; these are about that."""
    for module, name, value in REAL:
        monkeypatch.setattr(module, name, value)


def test_a_thread_that_does_not_compute_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the time asleep is half of the time without a core; what happens between the steps of a run does not count."""
    time = CoreTime()
    with time:
        sleep(0.05)
    assert time.waited > 0.9
    clock = count()
    monkeypatch.setattr(machine_notes, "perf_counter", lambda: float(next(clock)))  # a second from one look to the next
    slow = CoreTime()
    for _ in slow.over(range(3)):
        next(clock)
    assert slow.wall_s == 4.0, "three steps and the end"
    assert CoreTime().waited == 0.0


def test_the_threads_are_given_back() -> None:
    """Fewer threads are used while a disturbed comparison goes on, and all of them afterwards, after an error too."""

    def disturbed() -> None:
        with watching(on_cpu=True) as watchman:
            assert torch.get_num_threads() == watchman.threads <= 4
            watchman._threads.use(4)
            for _ in range(2):
                watchman.add_turn(2.0, [CoreTime(0.01, 0.002)])
                watchman.wait_for_cores()
            assert torch.get_num_threads() == watchman.threads < 4
            raise RuntimeError

    torch.set_num_threads(4)
    with pytest.raises(RuntimeError):
        disturbed()
    assert torch.get_num_threads() == 4


def test_a_turn_in_which_the_threads_dropped_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a slow round both sides have one thread to the end of the turn; the turn is made again, with the number of those that count."""
    monkeypatch.setattr(load_watch, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(threads, "GLANCE_S", 0.0)
    torch.set_num_threads(2)
    with watching(on_cpu=True) as watchman:
        watchman._threads.use(2)
        watchman.add_turn(2.0, [CoreTime(0.01, 0.01)])
        with threads.Threads().used() as active:  # those of a run
            assert active.drop()
        with threads.Threads().used():
            assert torch.get_num_threads() == 1, "the other side"
        watchman.add_turn(1.0, [CoreTime(0.01, 0.01)])
        assert watchman.calm_turns == 1
        watchman.wait_for_cores()
        assert torch.get_num_threads() == 2
        watchman.add_turn(2.0, [CoreTime(0.01, 0.01)])
        found = watchman.conditions(2)
    assert (found.trusted, found.left_out, found.threads) == (True, 1, 2)


def test_disturbed_turns_are_repeated_a_few_times() -> None:
    """A calm comparison makes exactly the turns that were wanted; a disturbed one a few more, and then gives up."""
    for computed, step, turns, trusted in ((0.01, 0.0, 3, True), (0.005, 0.0, 6, True), (0.005, 0.9, 6, False)):
        with watching(on_cpu=True) as watchman:
            while watchman.may_repeat(3):
                figure = 2.0 + step * len(watchman.turns)
                watchman.add_turn(figure, [CoreTime(0.01, 0.01), CoreTime(0.01, computed)], 9.0)
            found = watchman.conditions(3)
        assert (found.turns, found.trusted, found.disturbed) == (turns, trusted, trusted and computed < 0.01)
    with watching(on_cpu=True) as watchman:
        for figure in (2.4, 5.0, 2.3, 2.5, 2.4, 2.4):
            if watchman.may_repeat(3):
                watchman.add_turn(figure, [CoreTime(0.01, 0.01)])
        found = watchman.conditions(3)
    assert (found.turns, found.trusted) == (5, True), "calm turns that differ are repeated until an outlier can be seen"
    with watching(on_cpu=False) as watchman:
        watchman.add_turn(2.0, [CoreTime(0.01, 0.0)])  # on a GPU the thread waits for the device
        assert watchman.conditions(1).waited is None
        assert watchman.conditions(1).trusted


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux can tie a process to a core")
def test_real_burners_are_noticed() -> None:
    """Four programs that want the core of this thread leave it about a fifth of the time, and the counters show their work."""
    core = min(os.sched_getaffinity(0))
    code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nprint(flush=True)\nwhile True: pass"
    found: list[tuple[CoreTime, float]] = []

    def measured() -> None:
        os.sched_setaffinity(0, {core})  # of this thread alone
        before, until = glance(), perf_counter() + 0.4
        with CoreTime() as time:
            while perf_counter() < until:
                pass
        now = glance()
        assert before is not None
        assert now is not None
        found.append((time, now.others_since(before)))

    programs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(4)]
    try:
        assert all(program.stdout and program.stdout.readline() for program in programs)
        thread = threading.Thread(target=measured)
        thread.start()
        thread.join()
    finally:
        for program in programs:
            program.kill()
            program.communicate()
    (time, others) = found[0]
    assert time.waited > 0.4
    assert others > 0.3
