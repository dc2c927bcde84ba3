"""The ready-made prompts are fit for a class."""

import json
from collections import Counter
from pathlib import Path

PROMPTS = json.loads((Path(__file__).parents[1] / "assets" / "prompts" / "embedded.json").read_text(encoding="utf-8"))
CATEGORIES = ("letters", "JSON", "code", "facts", "counting", "orders", "word problems", "story", "verse")


def test_every_category_has_its_prompts() -> None:
    """At least 24 prompts, in the nine categories, each category at least twice."""
    counted = Counter(prompt["category"] for prompt in PROMPTS)
    assert set(counted) == set(CATEGORIES)
    assert len(PROMPTS) >= 24
    assert min(counted.values()) >= 2


def test_each_says_what_to_look_for() -> None:
    """Titles and prompts differ from each other, and each comes with one sentence on what to look for."""
    for key in ("title", "prompt"):
        values = [prompt[key] for prompt in PROMPTS]
        assert len(set(values)) == len(values)
    for prompt in PROMPTS:
        assert prompt["look_for"].endswith(".")
        assert 30 <= len(prompt["look_for"]) <= 160
        assert prompt["kind"] == ("creative" if prompt["category"] in ("story", "verse") else "predictable")
