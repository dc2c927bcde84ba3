"""The pair that comes with the project matches its card, and does what the page promises; what its ready-made prompts say to look for is seen in
their runs, at the page's settings."""

import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from specviz.decoding.recorder import LIGHT
from specviz.folders import ASSETS
from specviz.known_pairs import FAMILY, embedded_folder, sources_of
from specviz.models import Pair, with_draft
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from specviz.trace.records import Trace
from tests.helpers.hints import contradicted

ROOT = Path(__file__).parents[2]
GOLDEN = json.loads((ROOT / "tests" / "models" / "embedded_texts.json").read_text(encoding="utf-8"))
READY: list[dict[str, Any]] = json.loads((ASSETS / "prompts" / "embedded.json").read_text(encoding="utf-8"))
CAPITAL = "The capital of Burkina Faso is"
EASY = 0.75
"""The share of checked guesses that are accepted in a category that is called easy to guess."""


def test_the_card_names_these_very_files() -> None:
    """The hashes in the model card are those of the weights and the tokenizers."""
    pair = embedded_folder()
    card = (pair / "README.md").read_text(encoding="utf-8")
    files = [*pair.glob("*/*.safetensors"), *pair.glob("*/tokenizer.json")]
    hashes = {str(path.relative_to(pair)): sha256(path.read_bytes()).hexdigest() for path in files}
    assert dict(re.findall(r"\| `([^`]+)` \| `([0-9a-f]{64})` \|", card)) == hashes


@pytest.mark.slow
def test_every_draft_is_there_and_lossless(embedded: Pair) -> None:
    """Each draft of the family is here by name and fits the target, and the text with it is the target's own."""
    settings = Settings(max_new_tokens=12)
    plain = Run(embedded, CAPITAL, settings, plain=True, recorder=LIGHT).finish()
    assert plain.text.strip().startswith("Ouagadougou")
    for name in FAMILY:
        found = sources_of(name)
        assert found is not None
        pair = with_draft(embedded, found[1])
        assert Run(pair, CAPITAL, settings, recorder=LIGHT).finish().token_ids == plain.token_ids


@pytest.mark.slow
@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["title"])
def test_the_recorded_texts_come_again(golden: dict[str, str], embedded: Pair) -> None:
    """In float32 the prompts give the recorded text, token for token."""
    prompt = next(ready["prompt"] for ready in READY if ready["title"] == golden["title"])
    run = Run(embedded, prompt, Settings(max_new_tokens=48), recorder=LIGHT).finish()
    assert run.text.removesuffix("<|end|>") == golden["text"]


@pytest.fixture(scope="module")
def runs(embedded: Pair) -> list[Trace]:
    """The run of every prompt with the settings that the page opens with."""
    return [Run(embedded, ready["prompt"], Settings(), recorder=LIGHT).finish() for ready in READY]


@pytest.mark.rare
def test_every_hint_is_true_of_its_run(runs: list[Trace]) -> None:
    """The run shows what is claimed of it, and something is claimed of each."""
    assert all(ready["claims"] for ready in READY)
    wrong = {ready["title"]: contradicted(ready["claims"], run) for ready, run in zip(READY, runs, strict=True)}
    assert not any(wrong.values()), wrong


@pytest.mark.rare
def test_easy_to_guess_is_measured(runs: list[Trace]) -> None:
    """A category is easy to guess where at least three quarters of its checked guesses are accepted, else hard."""
    accepted, checked = Counter[str](), Counter[str]()
    for ready, run in zip(READY, runs, strict=True):
        accepted[ready["category"]] += summarise(run).accepted
        checked[ready["category"]] += summarise(run).judged
    for ready in READY:
        share = accepted[ready["category"]] / checked[ready["category"]]
        assert ready["kind"] == ("easy to guess" if share >= EASY else "hard to guess"), (ready["category"], share)
