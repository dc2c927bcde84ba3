"""Device: which one is chosen, and which models may be spread over several."""

from copy import deepcopy
from types import SimpleNamespace

import pytest
import torch
from accelerate import dispatch_model  # type: ignore[import-untyped]  # ships no types

from specviz.errors import PairError
from specviz.models import CachedModel, loading
from specviz.models.devices import check_separable
from specviz.runs.build import exit_depth
from tests.helpers.tiny_models import tiny_weights


def test_layers_of_a_spread_model_are_not_run_separately() -> None:
    """accelerate binds `forward` to the module itself, so a copy with other layers runs all of them: an early exit is
    refused in one sentence, before anything runs."""
    model = deepcopy(tiny_weights("LlamaForCausalLM", 1, 64, 2, 16, torch.float32))
    check_separable(model)
    dispatch_model(model, {"model": "cpu", "lm_head": "cpu"}, force_hooks=True)
    target = CachedModel(model, 64, lean=False)
    with pytest.raises(PairError, match="spread over several devices"):
        exit_depth(SimpleNamespace(target=target))  # type: ignore[arg-type]


def test_a_pair_that_does_not_fit_on_the_named_gpu_is_not_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    """With cuda:1 the pair stays on cuda:1, or is refused: spread over all GPUs, its models would lie on different devices."""
    monkeypatch.setattr(loading, "pick_device", torch.device)
    monkeypatch.setattr(loading, "memory_free", lambda device: 0)
    monkeypatch.setattr(loading, "memory_of_all_gpus", lambda: 10**12)
    with pytest.raises(PairError, match="does not fit on cuda:1 alone"):
        loading.load_pair("embedded", device="cuda:1", dtype="float32")
