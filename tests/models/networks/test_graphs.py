"""Full drafts in one call, on the CPU with graphs off: the passes, draws and caches must equal those of token-by-token drafting."""

from collections.abc import Callable, Hashable
from itertools import cycle
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.pace import Pace, ReplayPace
from specviz.decoding.testing import TableModel
from specviz.models import CachedModel
from specviz.models.networks.capture import CaptureJob, Results
from specviz.models.networks.graphs import GraphedDecoder, draft_at
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import Network
from specviz.settings import AUTO, Settings
from specviz.trace.records import Round
from tests.helpers.rounds import timeless
from tools.gpu.synthetic import SHAPES, synthetic_model
from tools.gpu.timed import GraphsOff

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
PROMPT = [1, 8, 15, 22, 29, 36]
SETTINGS = {
    "greedy": Settings(k=4, max_new_tokens=24),
    "sampled": Settings(k=4, max_new_tokens=24, temperature=1.0, seed=3),
    "cut": Settings(k=3, max_new_tokens=24, temperature=0.7, top_k=50, top_p=0.9, seed=4),
    "auto": Settings(k=4, max_new_tokens=24, policy=AUTO),
    "auto, sampled": Settings(k=4, max_new_tokens=24, temperature=0.7, top_p=0.9, seed=4, policy=AUTO),
    "confidence": Settings(k=5, max_new_tokens=24, policy="confidence", threshold=0.02),
    "shared noise": Settings(k=4, max_new_tokens=24, temperature=1.0, shared_noise=True),
}


class Watched(GraphsOff):
    """Stores the keys of all work that would be replayed."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.keys: list[Hashable] = []

    def _replay(self, job: CaptureJob) -> Results:
        self.keys.append(job.key)
        return super()._replay(job)

    @property
    def full_drafts(self) -> int:
        return sum(isinstance(key, tuple) and key[0] == "draft" for key in self.keys)


def reader(kind: Callable[[Any], Network], name: str = "tiny-draft", seed: int = 1, **options: Any) -> CachedModel:
    """A model in float64, where rounding does not change any choice."""
    model = synthetic_model(SHAPES[name], CPU, torch.float64, seed)
    found = CachedModel(model, options.pop("vocabulary", SHAPES["tiny"].vocab_size), **options)
    found.network = kind(model)
    return found


def pace(settings: Settings) -> Pace | None:
    """With the policy "auto", drafts of every length, and rounds without one between them."""
    return ReplayPace([0, 4, 0, 0, 0, 3, 1, 2, 4, *[0] * 6, 2, 0, 1]) if settings.policy == AUTO else None


def run(draft: CachedModel, settings: Settings, twin: bool) -> tuple[Round, ...]:
    """The rounds with a target that is another model, or one equal to the draft, which accepts every drafted token."""
    target = reader(LeanDecoder) if twin else reader(LeanDecoder, "tiny", 0)
    return timeless(speculate(target, ModelDrafter(draft), PROMPT, settings, pace=pace(settings)))


@pytest.mark.parametrize(("name", "twin"), [*zip(SETTINGS, cycle((True, False)), strict=False)])
def test_full_drafts_equal_token_by_token_drafts(name: str, twin: bool) -> None:
    """Where all drafts are accepted and where few are, every round has the same tokens, draws and verdicts; p and q agree up to rounding, because kernels of other shapes sum differently."""
    settings = SETTINGS[name]
    at_once = reader(Watched)
    found, wanted = run(at_once, settings, twin), run(reader(LeanDecoder), settings, twin)
    assert isinstance(at_once.network, Watched)
    assert (at_once.network.full_drafts > 0) == (name not in ("confidence", "shared noise"))
    assert [r.tokens for r in found] == [r.tokens for r in wanted]
    for one, other in zip(found, wanted, strict=True):
        for a, b in zip(one.drafted, other.drafted, strict=True):
            assert (a.token, a.verdict, a.draw) == (b.token, b.verdict, b.draw)
            assert (a.draft_prob, a.target_prob) == pytest.approx((b.draft_prob, b.target_prob), abs=1e-9)


def test_auto_drafts_in_one_call_also_where_costs_are_known() -> None:
    """As in every run: elsewhere costs may end a draft sooner, by looking at each token, for which a GPU would have to wait."""
    settings, at_once = SETTINGS["auto"], reader(Watched)
    drafter = ModelDrafter(at_once, Costs(0.05))
    rounds = [*speculate(reader(LeanDecoder, "tiny", 0), drafter, PROMPT, settings, pace=pace(settings))]
    assert isinstance(at_once.network, Watched)
    assert at_once.network.full_drafts == sum(bool(round_.drafted) for round_ in rounds) > 3


def test_planted_bugs_in_full_drafts_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison above finds planted bugs: all passes of a draft write to the same slot, or one number is used for all draws."""

    def stuck(run: Any, tokens: Tensor, length: Tensor, count: int, step: Any, numbers: Tensor | None) -> Any:
        return draft_at(lambda ids, _, rows: run(ids, length, rows), tokens, length, count, step, numbers)

    def one_number(run: Any, tokens: Tensor, length: Tensor, count: int, step: Any, numbers: Tensor | None) -> Any:
        return draft_at(run, tokens, length, count, step, None if numbers is None else numbers[:1].expand_as(numbers))

    for fault in (stuck, one_number):
        with monkeypatch.context() as patch:
            patch.setattr("specviz.models.networks.graphs.draft_at", fault)
            settings = SETTINGS["sampled"]
            found = run(reader(GraphsOff), settings, twin=True)
        assert [r.tokens for r in found] != [r.tokens for r in run(reader(LeanDecoder), settings, twin=True)]


def test_who_drafts_at_once() -> None:
    """Only a decoder with graphs drafts in one call, and only until a capture fails. Without CUDA the first one fails, and the draft is
    still made."""
    ordinary, graphed = reader(LeanDecoder), reader(GraphedDecoder)
    assert not TableModel.random(4, 1).drafts_at_once
    assert (ordinary.drafts_at_once, graphed.drafts_at_once) == (False, True)
    texts = [[r.tokens for r in run(draft, SETTINGS["sampled"], twin=False)] for draft in (graphed, ordinary)]
    assert texts[0] == texts[1]
    assert isinstance(graphed.network, GraphedDecoder)
    assert "full drafts" in graphed.network.failures
    assert not graphed.drafts_at_once
    assert "graphs off" in graphed.network.kind or "not for full drafts" in graphed.network.kind
