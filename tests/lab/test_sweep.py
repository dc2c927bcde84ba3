"""A sweep of the embedded pair: its numbers are those of the same runs by hand, and it can be stopped and resumed."""

from itertools import chain, repeat
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import cast

import pytest
import torch

from specviz.decoding.costs import Costs
from specviz.lab import costs as measuring
from specviz.lab import measuring as benches
from specviz.lab.axes import Axis
from specviz.lab.costs import watched_costs
from specviz.lab.ledger import ledger
from specviz.lab.results import MEASURED, REPLANNED, as_json
from specviz.lab.store import Store
from specviz.lab.study import Watched
from specviz.lab.sweep import carry_out
from specviz.models import Pair
from specviz.runs import load_watch
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import loads
from specviz.trace.metrics import speedup
from tests.lab.making import CALM, PROMPTS, plan_of

CELLS = (Axis("k", ("1", "3")), Axis("category", ("code", "facts")))


COSTS = Costs(0.25, (1.0, 1.1, 1.3, 1.6))


@pytest.fixture(autouse=True)
def _known_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes cost what these tests say."""
    monkeypatch.setattr(benches, "watched_costs", lambda pair, drafter: Watched(COSTS, CALM))


def by_hand(pair: Pair, k: int, text: str) -> tuple[tuple[int, int, int], float]:
    """Rounds, judged and accepted of the same run, made here, and the speedup of these rounds at the costs above."""
    made = Run(pair, text, Settings(k=k, max_new_tokens=8)).finish()
    counts = (len(made.rounds), sum(r.judged for r in made.rounds), sum(len(r.accepted) for r in made.rounds))
    cost = sum(len(r.drafted) * COSTS.c + COSTS.v[len(r.drafted)] for r in made.rounds)
    return counts, len(made.token_ids) / cost


def test_a_sweeps_numbers_are_those_of_the_runs_by_hand(tmp_path: Path, embedded: Pair) -> None:
    """Measured and replanned, cell by cell; a recording is the very run, and its times give the speedup that is shown. Stopped after one
    run, the sweep keeps it, and goes on with the others; a replanned cell can be measured."""
    store = Store(tmp_path / "lab.sqlite3")
    for name, shortcut, how in (("measured", False, MEASURED), ("exact", True, REPLANNED)):
        store.begin(name, plan_of(*CELLS, shortcut=shortcut), "here")
        said: list[str] = []
        assert carry_out(store, name, said.append, pair=embedded, stop=chain([False] * 2, repeat(True)).__next__) == 1
        (first,) = store.sweep(name).found
        assert carry_out(store, name, said.append, pair=embedded) == 3
        assert any("run 1 of 3" in line and "left" in line for line in said)
        sweep = store.sweep(name)
        assert sweep.complete
        assert sweep.found[0] == first, "what was measured is not measured again"
        for task, found in zip(sweep.tasks, sweep.found, strict=True):
            assert found.row is not None
            assert found.how == how
            counts, priced = by_hand(embedded, int(task.at[0]), PROMPTS[task.prompt].text)
            assert (found.row.rounds, found.row.judged, found.row.accepted) == counts
            assert found.predicted == pytest.approx(priced)
            recorded = store.recording(name, task.index)
            if how == REPLANNED:
                assert recorded is None
                assert found.row.speedup.median == found.predicted
                continue
            speculative, plain = loads(recorded or "")
            assert speculative.settings.k == int(task.at[0])
            assert found.row.speedup.median == pytest.approx(speedup(plain, speculative))
            assert found.ledger == ledger(plain, speculative)
            assert found.row.same_text is True
    cells = {tuple(cell.at): cell for cell in sweep.cells}
    assert list(cells) == [(k, kind) for k in ("1", "3") for kind in ("code", "facts")]
    assert carry_out(store, "exact", lambda what: None, only=[0], pair=embedded) == 1
    again = store.sweep("exact")
    measured = again.found[0].how == MEASURED
    assert measured or "so the earlier one stays" in again.found[0].why, "on a busy machine it stays calculated"
    assert {each.how for each in again.found[1:]} == {REPLANNED}
    hows = ["measured: real runs, warm and alone, in turn with plain decoding"] * measured
    assert {cell["how"] for cell in as_json(again)["cells"]} == {*hows, "rounds exact, times priced"}


def test_what_cannot_run_is_left_out_with_its_reason(tmp_path: Path, embedded: Pair) -> None:
    """A drafter that has no such policy does not end the sweep."""
    store = Store(tmp_path / "lab.sqlite3")
    plan = plan_of(Axis("drafter", ("suffix",)), Axis("policy", ("confidence",)))
    store.begin("odd", plan, "here")
    carry_out(store, "odd", lambda what: None, pair=embedded)
    (cell,) = store.sweep("odd").cells
    assert cell.line is None
    assert "does not support the policy" in cell.why


def test_costs_are_measured_a_few_times_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that is busy all the time the measuring ends, with the last figures, and they are not trusted."""
    measured: list[Costs] = []

    def waits(pair: Pair, drafter: str) -> Costs:
        sleep(0.02)  # this thread does not compute: as if another program had its core
        measured.append(Costs(0.1 * (len(measured) + 1), (1.0,)))
        pair.costs[drafter] = measured[-1]
        return measured[-1]

    monkeypatch.setattr(measuring, "costs_of", waits)
    monkeypatch.setattr(load_watch, "EXTRA_TURNS", 2)
    pair = cast(Pair, SimpleNamespace(target=SimpleNamespace(device=torch.device("cpu")), costs={}))
    found = watched_costs(pair, "model")
    assert len(measured) == 3
    assert found.costs == measured[-1]
    assert not found.conditions.trusted
