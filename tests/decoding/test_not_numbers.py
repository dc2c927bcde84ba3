"""Scores that are not numbers: reported in one sentence that names the model, and gone from the caches before the next text."""

import pytest
import torch

from specviz.decoding.drafters.early_exit import EarlyExitDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Drafter
from specviz.decoding.sampling import token_at, warp
from specviz.errors import ScoresError
from specviz.models import CachedModel
from specviz.settings import Settings
from tests.models.networks.test_graphs import PROMPT, reader
from tools.gpu.timed import GraphsOff

WARM = Settings(k=3, max_new_tokens=12, temperature=1.0, seed=2)
GREEDY = Settings(k=3, max_new_tokens=12)


def break_(model: CachedModel, value: float) -> float:
    """Set one weight of the first layer; returns its value before."""
    weight = model.network._layers[0].before_attention.weight  # type: ignore[attr-defined]
    with torch.no_grad():
        before, weight[0] = float(weight[0]), value
    return before


@pytest.mark.slow
def test_broken_scores_are_reported_and_leave_nothing_behind() -> None:
    """With every kind of drafter the run ends with a sentence about the target or the draft, and the next text is right, although its
    passes attend to buffers of which only a part is the text's."""
    for settings, value in ((GREEDY, torch.nan), (WARM, torch.inf)):
        target, draft = reader(GraphsOff, "tiny", 0), reader(GraphsOff)
        drafters: dict[str, list[Drafter]] = {
            "target": [NoDrafter(target.vocabulary), EarlyExitDrafter(target, 1)],
            "draft": [ModelDrafter(draft), TreeDrafter(draft)],
        }
        for which, broken in (("target", target), ("draft", draft)):
            for drafter in drafters[which]:
                wanted = [round_.tokens for round_ in speculate(target, drafter, PROMPT, settings)]
                before = break_(broken, value)
                with pytest.raises(ScoresError, match=f"of the {which} model are not numbers"):
                    list(speculate(target, drafter, PROMPT * 2, settings))
                break_(broken, before)
                assert [round_.tokens for round_ in speculate(target, drafter, PROMPT, settings)] == wanted


def test_the_coldest_and_the_smallest_settings_give_probabilities() -> None:
    """The lowest temperatures and the smallest top-p keep the most likely token, in every format."""
    for temperature, top_p in ((1e-38, 1.0), (1e-300, 0.5), (1.0, 1e-300), (5e-324, 5e-324)):
        for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
            logits = torch.tensor([[1.0, 30.0, -torch.inf], [-30.0, torch.finfo(dtype).min, -30.5]], dtype=dtype)
            found = warp(logits, Settings(temperature=temperature, top_p=top_p))
            assert found.tolist() == [[0, 1, 0], [1, 0, 0]]


def test_a_token_drawn_from_no_distribution_is_still_an_id() -> None:
    """An id beyond the embedding would end the process on a GPU before the round can be reported."""
    for size in (1, 3, 8):
        assert 0 <= int(token_at(torch.full((size,), torch.nan), torch.tensor([0.3], dtype=torch.float64))) < size
