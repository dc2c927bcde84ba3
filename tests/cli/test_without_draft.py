"""Commands with a target alone: what needs no draft model works, and the rest is refused before anything is loaded."""

from pathlib import Path

import pytest

from specviz import models
from specviz.decoding.drafters import registry
from specviz.trace import files as traces
from tests.helpers.commands import specviz
from tests.models.folders import save_model

SHORT = ("--device", "cpu", "--dtype", "float32")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("alone") / "tiny", num_hidden_layers=4, end_ids=None)


@pytest.mark.slow
def test_run_and_race_need_a_target_only(folder: Path, tmp_path: Path) -> None:
    """With a drafter that needs no draft model, --target is enough; the recording has no draft, and can be shown and exported."""
    file = tmp_path / "run.json"
    drafting = ("--target", folder, "--drafter", "early-exit", "--max-new-tokens", "6", *SHORT)
    found = specviz("run", "the dog", *drafting, "--trace", file)
    assert found.code == 0, found.err
    assert traces.read_file(file)[0].card.draft is None
    assert specviz("replay", file).code == 0
    assert specviz("replay", file, "--out", tmp_path / "run.html").code == 0
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


def test_a_draft_that_is_named_is_loaded(folder: Path, tmp_path: Path) -> None:
    """With a drafter that needs none, a named draft still has to be a model that fits the target."""
    found = specviz("run", "x", "--target", folder, "--draft", tmp_path / "gone", "--drafter", "ngram", *SHORT)
    assert found.refused
    assert "gone" in found.err
