"""The ready-made prompts are fit for a class."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "assets" / "prompts"
CATEGORIES = ("letters", "JSON", "code", "facts", "counting", "orders", "word problems", "story", "verse")


@pytest.fixture(params=sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def prompts(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """The prompts of one family of pairs."""
    listed: list[dict[str, Any]] = json.loads(request.param.read_text(encoding="utf-8"))
    return listed


def test_every_category_has_its_prompts(prompts: list[dict[str, Any]]) -> None:
    """At least 24 prompts, in the nine categories, each category at least twice."""
    counted = Counter(prompt["category"] for prompt in prompts)
    assert set(counted) == set(CATEGORIES)
    assert len(prompts) >= 24
    assert min(counted.values()) >= 2


def test_each_says_what_to_look_for(prompts: list[dict[str, Any]]) -> None:
    """Titles and prompts differ from each other, and each comes with one sentence on what to look for."""
    for key in ("title", "prompt"):
        values = [prompt[key] for prompt in prompts]
        assert len(set(values)) == len(values)
    for prompt in prompts:
        assert prompt["look_for"].endswith(".")
        assert 30 <= len(prompt["look_for"]) <= 160
        assert prompt["kind"] == ("creative" if prompt["category"] in ("story", "verse") else "predictable")


def test_the_page_opens_with_one_of_them(prompts: list[dict[str, Any]]) -> None:
    """Exactly one prompt of each family is in the box when the page opens."""
    assert sum(prompt.get("first", False) for prompt in prompts) == 1
