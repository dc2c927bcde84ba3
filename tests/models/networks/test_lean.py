"""Which models our own decoder takes, and what it does with their matrices; that its scores are those of transformers' modules is in
`test_families.py`."""

from typing import Any

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from specviz.models.cached_model import CachedModel
from specviz.models.networks import layouts, packing
from specviz.models.networks.families import is_lean
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Positions
from specviz.models.networks.stock import StockNetwork
from specviz.models.pair import Pair
from tests.helpers.tiny_models import fresh_logits
from tests.models.test_cached_model import VOCABULARY, ids, network


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("LlamaForCausalLM", {"rope_parameters": {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}}),
        ("GPT2LMHeadModel", {}),
        ("GPTNeoXForCausalLM", {}),
        ("Starcoder2ForCausalLM", {}),
    ],
)
def test_what_differs_in_a_detail_is_left_to_the_library(kind: str, options: dict[str, Any]) -> None:
    """Models with rotations that depend on the length, or of other architectures, use transformers' modules."""
    model = network(kind, **options)
    assert not is_lean(model)
    assert isinstance(CachedModel(model, VOCABULARY).network, StockNetwork)


def test_the_library_can_be_asked_for() -> None:
    """`lean=False` uses the model's own modules, and so does float64, which exact comparisons use."""
    assert isinstance(CachedModel(network("LlamaForCausalLM").double(), VOCABULARY).network, StockNetwork)
    assert isinstance(CachedModel(network("LlamaForCausalLM"), VOCABULARY, lean=False).network, StockNetwork)


@pytest.mark.skipif(not packing.half_is_fast(), reason="this processor has no such kernels")
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


@pytest.mark.parametrize("number", [1.0009765, 70000.0, 7.0012e-5, float("inf"), float("nan")])
def test_numbers_that_half_precision_would_change_are_not_packed(number: float) -> None:
    """If one number needs more digits, is too large or is not finite, the full matrix stays in float32."""
    weight = torch.ones(4, 4)
    assert packing.half_holds(weight)
    weight[1, 2] = number
    assert not packing.half_holds(weight)
    assert type(layouts.pack(weight)) is packing.Matrix


def test_what_is_packed_on_this_processor() -> None:
    """float32 is always packed, bfloat16 where the processor has no instructions for it, and other formats never."""
    assert packing.half_holds(torch.ones(2, 2, dtype=torch.bfloat16)) is not torch.cpu._is_avx512_bf16_supported()
    for dtype in (torch.float16, torch.float64):
        assert not packing.half_holds(torch.ones(2, 2, dtype=dtype))


@pytest.mark.skipif(not packing.half_is_fast(), reason="this processor has no such kernels")
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
