"""The ready-made prompts are fit for a class."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.reporting.prompts import hint_for, ready_prompts
from specviz.settings import AUTO, Settings

FOLDER = ASSETS / "prompts"
CATEGORIES = ("letters", "JSON", "code", "facts", "counting", "orders", "word problems", "story", "verse")


@pytest.fixture(params=sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def prompts(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """The prompts of one family of pairs."""
    prompts: list[dict[str, Any]] = json.loads(request.param.read_text(encoding="utf-8"))
    return prompts


def test_every_category_has_its_prompts(prompts: list[dict[str, Any]]) -> None:
    """At least 27 prompts, in the nine categories and edits, each category at least three times and of one kind, or of none. One prompt is in the box when the page
    opens."""
    assert sum(prompt.get("first", False) for prompt in prompts) == 1
    counted = Counter(prompt["category"] for prompt in prompts)
    assert set(counted) - {"edits"} == set(CATEGORIES)
    assert len(prompts) >= 27
    assert min(counted.values()) >= 3
    assert len({(prompt["category"], prompt.get("kind")) for prompt in prompts}) == len(counted)


def test_each_says_what_to_look_for(prompts: list[dict[str, Any]]) -> None:
    """Titles and prompts differ from each other, and each comes with a sentence or two on what to look for, in the page's words."""
    for key in ("title", "prompt"):
        values = [prompt[key] for prompt in prompts]
        assert len(set(values)) == len(values)
    for prompt in prompts:
        hint = prompt["look_for"]
        assert hint.endswith(".")
        assert 30 <= len(hint) <= 160
        assert not {"refused", "behind", "stumbles", "`", "$", "~", "_", "<"} & {*hint.split(), *hint}, hint


def test_a_hint_says_with_which_settings_it_was_seen() -> None:
    """It shows as it is where it was checked, with its settings where specviz chooses them, and not beside other settings."""
    ready, usual = next(prompt for prompt in ready_prompts(EMBEDDED) if prompt.look_for), Settings()
    left = Settings(drafter=AUTO, k=0, nodes=0, policy=AUTO)
    assert hint_for(ready, EMBEDDED, usual) == ready.look_for
    assert hint_for(ready, EMBEDDED, left) == f"With the draft model, {usual.k} tokens a round: {ready.look_for}"
    for other in (replace(usual, k=3), replace(left, temperature=1.0), replace(usual, drafter="ngram")):
        assert hint_for(ready, EMBEDDED, other) == ""
    assert hint_for(ready, None, usual) == ""
    chat = next(prompt for prompt in ready_prompts(CHAT) if prompt.look_for)
    assert hint_for(chat, CHAT, left) == chat.look_for, "at temperature 0 the text is the target's, whatever drafts"
