"""Every family that our own decoder runs: its scores are those of transformers' modules in chains, trees and parts of the layers."""

from typing import Any

import pytest
import torch

from specviz.models.cached_model import CachedModel
from specviz.models.networks.families import FAMILIES
from specviz.models.networks.lean import LeanDecoder
from tests.helpers.architectures import ARCHITECTURES, VOCABULARY, WINDOW, build, prompt
from tests.models.networks.test_masks import check_chains, check_trees
from tests.models.test_cached_model import ids, network

NAMES = [name for name, row in ARCHITECTURES.items() if row.class_name in FAMILIES]
BY_LENGTH = ("dynamic", "longrope")
"""Rotations that depend on the length of the text, which our own decoder leaves to transformers."""
LEAN = [
    name
    for name in NAMES
    if (ARCHITECTURES[name].options.get("rope_parameters") or {}).get("rope_type") not in BY_LENGTH
]
ONE_OF_EACH = [*{ARCHITECTURES[name].class_name: name for name in LEAN[::-1]}.values()]
"""The first row of every family."""
pytestmark = pytest.mark.slow
CLOSE = 2e-5
"""Largest difference allowed, as a share of the largest score."""


def jittered(model: Any) -> Any:
    """With random biases and norms, so that a missing one changes the scores."""
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for key, weight in model.named_parameters():
            if weight.dim() == 1 or "norm" in key:
                weight.add_(0.3 * torch.randn(weight.shape, generator=generator))
    return model


def own(weights: Any, capacity: int = 96) -> CachedModel:
    model = CachedModel(weights, VOCABULARY)
    assert isinstance(model.network, LeanDecoder)
    model.begin(capacity)
    return model


@torch.inference_mode()
def plain(weights: Any, text: list[int]) -> torch.Tensor:
    logits: torch.Tensor = weights(torch.tensor([text]), use_cache=False).logits[0, :, :VOCABULARY]
    return logits


def alike(one: torch.Tensor, other: torch.Tensor) -> None:
    torch.testing.assert_close(one, other, rtol=0, atol=CLOSE * float(other.abs().max()))


def test_the_table_has_every_family() -> None:
    """Each family has a row that our own decoder runs; the rows that it leaves to transformers rotate by the length of the text."""
    assert {ARCHITECTURES[name].class_name for name in LEAN} == set(FAMILIES)
    for name in set(NAMES) - set(LEAN):
        assert not isinstance(CachedModel(build(name), VOCABULARY).network, LeanDecoder), name


@pytest.mark.parametrize("name", LEAN)
def test_chains_and_trees_score_as_the_library_does(name: str) -> None:
    """Past any window, in chunks with rollbacks between them, and in trees that are read level by level."""
    model = CachedModel(jittered(build(name)), VOCABULARY)
    assert isinstance(model.network, LeanDecoder)
    check_chains(model)
    check_trees(model, [WINDOW - 4])


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_every_exit_depth_and_passes_of_fixed_shape(name: str) -> None:
    """The layers up to any depth, then the rest, give the scores of a full pass; so does the pass that CUDA graphs replay."""
    weights, text = jittered(build(name)), prompt()
    wanted = plain(weights, text)
    for depth in range(1, len(weights.model.layers)):
        model = own(weights)
        model.forward(ids(*text[:-3]), rows=1)
        model.keep(range(len(text) - 3))
        for token in text[-3:-1]:
            model.look_ahead(ids(token), depth)
        alike(model.forward(ids(*text[-3:])).logits, wanted[-3:])
    decoder, begin = LeanDecoder(weights), 0
    decoder.begin(64)
    for count in (20, 1, 6, 1, 10):
        with torch.inference_mode():
            logits, _ = decoder.read_at(ids(*text[begin : begin + count]), torch.tensor(begin))
        alike(logits[:, :VOCABULARY], wanted[begin : begin + count])
        begin += count


DETAILS: dict[str, tuple[str, dict[str, Any]]] = {
    "Cohere's norms of heads": ("CohereForCausalLM", {"use_qk_norm": True, "attention_bias": True}),
    "biases of a Granite": ("GraniteForCausalLM", {"attention_bias": True, "mlp_bias": True, "residual_multiplier": 0.3}),
    "a window and layers without rotation": (
        "SmolLM3ForCausalLM",
        {"use_sliding_window": True, "sliding_window": 8, "no_rope_layers": [1, 0],
         "layer_types": ["full_attention", "sliding_attention"]},
    ),
    "no caps": (
        "Gemma2ForCausalLM",
        {"head_dim": 8, "attn_logit_softcapping": None, "final_logit_softcapping": None, "sliding_window": 8},
    ),
    "half of a head rotated": ("Phi3ForCausalLM", {"partial_rotary_factor": 0.5, "sliding_window": None}),
    "neighbours rotated, with biases": ("GlmForCausalLM", {"head_dim": 16, "attention_bias": True}),
    "another activation": ("LlamaForCausalLM", {"hidden_act": "gelu"}),
    "biases": ("LlamaForCausalLM", {"attention_bias": True, "mlp_bias": True}),
    "wide heads": ("LlamaForCausalLM", {"head_dim": 24}),
}  # fmt: skip


@pytest.mark.parametrize("detail", DETAILS)
def test_options_of_a_family(detail: str) -> None:
    """What a config may switch on is read from the model: norms of heads, biases, windows, caps, partial rotation, the activation."""
    kind, options = DETAILS[detail]
    weights = jittered(network(kind, **{"vocab_size": VOCABULARY, "num_key_value_heads": 2, **options}))
    model = CachedModel(weights, VOCABULARY)
    assert isinstance(model.network, LeanDecoder)
    check_chains(model)


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_bfloat16_loses_no_more_than_in_the_library(name: str) -> None:
    """Rounding at other points, our decoder is at most half as far again from the float32 scores as the library's bfloat16 scores are."""
    weights, text = jittered(build(name)), prompt()
    with torch.no_grad():
        for weight in weights.parameters():
            weight.copy_(weight.bfloat16())
    exact = plain(weights, text)
    weights = weights.bfloat16()
    stock = plain(weights, text).float()
    found = own(weights).forward(ids(*text)).logits.float()
    assert (found - exact).square().mean().sqrt() < 1.5 * (stock - exact).square().mean().sqrt()
