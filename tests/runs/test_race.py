"""A race: plain against speculative on one machine, each measured, neither estimated."""

from dataclasses import replace
from statistics import median_low
from typing import Any

import pytest

from specviz.models import Pair
from specviz.runs import race as racing
from specviz.runs.prepare import Prepared
from specviz.runs.race import median_pair, race
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import speedup, summarise

pytestmark = pytest.mark.slow

PROMPT = "Once upon a time"
SHORT = Settings(max_new_tokens=10, k=3)


def test_a_greedy_race_ends_with_the_same_text(embedded: Pair) -> None:
    """In float32 both sides of a greedy race write the same, and every figure comes from real runs. Of the pairs of runs the one with the middle
    speedup is recorded in full; of two in the middle the lower one."""
    result = race(embedded, PROMPT, SHORT, repeats=3)
    assert result.same_text is True
    assert result.first_divergence is None
    assert result.plain.token_ids == result.speculative.token_ids
    assert len(result.plain.token_ids) == result.plain.rounds == 10
    assert (result.plain.drafted, result.plain.acceptance_rate) == (0, None)
    assert result.speculative.rounds < 10
    assert result.speculative.drafted >= result.speculative.judged >= result.speculative.accepted > 0
    assert result.conditions is not None
    assert len(result.speedups) == result.conditions.turns - result.conditions.left_out >= 3 - 1
    assert all(s > 0 for s in result.speedups)
    assert result.speedup == median_low(result.speedups)
    assert (result.plain.dtype, result.speculative.dtype) == ("float32", "float32")
    speculative, plain = result.recorded
    assert speedup(plain, speculative) == result.speedup
    assert (result.plain, result.speculative) == (summarise(plain), summarise(speculative))
    later = [replace(r, began_s=5 * r.began_s, ended_s=5 * r.ended_s) for r in speculative.rounds]
    slow = replace(speculative, rounds=tuple(later))
    assert median_pair([(speculative, plain), (slow, plain)]) == (slow, plain)


def test_the_sides_take_turns(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the warm-up of both sides the order alternates, so that neither always runs first."""
    order: list[bool] = []

    class RecordedRun(Run):
        def __init__(self, prepared: Prepared, *args: Any, **options: Any) -> None:
            order.append(prepared.drafter.name == "none")
            super().__init__(prepared, *args, **options)

    monkeypatch.setattr(racing, "Run", RecordedRun)
    race(embedded, PROMPT, Settings(max_new_tokens=4, k=2, temperature=1.0), repeats=3)
    warm_up, timed = order[:2], order[2:]
    assert set(warm_up) == {True, False}
    assert timed[:6] == [True, False, False, True, True, False]
    assert timed == ([True, False, False, True] * 3)[: len(timed)], "so do the turns that a busy machine adds"


def test_texts_that_differ_are_reported_with_the_index(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A speculative side that writes something else is detected, with the index and the gap of the plain run's scores."""
    other = Run(embedded, "The sun was", SHORT).finish()

    class Wrong(Run):
        def finish(self):  # type: ignore[no-untyped-def]
            return super().finish() if self.card.draft is None else other

    monkeypatch.setattr(racing, "Run", Wrong)
    result = race(embedded, PROMPT, SHORT, repeats=1)
    plain = Run(embedded, PROMPT, SHORT, plain=True).finish()
    assert result.same_text is False
    assert result.first_divergence is not None
    index = next(i for i in range(10) if plain.token_ids[i] != other.token_ids[i])
    assert result.first_divergence.index == index
    assert result.first_divergence.gap is not None
    assert result.first_divergence.gap >= 0
