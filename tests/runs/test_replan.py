"""A plan made from one plain run and one pass over its text equals the real run, round by round."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.testing import TableModel
from specviz.errors import PairError
from specviz.models import Pair
from specviz.runs.prepare import drafter_for, matches_of
from specviz.runs.replan import PlannedRound, replan
from specviz.runs.run import Run
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.records import Closing, Round
from tests.helpers.rounds import rounds_of, text_of

EVERY_K = range(1, MAX_DRAFT_LENGTH + 1)


def planned(rounds: Sequence[Round]) -> tuple[PlannedRound, ...]:
    """A real run in the form of a plan."""
    every = ((r, r.closing.how if r.closing else None) for r in rounds)
    return tuple(PlannedRound(r.start, len(r.drafted), len(r.accepted), how) for r, how in every)


def check_tables(seeds: tuple[int, int], settings: Settings, end_ids: tuple[int, ...], prompt: tuple[int, ...]) -> str:
    """Compare plan and run on a pair of tables for every k; returns how the last run ended."""
    target = TableModel.random(6, seeds[0], end_ids=end_ids)
    draft = TableModel.random(6, seeds[1])
    text = text_of(rounds_of(target, NoDrafter(6), prompt, settings))
    agreed = ModelDrafter(draft).matches(prompt, text, settings)
    assert draft.length == 0
    assert len(agreed) == len(text)
    for k in EVERY_K:
        rounds = rounds_of(target, ModelDrafter(draft), prompt, replace(settings, k=k))
        assert replan(agreed, k, settings.max_new_tokens) == planned(rounds), f"with k = {k}"
    return f"{'end' if text[-1] in end_ids else 'limit'} {rounds[-1].closing and rounds[-1].closing.how.value}"


@tries(max_examples=15, deadline=None)
@given(
    seeds=st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
    twin=st.booleans(),
    tokens=st.integers(1, 40),
    end_ids=st.sampled_from([(), (3,), (0, 5)]),
    noise=st.booleans(),
    prompt=st.lists(st.integers(0, 5), min_size=1, max_size=4),
)
def test_the_plan_is_the_run_for_every_k(
    seeds: tuple[int, int], twin: bool, tokens: int, end_ids: tuple[int, ...], noise: bool, prompt: list[int]
) -> None:
    """Random tables, ends and limits, greedy and with shared noise: drafted, accepted and closing of every round."""
    options = {"temperature": 1.2, "shared_noise": True} if noise else {}
    settings = Settings(max_new_tokens=tokens, seed=seeds[0], **options)  # type: ignore[arg-type]
    check_tables((seeds[0], seeds[0] if twin else seeds[1]), settings, end_ids, tuple(prompt))


def test_the_plan_is_the_run_for_every_ending() -> None:
    """Tables on which end-of-text is accepted, corrected and a bonus, and limits that shorten the last draft."""
    met: Counter[str] = Counter()
    for seed in range(20):
        for options in ({}, {"temperature": 1.2, "shared_noise": True}):
            settings = Settings(max_new_tokens=3 + seed % 20, seed=seed, **options)  # type: ignore[arg-type]
            met[check_tables((seed, seed + seed % 2), settings, (3,), (1,))] += 1
    assert {"end None", "end corrected", "limit bonus"} <= met.keys(), met


NOISY: dict[str, Any] = {"temperature": 1.0, "shared_noise": True, "seed": 3}


@pytest.mark.parametrize(
    ("drafter", "options", "k"),
    [("model", NOISY, 3), pytest.param("early-exit", {}, 5, marks=pytest.mark.rare)],
)
def test_the_plan_is_the_run_on_the_embedded_pair(
    embedded: Pair, drafter: str, options: dict[str, Any], k: int
) -> None:
    """In float32, for every chain drafter of the pair, over a text longer than one chunk of the pass."""
    settings = Settings(drafter=drafter, max_new_tokens=70, **options)
    plain = Run(embedded, "Dear Anna,\n\nThank you for your", settings, plain=True).finish()
    agreed = matches_of(embedded, settings, plain.prompt_ids, plain.token_ids)
    assert any(agreed)
    assert not all(agreed)
    now = replace(settings, k=k)
    rounds = rounds_of(embedded.target, drafter_for(embedded, now), plain.prompt_ids, now)
    assert text_of(rounds) == plain.token_ids
    assert replan(agreed, k, 70) == planned(rounds)


def test_a_run_that_is_under_way_notices_that_its_caches_were_taken(embedded: Pair) -> None:
    """Reading a text uses the caches, so an unfinished run is rejected instead of reading the wrong cache."""
    settings = Settings(max_new_tokens=12)
    run = Run(embedded, "Once upon a time", settings)
    next(run)
    matches_of(embedded, settings, run.prompt_ids, (1, 2, 3))
    with pytest.raises(PairError, match="one text at a time"):
        next(run)
    assert len(Run(embedded, "Once upon a time", settings).finish().token_ids) == 12


def test_what_does_not_follow_from_the_text_is_rejected(embedded: Pair) -> None:
    """Copies, trees, drafts that stop early and drawn tokens cannot be planned."""
    for other in ({"drafter": "ngram"}, {"drafter": "tree"}, {"policy": "confidence"}, {"temperature": 1.0}):
        with pytest.raises(ValueError, match="does not follow from the text"):
            matches_of(embedded, Settings(**other), (1,), (2, 3))


def test_impossible_plans_are_rejected() -> None:
    """No draft length, no limit, or a text beyond the limit."""
    for k, limit in ((0, 4), (1, 0), (1, 2)):
        with pytest.raises(ValueError, match="do not fit together"):
            replan((True, False, True), k, limit)
    assert replan((), 3, 5) == ()
    assert replan((True,), 3, 1) == (PlannedRound(0, 0, 0, Closing.BONUS),)
