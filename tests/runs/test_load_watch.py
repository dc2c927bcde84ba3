"""Watching over timed runs: threads for the cores that are free, the share of time in which a run had no core, repeats."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from time import perf_counter, sleep

import pytest
import torch

from specviz.runs import load_watch
from specviz.runs.load_watch import CoreTime, Glance, Watchman, adapting, glance, threads_for

REAL = {name: getattr(load_watch, name) for name in ("EXTRA_TURNS", "_PATIENCE_S", "_GLANCE_S")}


@pytest.fixture(autouse=True)
def real_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests wait for no calm machine; these are about that."""
    for name, value in REAL.items():
        monkeypatch.setattr(load_watch, name, value)


@pytest.fixture
def _threads_back() -> Iterator[None]:
    """What a test does to the number of threads is undone."""
    usual = torch.get_num_threads()
    yield
    torch.set_num_threads(usual)


def test_a_thread_that_does_not_compute_waits() -> None:
    """Half of the time asleep is half of the time without a core; what happens between the steps of a run does not count."""
    time = CoreTime()
    with time:
        sleep(0.05)
    assert time.waited > 0.9
    slow = CoreTime()
    for _ in slow.over(range(3)):
        sleep(0.03)
    assert slow.wall_s < 0.03
    assert CoreTime().waited == 0.0


@pytest.mark.parametrize(
    ("usual", "cores", "others", "reserve", "threads"),
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
    ],
)
def test_as_many_threads_as_cores_are_free(
    usual: int, cores: int, others: float | None, reserve: int, threads: int
) -> None:
    """No thread shares a core with another program, and at least one thread runs."""
    assert threads_for(usual, cores, others, reserve) == threads


@pytest.mark.usefixtures("_threads_back")
def test_the_threads_are_given_back() -> None:
    """Fewer threads are used while a disturbed comparison goes on, and all of them afterwards, after an error too."""

    def disturbed() -> None:
        with Watchman(on_cpu=True) as watchman:
            assert torch.get_num_threads() == watchman.threads <= 4
            watchman._use(4)
            for _ in range(2):
                watchman.took(2.0, [CoreTime(0.01, 0.002)])
                watchman.settle()
            assert torch.get_num_threads() == watchman.threads < 4
            raise RuntimeError

    torch.set_num_threads(4)
    with pytest.raises(RuntimeError):
        disturbed()
    assert torch.get_num_threads() == 4


@pytest.mark.usefixtures("_threads_back")
def test_the_number_of_threads_stays_once_a_turn_was_calm() -> None:
    """All turns that count are made with the same number of threads."""
    torch.set_num_threads(2)
    with Watchman(on_cpu=True) as watchman:
        watchman._use(2)
        watchman.took(2.0, [CoreTime(0.01, 0.01)])
        watchman.took(2.0, [CoreTime(0.01, 0.002)])
        watchman.settle()
        assert watchman.threads == 2


@pytest.mark.usefixtures("_threads_back")
def test_threads_follow_the_free_cores_between_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is compared with nothing goes down to one thread while other programs have the cores, and up again afterwards."""
    seconds = iter(range(100))
    others = [0.0, 0.0, 0.0, 1.9, 1.9, 0.0]
    used = [0.0]
    monkeypatch.setattr(load_watch, "_cores", lambda: {0, 1})

    def look() -> Glance:
        used[0] += others.pop(0) if others else 0.0
        return Glance(float(next(seconds)), used[0], 0.0)

    torch.set_num_threads(2)
    said: list[int] = []
    monkeypatch.setattr(load_watch, "glance", look)
    monkeypatch.setattr(load_watch, "sleep", lambda seconds: None)
    with adapting(lambda what: said.append(torch.get_num_threads())) as step:
        for what in "abcd":
            step(what)
    assert said == [1, 1, 2, 2]
    assert torch.get_num_threads() == 2


def test_disturbed_turns_are_repeated_a_few_times() -> None:
    """A calm comparison makes exactly the turns that were wanted; a disturbed one a few more, and then gives up."""
    for computed, step, turns, trusted in ((0.01, 0.0, 3, True), (0.005, 0.0, 6, True), (0.005, 0.9, 6, False)):
        with Watchman(on_cpu=True) as watchman:
            while watchman.may_repeat(3):
                figure = 2.0 + step * len(watchman.turns)
                watchman.took(figure, [CoreTime(0.01, 0.01), CoreTime(0.01, computed)], 9.0)
            found = watchman.conditions(3)
        assert (found.turns, found.trusted, found.disturbed) == (turns, trusted, trusted and computed < 0.01)
    with Watchman(on_cpu=True) as watchman:
        for figure in (2.4, 5.0, 2.3, 2.5, 2.4, 2.4):
            if watchman.may_repeat(3):
                watchman.took(figure, [CoreTime(0.01, 0.01)])
        found = watchman.conditions(3)
    assert (found.turns, found.trusted) == (5, True), "calm turns that differ are repeated until an outlier can be seen"
    with Watchman(on_cpu=False) as watchman:
        watchman.took(2.0, [CoreTime(0.01, 0.0)])  # on a GPU the thread waits for the device
        assert watchman.conditions(1).waited is None
        assert watchman.conditions(1).trusted


def test_a_turn_that_cannot_be_is_repeated() -> None:
    """A speedup above the tokens per pass is timed again; alone it is not trusted, and the limit is kept for the sentence."""
    with Watchman(on_cpu=True) as watchman:
        watchman.took(5.36, [CoreTime(0.01, 0.01)], 5.2)
        assert watchman.may_repeat(1)
        alone = watchman.conditions(1)
        assert (alone.trusted, alone.most) == (False, 5.2)
        watchman.took(3.6, [CoreTime(0.01, 0.01)], 5.2)
        assert not watchman.may_repeat(1)
        found = watchman.conditions(1)
    assert (found.trusted, found.left_out, found.high) == (True, 1, 3.6)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux can tie a process to a core")
def test_real_burners_are_noticed() -> None:
    """Four programs that want the core of this thread leave it about a fifth of the time, and the counters show their work."""
    core = min(os.sched_getaffinity(0))
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

    code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nprint(flush=True)\nwhile True: pass"
    burners = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(4)]
    try:
        for burner in burners:
            assert burner.stdout is not None
            burner.stdout.readline()
        thread = threading.Thread(target=measured)
        thread.start()
        thread.join()
    finally:
        for burner in burners:
            burner.kill()
            burner.communicate()
    (time, others) = found[0]
    assert time.waited > 0.4
    assert others > 0.3
