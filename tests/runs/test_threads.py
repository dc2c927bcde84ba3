"""The number of torch's threads: before every round of every way to decode it fits the cores that are free."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
import torch

from specviz.models import Pair, limits, threads
from specviz.models.threads import Glance, LoadMeter, adapting, threads_for
from specviz.runs import costs
from specviz.runs.costs import watched
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Round

PROMPT = "Once upon a time"


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


def clocked(
    embedded: Pair, machine: Machine, seconds: list[float], others: Sequence[float] = ()
) -> tuple[list[int], tuple[str, ...]]:
    """The threads on which each round of a plain run was made, and the notes of its card.

    Args:
        seconds: how long each round takes.
        others: the cores that other programs use after each round.
    """
    run = Run(embedded, PROMPT, Settings(max_new_tokens=len(seconds)), plain=True)
    used: list[int] = []
    decoding = run._decoding._rounds

    def rounds() -> Iterator[Round]:
        ended_s = 0.0
        for took in seconds:
            used.append(torch.get_num_threads())
            machine.pass_(took)
            began_s, ended_s = ended_s, ended_s + took
            yield replace(next(decoding), began_s=began_s, draft_s=0.0, verify_s=0.0, ended_s=ended_s)

    run._decoding._rounds = rounds()
    for index, _ in enumerate(run):
        if others:
            machine.others = others[index]
            assert torch.get_num_threads() == 4, "between its rounds torch has the caller's own number"
    return used, run.card.notes


def test_as_many_threads_as_cores_are_free() -> None:
    """No thread shares a core with another program, and at least one thread runs."""
    for usual, cores, others, reserve, count in (
        (2, 2, 0.0, 0, 2),
        (2, 2, 0.2, 0, 2),  # the noise of a calm system
        (2, 2, 1.0, 0, 1),
        (1, 2, 2.0, 1, 1),
        (4, 8, 0.6, 0, 4),  # a browser, and cores enough
        (4, 8, 5.0, 0, 3),
        (7, 8, 0.9, 1, 7),  # the page's own core
        (7, 8, 3.0, 1, 5),
        (8, 1.5, 0.0, 0, 1),  # a container's quota
    ):
        assert threads_for(usual, cores, others, reserve) == count


@pytest.mark.slow
def test_a_run_has_threads_for_the_free_cores_from_its_first_round_on(embedded: Pair, machine: Machine) -> None:
    """A Python caller's run looks before its first pass, and again between its rounds; between them torch has the caller's own number."""
    machine.others = 2.0
    used, _ = clocked(embedded, machine, [0.1] * 12, [3.0] * 5 + [0.0] * 7)
    assert (used[:2], used[4:6], used[-3:]) == ([2, 2], [1, 1], [4, 4, 4])


def test_a_callers_own_number_is_the_most(embedded: Pair, machine: Machine) -> None:
    """Somebody who set torch's threads gets no more than that, and has that number afterwards."""
    torch.set_num_threads(3)
    assert set(clocked(embedded, machine, [0.1] * 12)[0]) == {3}
    assert torch.get_num_threads() == 3


def test_a_slow_round_leaves_the_next_ones_one_thread(embedded: Pair, machine: Machine) -> None:
    """Whatever the system's counters say: for a second, then all are tried again, and for twice as long after another. The record says so."""
    used, notes = clocked(embedded, machine, [0.1, 0.1, 0.29, 0.31, *[0.11] * 10, 0.5, *[0.11] * 7])
    assert used == [4, 4, 4, 4, *[1] * 10, 4, *[1] * 7]
    assert any("Round 4 took more than 3 times" in note for note in notes)


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
            assert set(clocked(embedded, machine, seconds)[0]) == expected
        assert watchman.threads == 1
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


@pytest.mark.slow
def test_the_threads_do_not_change_the_scores(embedded: Pair) -> None:
    """Bit for bit: so a run whose threads change writes the same text."""
    target, scores = embedded.target, {}
    for count in (1, 2):
        torch.set_num_threads(count)
        with torch.inference_mode():
            for width in (1, 5):
                target.begin(40 + width)
                target.forward(torch.arange(40), rows=1)
                target.keep(range(40))
                scores[count, width] = target.forward(torch.arange(width) * 7).logits.clone()
    assert all(torch.equal(scores[1, width], alike) for (_, width), alike in scores.items())
