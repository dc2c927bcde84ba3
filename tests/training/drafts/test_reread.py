"""The target reads its own text again: the probabilities are those with which it wrote it."""

from pathlib import Path

import pytest
import torch

from specviz.models.loading import load_target
from specviz.training.drafts import reread
from specviz.training.drafts.reread import with_probabilities
from specviz.training.drafts.store import certain
from specviz.training.drafts.writer import TOP
from tests.training.drafts.helpers import save_target, stored, written


@pytest.mark.parametrize("at_once", [1, 40])
def test_the_probabilities_are_those_of_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Whether texts share a pass or not, texts of different lengths, prompts of different lengths, and one that is cut."""
    monkeypatch.setattr(reread, "_SMALL_PASS", at_once)
    target = load_target(str(save_target(tmp_path / "target")), device=torch.device("cpu"), dtype=torch.float32)
    random = torch.Generator().manual_seed(0)
    texts = [torch.randint(1, 250, (length,), generator=random).tolist() for length in (9, 5, 14, 30)]
    own = stored(tmp_path / "own", [each for ids in texts for each in written(target.model, [ids], 3, TOP)])
    bare = certain(own.ids, own.lengths, torch.full_like(own.lengths, 3), own.given)
    seen: list[int] = []
    found = with_probabilities(target, bare, 20, lambda done, most: seen.append(done))
    expected = own.cut(20)
    assert list(found.texts()) == [ids[:20] for ids in texts]
    assert torch.equal(found.top, expected.top)
    assert torch.equal(found.top_ids, expected.top_ids)
    assert torch.allclose(found.top_logs.float(), expected.top_logs.float(), atol=2e-3)
    assert seen[-1] == 4
    assert (len(seen) == 4) == (at_once == 1)
