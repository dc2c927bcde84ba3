"""Claims about what specviz chooses where a person leaves drafter, draft length and tree to it."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.models import Pair
from specviz.models.machine_notes import machine, note, notes_file
from specviz.runs import auto, pass_costs
from specviz.runs.auto import chosen
from specviz.runs.known_figures import Known, shipped_costs, shipped_figures
from specviz.runs.pass_costs import Passes, called, learn, passes_of, watched
from specviz.runs.run import Run
from specviz.settings import AUTO, MAX_DRAFT_LENGTH, Settings
from specviz.trace.plan import Plan
from specviz.trace.records import Trace

OPEN = Settings(drafter=AUTO, nodes=0, policy=AUTO, max_new_tokens=12)
PROMPT = "The capital of Burkina Faso is"


def costs(pair: Pair, v: Sequence[float], *, measured: bool = True) -> None:
    """Passes of the pair cost this, as if it had been measured."""
    pair.kept[f"passes of {called(pair)}"] = Passes(tuple(v), measured, machine())


def known(monkeypatch: pytest.MonkeyPatch, pair: Pair, drafters: Mapping[str, Known]) -> None:
    """These are the figures of the pair, and a guess costs here what they say."""
    monkeypatch.setattr(auto, "shipped_figures", lambda: {pair.name: {name: (one,) for name, one in drafters.items()}})
    monkeypatch.setattr(auto, "guesses", lambda pair, names: iter(()))


FLAT = [1 + 0.02 * n for n in range(17)]
STEP = [1 + 0.02 * n for n in range(6)] + [1.9 + 0.02 * n for n in range(11)]


@pytest.fixture
def pair(embedded: Pair) -> Iterator[Pair]:
    """The embedded pair, whose costs the test decides."""
    before = dict(embedded.kept)
    yield embedded
    embedded.kept.clear()
    embedded.kept.update(before)


def test_the_best_promise_is_chosen(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The drafter and the length whose expected tokens per cost are highest, computed by hand; a step in the cost bounds a tree."""
    wrong, right = Known((0.3,), (0.3,), 0.02), Known((0.8,), (0.8,), 0.05)
    known(monkeypatch, pair, {"ngram": wrong, "model": right})
    costs(pair, STEP)
    found = chosen(pair, OPEN)
    promises = {n: sum(0.8**i for i in range(n + 1)) / (STEP[n] + 0.05 * n) for n in range(9)}
    best = max(promises, key=lambda n: promises[n])
    assert found.plan is not None
    assert (found.settings.drafter, found.plan.checked) == ("model", best + 1)
    assert found.plan.predicted == pytest.approx(promises[best])
    assert found.settings.k >= best
    small, large = Known((0.6, 0.5), (0.6, 0.5), 0.05, nodes=5), Known((0.65, 0.55), (0.65, 0.55), 0.05, nodes=12)
    monkeypatch.setattr(auto, "shipped_figures", lambda: {pair.name: {"tree": (small, large)}})
    assert chosen(pair, OPEN).settings.nodes == 5
    costs(pair, [1.0] * 17)
    assert chosen(pair, OPEN).settings.nodes == 12


@tries(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=6),
    st.floats(0.001, 3),
    st.lists(st.floats(0, 2), min_size=16, max_size=16),
    st.floats(0, 1),
)
def test_never_predicts_below_plain(rates: list[float], draft: float, steps: list[float], share: float) -> None:
    """Whatever guesses and passes cost: drafting nothing is one of the lengths, so no plan promises less than 1, and α 0 promises 1."""
    v = [1.0]
    for step in steps:
        v.append(v[-1] + step)
    candidate = auto._Candidate("model", Known(tuple(rates), tuple(rates), draft, share=share), draft)
    best = auto._best(candidate, OPEN, Passes(tuple(v), measured=True, machine=""))
    assert best.speedup >= 1
    never = replace(candidate, known=Known((0.0,), (0.0,), draft))
    nothing = auto._best(never, OPEN, Passes(tuple(v), measured=True, machine=""))
    assert (nothing.tokens, nothing.checked, nothing.speedup) == (1, 1, 1) or v[1] == 1.0


def test_a_persons_own_choice_wins(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is left open changes; a policy or a rule excludes the drafters that do not take it."""
    known(monkeypatch, pair, {"ngram": Known((0.9,), (0.9,), 0.001), "model": Known((0.5,), (0.5,), 0.1)})
    costs(pair, FLAT)
    assert chosen(pair, OPEN).settings.drafter == "ngram"
    assert chosen(pair, replace(OPEN, k=3)).settings.k == 3
    assert chosen(pair, replace(OPEN, policy="confidence")).settings.drafter == "model"
    own = chosen(pair, Settings(drafter="model", k=0))
    assert (own.settings.drafter, own.settings.policy) == ("model", "fixed")
    assert own.plan is not None
    assert own.plan.left == ("k",)
    closed = Settings(k=4)
    assert chosen(pair, closed).settings is closed
    assert chosen(pair, closed).plan is None
    with pytest.raises(SettingsError, match="does not support"):
        chosen(pair, Settings(drafter="ngram", k=0, policy="confidence"))


def test_a_draft_of_fixed_length_is_predicted_as_it_is(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every draft has k tokens, the prediction is that of k, also below plain; nodes that are given stay with every drafter."""
    known(monkeypatch, pair, {"ngram": Known((0.1,), (0.1,), 0.5)})
    costs(pair, [1 + 0.5 * n for n in range(17)])
    for k, expected in ((6, 7), (0, 2)):
        found = chosen(pair, replace(OPEN, policy="fixed", k=k))
        assert found.plan is not None
        assert (found.settings.k, found.plan.checked) == (expected - 1, expected)
        assert found.plan.predicted < 1
    assert chosen(pair, replace(OPEN, nodes=7, drafter="tree")).settings.nodes == 7
    known(monkeypatch, pair, {"tree": Known((0.9,), (0.9,), 0.01, nodes=5)})
    assert chosen(pair, OPEN).settings.nodes == 5
    assert chosen(pair, replace(OPEN, nodes=7)).settings.nodes == 7


def test_a_run_records_what_was_chosen(pair: Pair) -> None:
    """Its settings have nothing left open, its plan says why, and the text is the plain text."""
    run = Run(pair, PROMPT, OPEN)
    trace = run.finish()
    plain = Run(pair, PROMPT, OPEN, plain=True).finish()
    assert trace.settings.open == ()
    assert isinstance(trace.plan, Plan)
    assert plain.plan is None
    assert trace.token_ids == plain.token_ids
    assert all(round_.allowed is not None for round_ in trace.rounds[:-1])


def test_a_pair_without_figures(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual drafter with an assumed acceptance, and the plan says that it is assumed."""
    known(monkeypatch, pair, {})
    monkeypatch.setattr(pair, "head_folders", {})
    monkeypatch.setattr(pair, "heads", {})
    costs(pair, FLAT)
    found = chosen(pair, OPEN)
    assert found.settings.drafter == "model"
    assert found.plan is not None
    assert not found.plan.known


@pytest.mark.slow
def test_costs_are_measured_once(pair: Pair) -> None:
    """The next process finds them in the notes; a damaged note is measured again, and so is another number of threads."""
    pair.kept.clear()
    first = passes_of(pair)
    if not first.measured:
        pytest.skip("other programs have the cores")
    assert first.v[0] == 1.0
    assert list(first.v) == sorted(first.v)
    pair.kept.clear()
    assert passes_of(pair).v == first.v
    notes = json.loads(notes_file().read_text())
    name = f"passes of {called(pair)}"
    for damage in ([1.0], [math.nan] * 17, [0.0] * 17, "x", None, [1.0] * 16 + [-1.0]):
        notes[machine()][name] = damage
        notes_file().write_text(json.dumps(notes))
        pair.kept.clear()
        assert all(math.isfinite(cost) and cost >= 1 for cost in passes_of(pair).v)


@pytest.mark.slow
def test_costs_follow_timed_runs(pair: Pair, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Half of what is known of a cost is that of the last timed pair of runs, also of passes over other numbers of tokens; a few rounds are
    not learned from, and nothing is where costs are not known."""
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path))
    settings = Settings(k=3, max_new_tokens=40, drafter="model")

    def timed(*, plain: bool, verify_s: float, besides: float) -> Trace:
        trace = Run(pair, PROMPT, settings, plain=plain).finish()
        each = besides + verify_s
        rounds = [
            replace(r, began_s=i * each, draft_s=besides, verify_s=verify_s, ended_s=(i + 1) * each)
            for i, r in enumerate(trace.rounds)
        ]
        return replace(trace, rounds=tuple(rounds))

    speculative = timed(plain=False, verify_s=0.03, besides=0.004)
    plain = timed(plain=True, verify_s=0.02, besides=0.001)
    pair.kept.clear()
    learn(pair, speculative, plain)
    assert not pair.kept
    costs(pair, [1.0, 1.1, 1.1, 1.1, 1.3])
    note(pass_costs._guess_of(pair, "model", 0), 0.1)
    learn(pair, speculative, replace(plain, rounds=plain.rounds[:2]))
    assert passes_of(pair).v[3] == 1.1
    learn(pair, speculative, plain)
    assert passes_of(pair).v == pytest.approx([1.0, 1.3, 1.3, 1.3, 1.9])
    assert dict(pass_costs.guesses(pair, [("model", 0)])) == {("model", 0): pytest.approx((0.1 + 0.05) / 2)}


@pytest.mark.parametrize(
    ("seconds", "threads"),
    [
        ({1: 1e-3, 2: 2e-3, 4: 3e-3}, 1),
        ({1: 3e-3, 2: 2e-3, 4: 1e-3}, 4),
        ({1: 3e-3, 2: 1e-3, 4: 0.98e-3}, 2),
        ({1: 0.5, 2: 0.6, 4: 0.7}, 4),
    ],
)
def test_a_run_takes_no_more_threads_than_its_passes_gain_from(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seconds: dict[int, float], threads: int
) -> None:
    """The fewest with nearly the shortest passes, noted; all of them where passes are long, and all given back afterwards."""
    usual, measured = torch.get_num_threads(), list[int]()
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path))

    def once(pair: Pair, tokens: int = 1) -> float:
        measured.append(torch.get_num_threads())
        return seconds[torch.get_num_threads()]

    monkeypatch.setattr(pass_costs, "_once", once)
    monkeypatch.setattr("specviz.models.machine_notes._CALM", 0.0)
    monkeypatch.setattr("specviz.models.limits.core_count", lambda: 4.0)
    monkeypatch.setattr("specviz.models.threads.LOAD.others", lambda stale_s: 0.0)
    torch.set_num_threads(4)
    try:
        for first in (True, False):
            with watched(pair) as watchman:
                assert watchman.threads <= threads
            assert watchman.limit == threads
            assert torch.get_num_threads() == 4
            assert bool(measured) == first, "noted the first time"
            measured.clear()
    finally:
        torch.set_num_threads(usual)


def test_a_machine_too_busy_to_measure(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The costs of the machine of the shipped figures stand in, are not noted, and the plan says so."""
    pair.kept.clear()
    monkeypatch.setattr(pass_costs, "noted", lambda name, read: None)
    monkeypatch.setattr("specviz.models.machine_notes._CALM", 2.0)
    written: list[str] = []
    monkeypatch.setattr(pass_costs, "note", lambda name, value: written.append(name))
    found = chosen(pair, OPEN)
    assert found.plan is not None
    assert not found.plan.measured
    assert found.plan.machine
    assert not written


def test_the_shipped_figures_are_read() -> None:
    """Both pairs that come with the project have some, for drafters that exist: probabilities, and the costs of passes over every length."""
    for name in ("embedded", "smollm2-135m"):
        assert set(shipped_figures()[name]) <= set(registry.names())
        assert "model" in shipped_figures()[name]
        for known in (row for rows in shipped_figures()[name].values() for row in rows):
            assert all(0 <= rate <= 1 for rate in (*known.greedy, *known.sampled, known.share))
            assert known.greedy
            assert known.sampled
        v, _ = shipped_costs(name)
        assert (len(v), v[0]) == (MAX_DRAFT_LENGTH + 1, 1.0)


@pytest.mark.parametrize(
    "change", [{"tokens": math.nan}, {"tokens": 0.5}, {"pass_cost": math.inf}, {"pass_cost": 0.0}, {"draft_cost": -1.0}]
)
def test_an_impossible_plan_is_refused(change: dict[str, float]) -> None:
    """A plan in a recording is data from outside."""
    good = {"left": ("k",), "tokens": 2.0, "checked": 3, "pass_cost": 1.1, "draft_cost": 0.1}
    assert Plan(**good).predicted == pytest.approx(2 / 1.2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plan"):
        Plan(**{**good, **change})  # type: ignore[arg-type]
