"""Runs and commands with a target alone: what needs no draft model works, and the rest is refused before anything is loaded."""

from dataclasses import replace
from pathlib import Path

import pytest

from specviz import models
from specviz.decoding.drafters import registry
from specviz.models import load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.commands import specviz
from tests.models.folders import save_model

SHORT = ("--device", "cpu", "--dtype", "float32")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("alone") / "tiny", num_hidden_layers=4, end_ids=None)


@pytest.mark.slow
def test_every_other_drafter_writes_the_plain_text(folder: Path) -> None:
    """Greedy, by each drafter that needs no draft model, the first of them where none is named."""
    pair = load_pair(target=str(folder), device="cpu", dtype="float32")
    settings = Settings(max_new_tokens=10, k=3, drafter="ngram")
    plain = Run(pair, "the dog", settings, plain=True).finish()
    for name in registry.able(draft=False):
        trace = Run(pair, "the dog", registry.fitted(replace(settings, drafter=name))).finish()
        assert (trace.token_ids, trace.card.draft, trace.card.drafter.name) == (plain.token_ids, None, name)
    assert Run(pair, "the dog").drafter.name == "ngram"


@pytest.mark.slow
def test_run_and_race_need_a_target_only(folder: Path, tmp_path: Path) -> None:
    """With a drafter that needs no draft model, --target is enough; the recording has no draft, and can be shown and exported."""
    file, page = tmp_path / "run.json", tmp_path / "run.html"
    drafting = ("--target", folder, "--drafter", "early-exit", "--max-new-tokens", "6", *SHORT)
    found = specviz("run", "the dog", *drafting, "--trace", file)
    assert found.code == 0, found.err
    assert '"draft":null' in file.read_text().replace(" ", "")
    assert specviz("replay", file).code == specviz("replay", file, "--out", page).code == 0
    made = page.read_text().partition('<p class="made">')[2].partition("</p>")[0]
    assert made.startswith("Target ")
    assert ", draft " not in made
    raced = specviz("race", "the dog", *drafting, "--repeats", "1", "--json")
    assert (raced.code, raced.json["same_text"]) == (0, True)


def test_what_needs_a_draft_is_refused_before_anything_is_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what was given, what is missing, and which drafters work without."""
    monkeypatch.setattr(models, "load_pair", lambda *args, **options: pytest.fail("nothing may be loaded"))
    able = " or ".join(repr(name) for name in registry.able(draft=False))
    works = f"choose the drafter {able}, which need none."
    for command, option, name in (
        ("run", "--drafter", "model"),
        ("race", "--drafter", "tree"),
        ("compare", "--drafters", "tree"),
    ):
        found = specviz(command, "the dog", "--target", folder, option, name)
        assert found.refused, found
        assert f"The drafter '{name}' needs a draft model, and {folder} comes without one" in found.err
        assert found.err.rstrip().endswith(works)
    alone = specviz("run", "the dog", "--draft", folder)
    assert alone.refused
    assert "name the target too" in alone.err
    monkeypatch.undo()
    gone = specviz("run", "x", "--target", folder, "--draft", folder / "gone", "--drafter", "ngram", *SHORT)
    assert gone.refused, "a draft that is named has to be a model, whoever drafts"
    assert "gone" in gone.err
