"""Where the prompts of a head's training text come from."""

from types import SimpleNamespace
from typing import Any

import pytest

from specviz.errors import TrainingError
from specviz.known_pairs import CHAT, EMBEDDED, embedded_folder
from specviz.reporting.prompts import ready_prompts
from specviz.training.heads.source import PromptSource, source_of


def source(prompts: int, *, folder: object = embedded_folder() / "target", template: bool = False) -> PromptSource:
    target: Any = SimpleNamespace(folder=folder, text=SimpleNamespace(has_template=template))
    return source_of(target, None, prompts)


def test_the_embedded_target_continues_documents_that_no_examination_asks_about() -> None:
    """No document begins like a prompt of the examination. How many prompts are asked changes nothing else."""
    few, many = source(3), source(40)
    assert few.documents is not None
    assert few.documents == many.documents
    assert (sum(map(len, few.prompts.values())), sum(map(len, many.prompts.values()))) == (3, 40)
    assert few.unseen == many.unseen
    assert not few.template
    asked = tuple(prompt for kind in ("letters", "JSON", "code", "orders") for prompt in few.every[kind])
    assert not any(text.startswith(asked) for text in few.documents.texts)


def test_other_targets(tmp_path: Any) -> None:
    """They write questions of their own where they have a chat template, and are refused otherwise. Every example prompt of the page is unseen."""
    assert source(2, folder=tmp_path, template=True).documents is None
    unseen = source(2, folder=tmp_path, template=True).unseen
    assert {ready.text for family in (EMBEDDED, CHAT) for ready in ready_prompts(family)} <= set(unseen)
    with pytest.raises(TrainingError, match="--text FOLDER"):
        source(2, folder=tmp_path)
