"""Drafters without a model: a run is repeated by its settings alone, whatever the same drafter drafted before it."""

import pytest
import torch

from specviz.decoding.protocols import Reading, Scores
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from tests.helpers.lossless import TinyModels
from tests.helpers.rounds import rounds_of, timeless


@pytest.mark.parametrize("name", ["ngram", "suffix"])
def test_a_new_text_begins_as_with_a_new_drafter(name: str) -> None:
    """With one drafter for several texts, the last of which was left with a pass unread, nothing of one is drafted in the next."""
    target = TableModel.random(9, 5, memory=1)
    settings, parts = Settings(drafter=name, temperature=0.8, max_new_tokens=40), TinyModels(target, target)
    used = parts.drafter(settings)
    for prompt in ((1,), (2, 3, 2, 3), (1,)):
        alone = rounds_of(target, parts.drafter(settings), prompt, settings)
        assert timeless(rounds_of(target, used, prompt, settings)) == timeless(alone)
        assert any(each.accepted for each in alone)
        used.saw(Reading(torch.tensor([1]), Scores(torch.eye(9)[8:]), (0,)))
