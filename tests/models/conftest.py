"""Quiet saving, a separate cache folder for each test, and two model folders for damaged copies."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import transformers

from specviz.models import Pair, load_pair
from tests.models.folders import save_model

Copies = Callable[[str], Path]


@pytest.fixture(scope="session", autouse=True)
def _quiet() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


@pytest.fixture(autouse=True)
def _own_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path / "notes"))


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a complete target and a complete draft; do not change it."""
    base = tmp_path_factory.mktemp("pair") / "saved"
    save_model(base / "target", seed=1)
    save_model(base / "draft", seed=2, num_hidden_layers=1)
    return base


@pytest.fixture(scope="session")
def loaded(saved: Path) -> Pair:
    """That target with that draft, on which nothing may be changed."""
    return load_pair(target=str(saved / "target"), draft=str(saved / "draft"), device="cpu", dtype="float32")


@pytest.fixture
def copy_of(saved: Path, tmp_path: Path) -> Copies:
    """Makes copies of the target or of the draft that a test may damage."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(saved / name, tmp_path / f"my-{name}"))

    return copy
