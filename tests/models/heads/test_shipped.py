"""The heads that come with the project: their names, their sizes, and the targets that they were trained for."""

import tomllib
from pathlib import Path

import pytest

from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, CHAT_TARGET, names
from specviz.model_choice import heads_here
from specviz.models.heads import folder
from specviz.models.heads.folder import KINDS
from specviz.words import languages

HEADS = ASSETS / "heads"
LIMIT = 40_000_000
"""Bytes of all of them together."""


def test_heads_are_small_and_named_after_pair_and_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """All files together are under 40 MB, and every folder is found under the name of its pair and the kind that it is of; its card and how it was made are
    beside it. That each loads: `tests/models/checks/test_guesses.py`."""
    monkeypatch.setattr("specviz.model_choice.heads_fit", lambda name: True)
    assert sum(file.stat().st_size for file in HEADS.rglob("*") if file.is_file()) < LIMIT
    found = {path for name in names() for path in heads_here(name).values()}
    assert found == {path for path in HEADS.iterdir() if path.is_dir()}
    for each in found:
        spec = folder.read_spec(each)
        assert spec.kind in KINDS
        assert each.name.endswith(f"-{spec.kind}")
        assert {"README.md", "making.json"} <= {file.name for file in each.iterdir()}


def test_the_chat_models_heads_are_for_its_packages_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the hub's weights are in its cache they are the ones that are loaded, and where nothing is here they will be: then no head fits."""
    package: Path | None = tmp_path / "model.gguf"
    monkeypatch.setattr("specviz.known_pairs.packaged_chat", lambda: package)
    monkeypatch.setattr("specviz.known_pairs.has_gguf", lambda: True)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert set(heads_here(CHAT)) == {"eagle3", "medusa"}
    folder = tmp_path / f"models--{CHAT_TARGET.replace('/', '--')}" / "snapshots" / "1"
    folder.mkdir(parents=True)
    for part in ("config.json", "model.safetensors", "tokenizer.json"):
        (folder / part).touch()
    assert heads_here(CHAT) == {}
    (folder / "config.json").unlink()
    assert len(heads_here(CHAT)) == 2
    package = None
    assert heads_here(CHAT) == {}


def test_what_comes_with_the_project_is_in_the_wheel() -> None:
    """Every folder of `assets` that the program reads, and the teacher's page in every language."""
    build = tomllib.loads(Path(ASSETS.parent, "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    included = build["targets"]["wheel"]["force-include"]
    for path in ASSETS.iterdir():
        if path.is_dir():
            assert included[f"assets/{path.name}"] == f"specviz/assets/{path.name}"
    pages = {f"docs/{file.name}" for file in (ASSETS.parent / "docs").glob("teaching*.md")}
    assert len(pages) == len(languages())
    assert pages == {name for name in included if "teaching" in name}
