"""Our own decoder gives the scores of transformers' modules in every variant that it supports, and rejects the others."""

import copy
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
from tests.models.test_cached_model import VOCABULARY, fresh, ids, network

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "Llama": ("LlamaForCausalLM", {}),
    "Llama 3's rotation": (
        "LlamaForCausalLM",
        {"rope_parameters": {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0,
                             "high_freq_factor": 4.0, "original_max_position_embeddings": 16}},
    ),
    "linear rotation": ("LlamaForCausalLM", {"rope_parameters": {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0}}),
    "biases": ("LlamaForCausalLM", {"attention_bias": True, "mlp_bias": True}),
    "tied head": ("LlamaForCausalLM", {"tie_word_embeddings": True}),
    "wide heads": ("LlamaForCausalLM", {"head_dim": 24}),
    "Mistral": ("MistralForCausalLM", {"sliding_window": None, "num_key_value_heads": 2}),
    "Qwen2": ("Qwen2ForCausalLM", {"num_key_value_heads": 2}),
    "Qwen3": ("Qwen3ForCausalLM", {"num_key_value_heads": 1, "head_dim": 8}),
}  # fmt: skip
"""Variants of the first families; `test_families` has all the others."""


def shaken(model: Any) -> Any:
    """With random biases and norms, so that a missing one changes the scores."""
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() == 1:
                weight.add_(0.3 * torch.randn(weight.shape, generator=generator).to(weight))
            assert weight.isfinite().all(), name
    return model


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_scores_are_the_librarys(variant: str, dtype: torch.dtype) -> None:
    """A prompt, then chains of one and of several tokens, have the scores that transformers' own modules give for the full text.

    Where our decoder computes in float32 for bfloat16 weights, transformers computes in float32 too, so the difference stays small.
    """
    kind, options = VARIANTS[variant]
    calm = {"initializer_range": 0.1} if dtype == torch.bfloat16 else {}  # bfloat16 rounds coarsely: no peaked softmax
    weights = shaken(network(kind, **options, **calm)).to(dtype)
    model = CachedModel(weights, VOCABULARY)
    model.tap([model.network.depth, 0, 1])
    assert isinstance(model.network, LeanDecoder)
    weights = copy.deepcopy(weights).to(model.network.dtype)
    text = [(7 * i) % VOCABULARY for i in range(100)]
    with torch.inference_mode():
        wanted = weights(torch.tensor([text]), use_cache=False).logits[0, :, :VOCABULARY]
        every = weights.model(torch.tensor([text]), use_cache=False, output_hidden_states=True).hidden_states
        states = torch.stack([every[-1][0], every[0][0], every[1][0]], dim=1)
    model.begin(128)
    for begin, end in ((0, 80), (80, 81), (81, 87), (87, 100)):
        scores = model.forward(ids(*text[begin:end]))
        model.keep(range(end - begin))
        allowed = {torch.float32: 1e-4, torch.bfloat16: 0.04}[model.network.dtype] * float(wanted.abs().max())
        torch.testing.assert_close(scores.logits, wanted[begin:end], rtol=0, atol=allowed)
        assert scores.states is not None
        torch.testing.assert_close(scores.states, states[begin:end], rtol=0, atol=allowed)


@torch.inference_mode()
@pytest.mark.parametrize("variant", VARIANTS)
def test_passes_of_unchanging_shapes_score_the_same(variant: str) -> None:
    """Passes with the length on the device and a mask over the full buffers, as CUDA graphs replay them, have the same scores."""
    kind, options = VARIANTS[variant]
    weights = shaken(network(kind, **options))
    decoder = LeanDecoder(weights)
    decoder.begin(128)
    text = [(5 * i) % VOCABULARY for i in range(40)]
    wanted = fresh(CachedModel(weights, VOCABULARY), text)
    begin = 0
    for count in (30, 1, 6, 1, 2):
        logits, _ = decoder.read_at(ids(*text[begin : begin + count]), torch.tensor(begin), 1)
        begin += count
        torch.testing.assert_close(logits, wanted[begin - 1 : begin], rtol=0, atol=1e-4 * float(wanted.abs().max()))


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
        torch.testing.assert_close(scores, fresh(model, text), rtol=0, atol=1e-4)


@pytest.mark.skipif(not packing.half_is_fast(), reason="this processor has no such kernels")
@pytest.mark.parametrize("rows", [1, 2, 5, 33])
def test_a_packed_product_is_the_float32_product(rows: int) -> None:
    """With and without a bias, for any number of rows, if half precision represents the weights exactly."""
    generator = torch.Generator().manual_seed(rows)
    weight = torch.randn(48, 32, generator=generator).bfloat16().float()
    bias = torch.randn(48, generator=generator)
    given = torch.randn(rows, 32, generator=generator)
    for own in (None, bias):
        packed = layouts.pack(weight, own)
        assert isinstance(packed, packing.HalfMatrix)
        torch.testing.assert_close(packed(given), torch.nn.functional.linear(given, weight, own), rtol=0, atol=1e-5)


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
