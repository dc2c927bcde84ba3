"""Claims about layouts of matrices: where half precision is used, that it is compared before use, and what a machine without fast kernels does; and which models
our own decoder takes. That its scores are those of transformers' modules is in `test_families.py`."""

from typing import Any

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from specviz.models import Pair, load_pair
from specviz.models.cached_model import CachedModel
from specviz.models.networks import layouts, packing
from specviz.models.networks.families import is_lean
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.packing import HalfMatrix, Matrix
from specviz.models.networks.positions import Positions
from specviz.models.networks.stock import StockNetwork
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.tiny_models import fresh_logits
from tests.models.test_cached_model import VOCABULARY, ids, network

needs_fbgemm = pytest.mark.skipif(not packing.half_is_fast(), reason="this machine lacks FBGEMM")
SHAPE = (1024, 512)


def digits(seed: int = 0) -> torch.Tensor:
    """A matrix that half precision does not hold."""
    return torch.randn(*SHAPE, generator=torch.Generator().manual_seed(seed))


def halves() -> torch.Tensor:
    """One that it holds."""
    return digits().half().float()


@needs_fbgemm
@pytest.mark.parametrize("rows", [1, 7, 40])
def test_half_precision_multiplies_as_the_plain_layout(rows: int) -> None:
    """With and without a bias, stacked, on one row and many; a stack with one matrix that it does not hold stays plain."""
    given, weight = torch.randn(rows, SHAPE[1], generator=torch.Generator().manual_seed(rows)), halves()
    for bias in (None, torch.randn(SHAPE[0])):
        found = HalfMatrix([weight[:600], weight[600:]], bias)(given)
        torch.testing.assert_close(found, Matrix(weight, bias)(given), rtol=1e-4, atol=1e-4)
    assert isinstance(layouts._packed([weight, weight], None), HalfMatrix)
    assert layouts._packed([weight, digits()], None) is None
    assert layouts._packed([weight.double()], None) is None


@needs_fbgemm
def test_a_layout_that_multiplies_otherwise_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that drops its last input, or gives numbers that are none, is seen before a pass uses it, and the plain product is taken."""
    right = HalfMatrix.__call__
    assert type(layouts.pack(halves())) is HalfMatrix
    for wrong in (
        lambda self, rows: right(self, torch.cat([rows[:, :-1], 0 * rows[:, -1:]], dim=-1)),
        lambda self, rows: right(self, rows) * torch.nan,
    ):
        monkeypatch.setattr(HalfMatrix, "__call__", wrong)
        assert type(layouts.pack(halves())) is Matrix


@pytest.mark.slow
def test_a_machine_without_the_kernels(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout falls back, the card says so, and the text is the same."""

    def text(pair: Pair) -> tuple[int, ...]:
        return Run(pair, "The capital of France is", Settings(max_new_tokens=8)).finish().token_ids

    with_kernels = embedded
    assert not any("FBGEMM" in note for note in with_kernels.card.notes) or not packing.half_is_fast()
    monkeypatch.setattr(packing, "half_is_fast", lambda: False)
    without = load_pair("embedded", device="cpu", dtype="float32")
    assert any("FBGEMM" in note for note in without.card.notes)
    assert text(without) == text(with_kernels)


# ---- which models our own decoder takes, and what it does with their matrices


def test_what_differs_in_a_detail_is_left_to_the_library() -> None:
    """Models with rotations that depend on the length, or of other architectures, use transformers' modules."""
    by_length: dict[str, Any] = {"rope_parameters": {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}}
    for model in (
        network("LlamaForCausalLM", **by_length),
        network("GPT2LMHeadModel"),
        network("Starcoder2ForCausalLM"),
    ):
        assert not is_lean(model)
        assert isinstance(CachedModel(model, VOCABULARY).network, StockNetwork)


@needs_fbgemm
def test_the_embedded_pair_is_packed_without_loss(embedded: Pair) -> None:
    """Its matrices, saved in bfloat16, are packed in half precision, and the scores stay those of float32."""
    for _, model in embedded.models:
        assert isinstance(model.network, LeanDecoder)
        assert all(isinstance(layer.down, packing.HalfMatrix) for layer in model.network._layers)
        text = list(range(60))
        model.begin(64)
        scores = model.forward(ids(*text)).logits
        model.keep([])
        torch.testing.assert_close(scores, fresh_logits(model, text), rtol=0, atol=1e-4)


def test_numbers_that_half_precision_would_change_are_not_packed() -> None:
    """If one number needs more digits, is too large or is not finite, the full matrix stays in float32."""
    for number in (1.0009765, 70000.0, 7.0012e-5, float("inf"), float("nan")):
        weight = torch.ones(4, 4)
        assert packing.half_holds(weight)
        weight[1, 2] = number
        assert not packing.half_holds(weight)
        assert type(layouts.pack(weight)) is packing.Matrix


@needs_fbgemm
def test_a_packed_bfloat16_product_is_rounded_once() -> None:
    """The product is summed in float32, then rounded to the nearest bfloat16."""
    weight = torch.randn(24, 16, generator=torch.Generator().manual_seed(0)).bfloat16()
    given = torch.randn(3, 16, generator=torch.Generator().manual_seed(1)).bfloat16()
    product = packing.HalfMatrix([weight])(given)
    assert product.dtype == torch.bfloat16
    torch.testing.assert_close(product.float(), given.float() @ weight.float().t(), rtol=2**-8, atol=1e-5)


@pytest.mark.parametrize("begin", [0, 30])
def test_prompts_are_attended_to_without_all_weights_at_once(begin: int) -> None:
    """A pass over many tokens with grouped heads uses the kernel that never stores all weights; only that kernel is enabled here."""
    decoder = LeanDecoder(network("LlamaForCausalLM", num_key_value_heads=2))
    decoder.begin(200)
    text = torch.arange(130) % VOCABULARY
    with torch.inference_mode(), sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        if begin:
            decoder.read(text[:begin], Positions(0, begin))
        logits, _ = decoder.read(text[begin:], Positions(begin, 130 - begin))
    assert logits.isfinite().all()
