"""Claims about what specviz chooses where a person leaves drafter, draft length and tree to it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.models import Pair
from specviz.models.machine_notes import note, notes_file
from specviz.runs import choose as choose_module
from specviz.runs import costs
from specviz.runs.acceptance import AcceptancePrior, shipped_costs, shipped_priors
from specviz.runs.choose import choose
from specviz.runs.costs import PassCosts, pass_costs, target_name, watched
from specviz.runs.run import Run
from specviz.settings import AUTO, MAX_DRAFT_LENGTH, Settings
from specviz.trace.plan import Plan

OPEN = Settings(drafter=AUTO, nodes=0, policy=AUTO, max_new_tokens=12)
PROMPT = "The capital of Burkina Faso is"


def set_costs(pair: Pair, v: Sequence[float]) -> None:
    """Passes of the pair cost this, as if it had been measured."""
    note(f"passes of {target_name(pair)}", [*v, *[v[-1]] * (MAX_DRAFT_LENGTH + 1 - len(v))])


def set_priors(monkeypatch: pytest.MonkeyPatch, pair: Pair, drafters: Mapping[str, AcceptancePrior]) -> None:
    """These are the figures of the pair, and a guess costs here what they say."""
    priors = {pair.name: {name: (prior,) for name, prior in drafters.items()}}
    monkeypatch.setattr(choose_module, "shipped_priors", lambda: priors)
    monkeypatch.setattr(choose_module, "guess_cost", lambda pair, name, nodes: None)


FLAT = [1 + 0.02 * n for n in range(17)]
STEP = [1 + 0.02 * n for n in range(6)] + [1.9 + 0.02 * n for n in range(11)]


@pytest.fixture
def pair(embedded: Pair, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Pair:
    """The embedded pair, whose costs the test decides."""
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path))
    return embedded


def test_the_best_promise_is_chosen(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The drafter and the length whose expected tokens per cost are highest, computed by hand; a step in the cost bounds a tree."""
    wrong, right = AcceptancePrior((0.3,), (0.3,), 0.02), AcceptancePrior((0.8,), (0.8,), 0.05)
    set_priors(monkeypatch, pair, {"ngram": wrong, "model": right})
    set_costs(pair, STEP)
    found = choose(pair, OPEN)
    promises = {n: sum(0.8**i for i in range(n + 1)) / (STEP[n] + 0.05 * n) for n in range(9)}
    best = max(promises, key=lambda n: promises[n])
    assert found.plan is not None
    assert (found.settings.drafter, found.plan.checked) == ("suffix-model", best + 1)
    assert found.plan.predicted == pytest.approx(promises[best])
    assert found.settings.k >= best
    small, large = (
        AcceptancePrior((0.6, 0.5), (0.6, 0.5), 0.05, nodes=5),
        AcceptancePrior((0.65, 0.55), (0.65, 0.55), 0.05, nodes=12),
    )
    monkeypatch.setattr(choose_module, "shipped_priors", lambda: {pair.name: {"tree": (small, large)}})
    assert choose(pair, OPEN).settings.nodes == 5
    set_costs(pair, [1.0] * 17)
    assert choose(pair, OPEN).settings.nodes == 12


@tries(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=6),
    st.floats(0.001, 3),
    st.lists(st.floats(0, 2), min_size=16, max_size=16),
    st.floats(0, 1),
)
def test_never_predicts_below_plain(rates: list[float], draft: float, steps: list[float], share: float) -> None:
    """Whatever guesses and passes cost: drafting nothing is one of the lengths, so no plan promises less than 1, and α 0 promises 1."""
    v = [*accumulate(steps, initial=1.0)]
    passes, prior = (
        PassCosts(tuple(v), measured=True, machine=""),
        AcceptancePrior((*rates,), (*rates,), draft, share=share),
    )
    candidate = choose_module._Candidate("model", prior, draft)
    assert choose_module._best(candidate, OPEN, passes).speedup >= 1
    never = replace(candidate, prior=AcceptancePrior((0.0,), (0.0,), draft))
    nothing = choose_module._best(never, OPEN, passes)
    assert (nothing.tokens, nothing.checked, nothing.speedup) == (1, 1, 1) or v[1] == 1.0


def test_a_persons_own_choice_wins(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is left open changes; a policy or a rule excludes the drafters that do not take it."""
    likely, unlikely = AcceptancePrior((0.9,), (0.9,), 0.001), AcceptancePrior((0.5,), (0.5,), 0.1)
    set_priors(monkeypatch, pair, {"ngram": likely, "model": unlikely})
    set_costs(pair, FLAT)
    assert choose(pair, OPEN).settings.drafter == "ngram"
    assert choose(pair, replace(OPEN, k=3)).settings.k == 3
    assert choose(pair, replace(OPEN, policy="confidence")).settings.drafter == "suffix-model"
    own = choose(pair, Settings(drafter="model", k=0))
    assert (own.settings.drafter, own.settings.policy) == ("model", "fixed")
    assert own.plan is not None
    assert own.plan.left == ("k",)
    closed = Settings(k=4)
    assert choose(pair, closed).settings is closed
    assert choose(pair, closed).plan is None
    with pytest.raises(SettingsError, match="does not support"):
        choose(pair, Settings(drafter="ngram", k=0, policy="confidence"))


@pytest.mark.slow
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
    set_priors(monkeypatch, pair, {})
    set_costs(pair, FLAT)
    found = choose(replace(pair, head_folders={}, heads={}), OPEN)
    assert found.settings.drafter == "model"
    assert found.plan is not None
    assert not found.plan.known


@pytest.mark.slow
def test_costs_are_measured_once(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process finds them in the notes; a note that is no list of costs is measured again."""
    monkeypatch.setattr("specviz.models.machine_notes._WAITED", 1.1)
    first = pass_costs(pair)
    assert first.measured
    assert first.v[0] == 1.0
    assert list(first.v) == sorted(first.v)
    assert pass_costs(pair).v == first.v
    note(f"passes of {target_name(pair)}", [math.nan] * 17)
    assert all(math.isfinite(cost) and cost >= 1 for cost in pass_costs(pair).v)


def test_a_run_takes_no_more_threads_than_its_passes_gain_from(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fewest with nearly the shortest passes, noted; all of them where passes are long, and all given back afterwards."""
    measured: list[int] = []

    def once(target: object, tokens: int = 1) -> float:
        measured.append(torch.get_num_threads())
        return seconds[torch.get_num_threads()]

    monkeypatch.setattr(costs, "_pass_seconds", once)
    monkeypatch.setattr("specviz.models.machine_notes._WAITED", 1.1)
    monkeypatch.setattr("specviz.models.limits.core_count", lambda: 4.0)
    monkeypatch.setattr("specviz.models.threads.LOAD.others", lambda stale_s: 0.0)
    torch.set_num_threads(4)
    for seconds, threads in (  # noqa: B007  # what passes take
        ({1: 3e-3, 2: 2e-3, 4: 1e-3}, 4),
        ({1: 3e-3, 2: 1e-3, 4: 0.98e-3}, 2),
        ({1: 0.5, 2: 0.6, 4: 0.7}, 4),
    ):
        notes_file().unlink(missing_ok=True)
        for first in (True, False):
            with watched(pair) as watchman:
                assert watchman.threads <= threads
            assert watchman._threads.limit == threads
            assert torch.get_num_threads() == 4
            assert bool(measured) == first, "noted the first time"
            measured.clear()


def test_a_machine_too_busy_to_measure(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The costs of the machine of the shipped figures stand in, are not noted, and the plan says so."""
    monkeypatch.setattr(costs, "noted", lambda name, read: None)
    monkeypatch.setattr("specviz.models.machine_notes._WAITED", 0.0)
    written: list[str] = []
    monkeypatch.setattr(costs, "note", lambda name, value: written.append(name))
    found = choose(pair, OPEN)
    assert found.plan is not None
    assert not found.plan.measured
    assert found.plan.machine
    assert not written


def test_the_shipped_figures_are_read() -> None:
    """Both pairs that come with the project have some, for drafters that exist: probabilities, and the costs of passes over every length."""
    for name in ("embedded", "smollm2-135m"):
        assert set(shipped_priors()[name]) <= set(registry.names())
        assert "model" in shipped_priors()[name]
        for known in (row for rows in shipped_priors()[name].values() for row in rows):
            assert all(0 <= rate <= 1 for rate in (*known.greedy, *known.sampled, known.share))
            assert known.greedy
            assert known.sampled
        assert (shipped_priors()["embedded-tiny"].keys() & {"medusa", "model"}) == {"medusa"}, "of another draft"
        v, _ = shipped_costs(name)
        assert (len(v), v[0]) == (MAX_DRAFT_LENGTH + 1, 1.0)
