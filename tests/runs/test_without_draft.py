"""Runs, races, the audit of every way and the engine process on a pair without a draft model."""

from pathlib import Path

import pytest

from specviz.decoding.drafters import registry
from specviz.models import Pair, load_pair
from specviz.reporting.player.html_page import page
from specviz.runs.race import race
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from tests.models.folders import save_model

pytestmark = pytest.mark.slow

ABLE = ("ngram", "suffix", "early-exit", "quantized")
SHORT = Settings(max_new_tokens=10, k=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("alone") / "tiny", num_hidden_layers=4, end_ids=None)


@pytest.fixture(scope="module")
def pair(folder: Path) -> Pair:
    return load_pair(target=str(folder), device="cpu", dtype="float32")


def settings(name: str, **changes: object) -> Settings:
    return registry.fitted(Settings(**{"max_new_tokens": 10, "k": 3, "drafter": name, **changes}))  # type: ignore[arg-type]


def test_every_other_drafter_writes_the_plain_text(pair: Pair) -> None:
    """Greedy, by each drafter that needs no draft model, the first of them where none is named; the recording has no draft, and its JSON and its page
    accept that."""
    plain = Run(pair, "the dog", SHORT, plain=True).finish()
    for name in ABLE:
        trace = Run(pair, "the dog", settings(name)).finish()
        assert (trace.token_ids, trace.card.draft, trace.card.drafter.name) == (plain.token_ids, None, name)
    assert loads(dumps([trace, plain])) == (trace, plain)
    assert '"draft":null' in dumps([trace]).replace(" ", "")
    made = page([trace, plain], "A test").partition('<p class="made">')[2].partition("</p>")[0]
    assert made.startswith(f"Target {pair.name} (")
    assert ", draft " not in made
    assert Run(pair, "the dog").drafter.name == "ngram"
    assert race(pair, "the dog", repeats=1).same_text
