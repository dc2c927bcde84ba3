"""Speedups by category: which draft lengths are tried, which is kept, and what the figure is a median of."""

from types import SimpleNamespace
from typing import Any

import pytest

from recipes.embedded import speed
from recipes.embedded.acceptance import TOKENS
from specviz.models import Pair
from specviz.settings import Settings

MEASURED = {
    ("plain one", 5): 2.0,
    ("plain two", 5): 3.0,
    ("plain three", 5): 10.0,
    ("tale", 1): 1.2,
    ("tale", 2): 1.4,
    ("tale", 3): 1.3,
    ("tale", 5): 0.9,
    ("song", 1): 1.1,
    ("song", 2): 1.0,
    ("song", 3): 0.8,
    ("song", 5): 0.7,
}
"""What the clock would say of each prompt at each k."""


@pytest.fixture
def races(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """Every race run as prompt, k, repeats; its outcome is the table's, since no clock gives the same twice."""
    run: list[tuple[str, int, int]] = []

    def race(pair: Any, prompt: str, settings: Settings, repeats: int) -> SimpleNamespace:
        assert (settings.temperature, settings.max_new_tokens) == (0, TOKENS)
        run.append((prompt, settings.k, repeats))
        return SimpleNamespace(speedup=MEASURED[prompt, settings.k], trusted=prompt != "plain three")

    monkeypatch.setattr(speed, "race", race)
    return run


def test_usual_categories_are_raced_at_one_k(races: list[tuple[str, int, int]], embedded: Pair) -> None:
    """A usual category has the median of its prompts at k = 5, names each prompt's own figure, and says that one was disturbed."""
    prompts = {"letters": ["plain one", "plain three", "plain two"]}
    found = speed.speedups(embedded, prompts, {"story": (1, 2)}, 4)
    assert found == {"letters": speed.Speed(3.0, 5, (2.0, 10.0, 3.0), trusted=False)}
    assert races == [("plain one", 5, 4), ("plain three", 5, 4), ("plain two", 5, 4)]


def test_creative_categories_keep_the_best_k(races: list[tuple[str, int, int]], embedded: Pair) -> None:
    """A creative category is raced at the k given for it; the one with the best median is kept and named."""
    creative = dict.fromkeys(("story", "verse"), (1, 2, 3, 5))
    found = speed.speedups(embedded, {"story": ["tale"], "verse": ["song"]}, creative, 1)
    assert found == {"story": speed.Speed(1.4, 2, (1.4,)), "verse": speed.Speed(1.1, 1, (1.1,))}
    assert sorted(races) == sorted((prompt, k, 1) for prompt in ("tale", "song") for k in (1, 2, 3, 5))


def test_a_real_race_is_measured(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a real pair every prompt has a positive ratio of its own, of which the figure is the median."""
    monkeypatch.setattr(speed, "TOKENS", 12)
    found = speed.speedups(embedded, {"letters": ["Dear Anna,\n\n", "Hello"]}, {}, 1)["letters"]
    assert found.k == 5
    assert len(found.by_prompt) == 2
    assert all(ratio > 0 for ratio in found.by_prompt)
    assert found.speedup == pytest.approx(sum(found.by_prompt) / 2)
