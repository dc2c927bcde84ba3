"""Who carries out sweeps: real jobs, the real embedded pair and a real database; no browser."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.job import Status
from app.jobs import Jobs
from app.lab.driver import Driver
from specviz.errors import InputError
from specviz.lab.axes import Axis
from specviz.lab.results import LEFT_OUT, MEASURED, REPLANNED
from specviz.lab.store import Store
from specviz.request import PairAsked, Request
from specviz.settings import Settings
from tests.app.conftest import until_it_is
from tests.lab.making import plan_of

pytestmark = pytest.mark.slow

KS = Axis("k", ("1", "2", "3"))
CELLS = (KS, Axis("category", ("code", "facts")))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "lab.sqlite3")


def _over(driver: Driver, name: str) -> None:
    until_it_is(lambda: driver.standing(name) is None)


def test_a_sweep_is_carried_out_and_a_visitors_run_goes_first(jobs: Jobs, store: Store) -> None:
    """Every run is measured and stored with its recording; a run that a visitor requests meanwhile waits for one run at most; nothing of the
    sweep takes the room of visitors' runs."""
    kept = {*jobs._runs._jobs}
    store.begin("real", plan_of(*CELLS, tokens=12), "")
    driver = Driver(jobs, lambda: Store(store.path))
    driver.begin("real", visitor="ada")
    until_it_is(lambda: bool(store.sweep("real").found))
    before = len(store.sweep("real").found)
    pair = PairAsked("embedded", device="cpu", dtype="float32")
    run = jobs.run(Request(pair, "One, two", Settings(max_new_tokens=8)))
    until_it_is(lambda: run.over)
    assert run.status is Status.DONE, run.message
    after = len(store.sweep("real").found)
    assert after <= before + 2, "the run in hand, and the one that began when this was over"
    standing = driver.standing("real")
    assert standing is None or (standing.visitor == "ada" and standing.runs == 6)
    _over(driver, "real")
    sweep = store.sweep("real")
    assert sweep.complete
    assert {each.how for each in sweep.found} == {MEASURED}
    assert all(store.recording("real", task.index) for task in sweep.tasks)
    assert "thread" in sweep.machine
    assert driver.problem("real") == ""
    assert {*jobs._runs._jobs} - kept == {run.id}
    with pytest.raises(InputError, match="complete"):
        driver.begin("real")


def test_stop_keeps_what_was_made_and_another_server_goes_on(jobs: Jobs, store: Store) -> None:
    """Stopped after its first run, a sweep has what was made; a new driver, as of a server that was started again, makes the rest; calculated
    cells can be measured for real."""
    store.begin("stopped", plan_of(*CELLS, tokens=12), "")
    driver = Driver(jobs, lambda: Store(store.path))
    driver.begin("stopped")
    until_it_is(lambda: bool(store.sweep("stopped").found))
    driver.stop("stopped")
    _over(driver, "stopped")
    kept = store.sweep("stopped").found
    assert 1 <= len(kept) < 6
    assert driver.problem("stopped") == ""
    another = Driver(jobs, lambda: Store(store.path))
    another.begin("stopped")
    another.begin("stopped")  # pressed twice: the same sitting
    _over(another, "stopped")
    sweep = store.sweep("stopped")
    assert sweep.complete
    assert sweep.found[: len(kept)] == kept, "what was made is not made again"

    store.begin("exact", plan_of(KS, shortcut=True), "")
    driver.begin("exact")
    _over(driver, "exact")
    assert {each.how for each in store.sweep("exact").found} == {REPLANNED}
    driver.begin("exact", (1,))
    _over(driver, "exact")
    again = store.sweep("exact").found
    assert again[1].how == MEASURED or "so the earlier one stays" in again[1].why, (
        "on a busy machine it stays calculated"
    )
    assert {each.how for each in again if each.task != 1} == {REPLANNED}


def test_what_goes_wrong_is_a_sentence_and_the_next_sweep_goes_on(jobs: Jobs, store: Store) -> None:
    """Models that are not there end their sweep, with the run at which it ended; cells that cannot run are left out; sweeps wait in turn, and one
    that waits can be stopped."""
    lost = plan_of(KS)
    store.begin("lost", replace(lost, models=replace(lost.models, pair="", target="/nowhere/at/all")), "")
    store.begin("odd", plan_of(Axis("drafter", ("suffix",)), Axis("policy", ("confidence",))), "")
    store.begin("never", plan_of(KS), "")
    driver = Driver(jobs, lambda: Store(store.path))
    for name in ("lost", "odd", "never"):
        driver.begin(name)
    assert set(driver.running()) <= {"lost", "odd", "never"}
    driver.stop("never")
    until_it_is(lambda: not driver.running())
    assert driver.problem("lost").startswith("Stopped at k 1: one. ")
    assert "/nowhere/at/all" in driver.problem("lost")
    assert store.sweep("lost").found == ()
    assert {each.how for each in store.sweep("odd").found} == {LEFT_OUT}
    assert store.sweep("never").found == ()
    with pytest.raises(InputError, match="No sweep is called"):
        driver.begin("another")
