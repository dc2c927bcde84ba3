"""The model families that our own decoder runs, and how each differs from Llama.

Everything that a model's own modules hold (sizes, scales, biases, the epsilon of a norm) is read from there. A `Family` describes only
what lies in the code of transformers' modules: the names of the weights, and the order and kind of the steps.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

# Rotary embeddings whose frequencies do not depend on the length of the text.
_ROTATIONS = ("default", "linear", "llama3", "yarn")
_ATTENTION = {"full_attention", "sliding_attention"}


@dataclass(frozen=True, slots=True)
class Family:
    """How the layers of a family differ from Llama's.

    Attributes:
        queries_keys_values, gate_and_up: the linear layers whose stacked rows are these projections.
        before_attention, after_attention, before_ffn, after_ffn: the norms at these points of a layer; empty where there is none.
        parallel: whether the feed-forward block reads the same states as the attention, instead of its result.
        norm_offset: added to the weight of every norm.
        centred: whether norms subtract the mean (layer normalisation).
        wide_norms: whether norms multiply by their weight in float32, before they round to the model's format.
        interleaved: whether the rotary embedding rotates neighbours (0 with 1, 2 with 3), instead of the two halves of a head.
        full_layers_rotate: whether layers without a window use the rotary embedding in a model that has windows.
    """

    queries_keys_values: tuple[str, ...] = ("q_proj", "k_proj", "v_proj")
    gate_and_up: tuple[str, ...] = ("gate_proj", "up_proj")
    before_attention: str = "input_layernorm"
    after_attention: str = ""
    before_ffn: str = "post_attention_layernorm"
    after_ffn: str = ""
    parallel: bool = False
    norm_offset: float = 0.0
    centred: bool = False
    wide_norms: bool = False
    interleaved: bool = False
    full_layers_rotate: bool = True


_LLAMA = Family()
_GEMMA = Family(norm_offset=1.0, wide_norms=True)
_SANDWICHED_GEMMA = Family(
    norm_offset=1.0,
    wide_norms=True,
    after_attention="post_attention_layernorm",
    before_ffn="pre_feedforward_layernorm",
    after_ffn="post_feedforward_layernorm",
)
_OLMO = Family(
    before_attention="",
    after_attention="post_attention_layernorm",
    before_ffn="",
    after_ffn="post_feedforward_layernorm",
    wide_norms=True,
)
_COHERE = {"before_ffn": "", "parallel": True, "centred": True, "wide_norms": True, "interleaved": True}

FAMILIES: dict[str, Family] = {
    "LlamaForCausalLM": _LLAMA,
    "MistralForCausalLM": _LLAMA,
    "MinistralForCausalLM": _LLAMA,
    "Qwen2ForCausalLM": _LLAMA,
    "Qwen3ForCausalLM": _LLAMA,
    "SmolLM3ForCausalLM": _LLAMA,
    "GraniteForCausalLM": _LLAMA,
    "SeedOssForCausalLM": _LLAMA,
    "Phi3ForCausalLM": Family(queries_keys_values=("qkv_proj",), gate_and_up=("gate_up_proj",)),
    "GemmaForCausalLM": _GEMMA,
    "Gemma2ForCausalLM": _SANDWICHED_GEMMA,
    "Gemma3ForCausalLM": _SANDWICHED_GEMMA,
    "Olmo2ForCausalLM": _OLMO,
    "Olmo3ForCausalLM": _OLMO,
    "CohereForCausalLM": Family(**_COHERE),  # type: ignore[arg-type]
    "Cohere2ForCausalLM": Family(**_COHERE, full_layers_rotate=False),  # type: ignore[arg-type]
    "GlmForCausalLM": Family(gate_and_up=("gate_up_proj",), interleaved=True),
    "Glm4ForCausalLM": Family(
        gate_and_up=("gate_up_proj",),
        interleaved=True,
        after_attention="post_self_attn_layernorm",
        after_ffn="post_mlp_layernorm",
    ),
    "Ernie4_5ForCausalLM": Family(interleaved=True),
    "HeliumForCausalLM": Family(interleaved=True, wide_norms=True),
}


@dataclass(frozen=True, slots=True)
class AttentionKind:
    """The parameters that the layers of one kind of attention share.

    Attributes:
        window: each token attends to itself and to the window - 1 tokens before it; None for all tokens before it.
        rotary: the name of the frequencies among the buffers of the model's rotary embedding; None for layers without one.
    """

    window: int | None
    rotary: str | None


def is_lean(model: PreTrainedModel) -> bool:
    """True if our own decoder supports every detail of this model."""
    config = model.config
    rotations = getattr(config, "rope_parameters", None) or {}
    kinds = [rotation for rotation in rotations.values() if isinstance(rotation, dict)] or [rotations]
    device_map = getattr(model, "hf_device_map", None) or {}
    return (
        type(model).__name__ in FAMILIES
        and all(rotation.get("rope_type", "default") in _ROTATIONS for rotation in kinds)
        and set(getattr(config, "layer_types", None) or _ATTENTION) <= _ATTENTION
        and not getattr(config, "use_bidirectional_attention", False)
        and model.dtype
        != torch.float64  # transformers normalises in float32 there, and exact comparisons need the same
        and len({str(device) for device in device_map.values()}) <= 1
        and getattr(model, "hf_quantizer", None) is None
    )


def attention_kinds(model: PreTrainedModel) -> list[AttentionKind]:
    """The kind of attention of every layer."""
    config, base = model.config, model.model
    family, window = FAMILIES[type(model).__name__], getattr(config, "sliding_window", None)
    # A config without types of layers has the same window in all of them, if it has one.
    types = getattr(config, "layer_types", None) or ["sliding_attention" if window else "full_attention"] * len(
        base.layers
    )
    kinds = []
    for kind, layer in zip(types, base.layers, strict=True):
        own = window if kind == "sliding_attention" else None
        rotates = getattr(layer.self_attn, "use_rope", True) and (family.full_layers_rotate or own is not None)
        name = f"{kind}_inv_freq"
        rotary = name if hasattr(base.rotary_emb, name) else "inv_freq"
        kinds.append(AttentionKind(own, rotary if rotates else None))
    return kinds


def logits_factor(config: Any) -> float:
    """The factor of the head's logits."""
    return float(getattr(config, "logit_scale", 1.0) / getattr(config, "logits_scaling", 1.0))


def embedding_factor(model: PreTrainedModel) -> float:
    """The factor of the embeddings, rounded as in the model's format."""
    scale = getattr(model.model.embed_tokens, "embed_scale", getattr(model.config, "embedding_multiplier", 1.0))
    return float(scale.to(model.dtype)) if isinstance(scale, torch.Tensor) else float(scale)


def frequencies_of(rotary: Any, kind: AttentionKind) -> tuple[Tensor | None, float]:
    """The rotary frequencies of this kind of attention, and what cosines and sines are multiplied by."""
    if kind.rotary is None:
        return None, 1.0
    scale = getattr(rotary, kind.rotary.replace("inv_freq", "attention_scaling"))
    return getattr(rotary, kind.rotary).float(), float(scale)
