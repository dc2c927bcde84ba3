"""The lab's task: one run of a sweep in the engine process gives what the same sweep gives as a command; and what is expected before."""

import json
from dataclasses import replace

import pytest

from specviz.decoding.costs import Costs
from specviz.errors import InputError
from specviz.lab import measuring, study
from specviz.lab.axes import Axis
from specviz.lab.expected import expected
from specviz.lab.measuring import Bench
from specviz.lab.plan import MOST_RUNS, tasks
from specviz.lab.results import MEASURED, REPLANNED, Found
from specviz.lab.study import RunMade, Watched, one_run
from specviz.models import Pair
from specviz.trace.files import loads
from specviz.trace.metrics import speedup
from specviz.wire import Event, Failed
from tests.lab.making import CALM, answers, events_of, plan_of

CELLS = (Axis("k", ("1", "3")), Axis("category", ("code", "facts")))
KNOWN = Watched(Costs(0.25, (1.0, 1.1, 1.3, 1.6)), CALM)


def _made(events: list[Event]) -> RunMade:
    (made,) = answers(events)
    assert isinstance(made, RunMade)
    return made


def _counts(found: Found) -> tuple[int, int, int]:
    assert found.row is not None
    return found.row.rounds, found.row.judged, found.row.accepted


def test_a_run_of_the_task_is_the_run_of_the_command(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run of a plan, one by one: the counts of the sweep as a whole, measured and calculated; the recording gives the speedup; the
    costs of passes are measured once for a sitting."""
    costs: list[str] = []

    def counted(pair: Pair, drafter: str) -> Watched:
        costs.append(drafter)
        return KNOWN

    monkeypatch.setattr(measuring, "watched_costs", counted)
    for shortcut, how in ((False, MEASURED), (True, REPLANNED)):
        plan = plan_of(CELLS[0], Axis("category", ("code",)), shortcut=shortcut)
        whole = Bench(embedded, lambda what: None)
        costs.clear()
        for task in tasks(plan):
            alone = one_run(plan, task)
            assert alone.plan.size == 1
            made = _made(events_of(embedded, study.request(alone, f"sitting {how}")))
            assert (made.found.how, made.found.task) == (how, 0)
            assert _counts(made.found) == _counts(whole.one(plan, task)[0])
            assert made.found.wall_s > 0
            assert "thread" in made.machine
            assert (made.recording is None) == (how == REPLANNED)
            if made.recording is not None:
                assert made.found.row is not None
                run, plain = loads(made.recording)
                assert made.found.row.speedup.median == pytest.approx(speedup(plain, run))
        assert costs == ["model"] * 2, "once for the sitting, once for the whole"
    real = one_run(plan, tasks(plan)[0], for_real=True)
    assert _made(events_of(embedded, study.request(real, "one"))).found.how == MEASURED


def test_a_tree_has_the_size_that_fits_a_measured_block(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one that was right on the machine of a default."""
    monkeypatch.setattr(measuring, "fitting_nodes", lambda pair: 3)
    plan = plan_of(Axis("drafter", ("tree",)))
    _, recording = Bench(embedded, lambda what: None).one(plan, tasks(plan)[0])
    assert recording is not None
    assert loads(recording)[0].settings.nodes == 3


def test_a_damaged_request_is_one_sentence(embedded: Pair) -> None:
    """What is no request fails the job."""
    damaged = ({"plan": 3}, [1], {"sitting": "", "asked": "{}"}, {"sitting": "", "asked": '{"RunAsked": {"k": 3}}'})
    for each in damaged:
        assert isinstance(events_of(embedded, json.dumps(each))[-1], Failed)
    with pytest.raises(InputError, match="The lab knows no 'Nothing'"):
        study.answer(json.dumps({"Nothing": {}}))


def test_what_to_expect_of_a_sweep() -> None:
    """So many runs, so many of them calculated from so many plain runs, as the sweep then makes them; the time comes from a measured rate,
    from earlier runs, or is not said."""
    plan = plan_of(*CELLS, shortcut=True)
    found = expected(plan, (), plain_rate=100.0)
    assert (found.runs, found.calculated, found.texts, found.left_out) == (4, 4, 2, 0)
    assert found.seconds == pytest.approx(2 * 16 / 100)
    halves = plan_of(Axis("k", ("1", "3")), Axis("dtype", ("bfloat16",)), shortcut=True)
    for other in (replace(plan, shortcut=False), halves):
        measured = expected(other, (), earlier_s=2.0)
        assert (measured.calculated, measured.seconds) == (0, 2.0 * other.size)
        assert "median of earlier runs" in measured.source
    assert expected(plan, ()).seconds is None
    odd = plan_of(Axis("drafter", ("suffix", "model")), Axis("policy", ("confidence",)))
    assert expected(odd, ()).left_out == 2
    large = plan_of(Axis("k", ("1",)), Axis("prompt-length", tuple(str(n) for n in range(1, MOST_RUNS // 2 + 2))))
    with pytest.raises(InputError, match=r"10,002 runs, about .* at 2 s each"):
        expected(large, (), earlier_s=2.0)
