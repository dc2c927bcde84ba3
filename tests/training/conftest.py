"""A tiny target that commands train for, and less than --quick of everything."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import transformers

from specviz.training import draft_commands, head_command, text_command, training_loop
from specviz.training.drafts import conversations
from specviz.training.drafts.settings import QUICK as QUICK_DRAFT
from specviz.training.examination import head as examination
from specviz.training.heads import making
from specviz.training.heads.settings import QUICK as QUICK_HEAD
from tests.training.drafts.helpers import save_target

LITTLE = {"tokens": 260, "at_once": 10, "longest": 14, "context": 96, "batch": 128, "epochs": 2.0, "prompts": 1}


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_target(tmp_path_factory.mktemp("tiny") / "target")


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A checkpoint at every second step, short texts in small batches, and a separate cache folder; threads are given back."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path / "notes"))
    head = replace(QUICK_HEAD, examined_tokens=8, **LITTLE)  # type: ignore[arg-type]  # numbers of these fields
    monkeypatch.setattr(draft_commands, "QUICK", replace(QUICK_DRAFT, kept=120, examined_tokens=6, **LITTLE))  # type: ignore[arg-type]  # likewise
    for module in (head_command, text_command):
        monkeypatch.setattr(module, "QUICK", head)
    monkeypatch.setattr(conversations, "LONGEST_QUESTION", 10)
    monkeypatch.setattr(training_loop, "POINT_STEPS", 2)
    monkeypatch.setattr(training_loop, "EVERY_SECONDS", -1.0)
    monkeypatch.setattr(making, "_EVERY_UNSEEN", 5)
    monkeypatch.setattr(examination, "NODES", (3,))
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        yield
    torch.set_num_threads(threads)
