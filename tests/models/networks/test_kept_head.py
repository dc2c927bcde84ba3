"""A head that has rows for some ids only: the full head's scores at these ids, probability 0 at all others, and a text that is the target's
own. Bugs planted in it are found."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Drafter
from specviz.decoding.sampling import warp
from specviz.errors import PairError
from specviz.models import CachedModel
from specviz.models.checks.paths import check_cache, check_trees
from specviz.models.networks import kept_head
from specviz.models.networks.kept_head import KeptHead, trim_head
from specviz.models.networks.lean import LeanDecoder
from specviz.settings import Settings
from tests.helpers.lossless import error_of
from tests.helpers.planting import Plant, caught
from tests.helpers.rounds import rounds_of
from tests.helpers.tiny_models import tiny
from tests.models.test_cached_model import VOCABULARY, ids, network

KEPT = (0, 3, 4, 11, 17, 18, 30, 41, 49)
TEXT = [1, 5, 9, 2, 7, 7, 3]


def trimmed(weights: Any, kept: Sequence[int] = KEPT) -> Any:
    """A copy of this model with a trimmed head."""
    copied = deepcopy(weights)
    trim_head(copied, kept)
    return copied


def scores(model: CachedModel, text: Sequence[int] = TEXT) -> Tensor:
    model.begin(len(text))
    return model.forward(ids(*text)).logits


def check_scores() -> None:
    """The own decoder's, the stock network's and the full head's scores are the same at the kept ids; the others have probability 0."""
    others = [one for one in range(VOCABULARY) if one not in KEPT]
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        for options in ({"tie_word_embeddings": True}, {"tie_word_embeddings": False}):
            weights = network("LlamaForCausalLM", **options).bfloat16().to(dtype)
            wanted = scores(CachedModel(weights, VOCABULARY, lean=False)).float()
            for lean in (True, False):
                found = scores(CachedModel(trimmed(weights), VOCABULARY, lean=lean)).float()
                near = {torch.float32: 1e-5, torch.float16: 2e-2}.get(dtype, 1e-1) * float(wanted.abs().max())
                assert torch.allclose(found[:, KEPT], wanted[:, KEPT], rtol=0, atol=near)
                for temperature in (0.1, 10.0):
                    q = warp(found, Settings(temperature=temperature, top_k=len(KEPT) + 5, top_p=0.999))
                    assert not q[:, others].any()
                    assert torch.allclose(q.sum(dim=-1), torch.ones(len(TEXT)))
                assert found.isfinite().all()


def test_scores_are_those_of_the_full_head_at_the_kept_ids() -> None:
    """Tied or not, in every format, by our decoder or transformers' modules."""
    check_scores()


def test_the_checks_at_load_hold_for_a_trimmed_head() -> None:
    """The own decoder passes them, and fails them where it scores another id than the plain pass: the same head with two rows exchanged."""
    model = CachedModel(trimmed(network("LlamaForCausalLM")), VOCABULARY)
    assert isinstance(model.network, LeanDecoder)
    assert check_cache(model).passed
    assert check_trees(model).passed
    head = model.model.lm_head
    model.network._trimmed = KeptHead(network("LlamaForCausalLM").lm_head, KEPT)
    model.network._trimmed.kept = head.kept.roll(1)
    assert not check_cache(model).passed
    assert not check_trees(model).passed


def test_only_heads_whose_logits_are_the_scores_are_trimmed() -> None:
    """What a model computes after its head could give a left-out id a probability, so such models are refused; a bias is kept."""
    for kind in ("Gemma2ForCausalLM", "GPT2LMHeadModel", "CohereForCausalLM"):
        with pytest.raises(PairError, match=f"is a {kind}: delete its kept_ids.json"):
            trim_head(network(kind), KEPT)
    full = torch.nn.Linear(4, 8, dtype=torch.float64)  # in float32 a sum near 0 may differ in more than its last digits
    states = torch.randn(3, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    found = KeptHead(full, (1, 6))(states)
    assert torch.allclose(found[:, [1, 6]], full(states)[:, [1, 6]])


SAMPLED = Settings(k=2, temperature=1.0, max_new_tokens=2)


def target_and_draft(
    vocabulary: int = 3, kept: Sequence[int] = (0, 2), dtype: torch.dtype = torch.float64
) -> tuple[CachedModel, CachedModel]:
    """A target, and a draft whose head is trimmed."""
    shape: Any = {"vocabulary": vocabulary, "layers": 1, "width": 8, "dtype": dtype}
    draft = tiny("LlamaForCausalLM", 2, **shape)
    return tiny("LlamaForCausalLM", 1, **shape), CachedModel(trimmed(draft.model, kept), vocabulary)


def error(make: Callable[[CachedModel], Drafter], settings: Settings, dtype: torch.dtype = torch.float64) -> float:
    """The largest error of the distribution over texts with this drafter, over all possible random draws."""
    target, draft = target_and_draft(dtype=dtype)
    return error_of(target, lambda: make(draft), (1,), settings)


@pytest.mark.slow
def test_every_branch_with_a_trimmed_draft() -> None:
    """Chains and trees, with every warp, also a top-k above the number of kept ids: exactly the target's distribution. With our own
    decoders, in float32, too."""
    for top_k, top_p, temperature in ((0, 1.0, 1.0), (3, 0.8, 0.7)):
        settings = replace(SAMPLED, top_k=top_k, top_p=top_p, temperature=temperature)
        assert error(ModelDrafter, settings) < 1e-10
    for children in ("sampled", "top"):
        settings = replace(SAMPLED, drafter="tree", children=children, nodes=3)
        assert error(TreeDrafter, settings) < 1e-10
    assert error(ModelDrafter, SAMPLED, torch.float32) < 1e-5


def check_greedy() -> None:
    """Only kept ids are drafted, not even others in a tree with more nodes than there are ids; what is written then is in `test_kept_ids.py`."""
    target, draft = target_and_draft(64, KEPT, torch.float32)
    for make, name in ((ModelDrafter, "model"), (TreeDrafter, "tree")):
        settings = Settings(drafter=name, k=3, nodes=30, max_new_tokens=16)
        rounds = rounds_of(target, make(draft), TEXT, settings)
        assert {token.token for round_ in rounds for token in round_.drafted} <= set(KEPT)


PLANTED = [
    Plant("scores go to other ids", check_scores, KeptHead, "full", "self.kept, logits", "self.kept.flip(0), logits"),
    Plant("left-out ids have logit 0", check_scores, KeptHead, "full", "torch.finfo(logits.dtype).min", "0.0"),
    Plant("left-out ids have no number", check_scores, KeptHead, "full", "torch.finfo(logits.dtype).min", "-torch.inf"),
    Plant("the first rows are kept", check_scores, kept_head, "_rows_at", "head.weight[ids]", "head.weight[: len(ids)]"),
    Plant("a left-out id may be drafted", check_greedy, KeptHead, "full", "torch.finfo(logits.dtype).min", "100.0"),
]  # fmt: skip
test_planted_bugs_are_found = pytest.mark.slow(
    caught(PLANTED, "Each check fails once its bug is in the code, and holds without it.", first=True)
)
