"""Tiny random checkpoints of heads in the layouts of other projects, for a target of the sizes below."""

from typing import Any

import torch

from specviz.models import CachedModel
from tests.helpers.published import Tensors, layer_shapes, random_tensors
from tests.helpers.tiny_models import tiny

WIDTH, VOCABULARY, ROWS, DEPTH = 16, 40, 44, 6
"""Of the target: its embedding has rows that its tokenizer does not have."""
SIZES = {"heads": 6, "kv_heads": 2, "head_dim": 4, "ffn": 20}
"""The queries together are wider than a state, and three of them share a key."""
LAYER = {
    "hidden_size": WIDTH,
    "intermediate_size": 20,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 4,
    "rms_norm_eps": 1e-5,
    "vocab_size": ROWS,
    "hidden_act": "silu",
}
TAPS = [2, 3, 4]


def target_of_heads() -> CachedModel:
    """The target that they are for."""
    return tiny("LlamaForCausalLM", 1, vocabulary=VOCABULARY, head=ROWS, layers=DEPTH, dtype=torch.float64)


def eagle3(prefix: str, *, draft: int = 12, taps: int = 3, width: int = WIDTH, **more: tuple[int, ...]) -> Tensors:
    """Weights in the layout of the original or of SpecForge ("midlayer"), or of speculators ("layers.0")."""
    shapes = {
        "fc.weight": (width, taps * WIDTH),
        f"{prefix}.input_layernorm.weight": (width,),
        f"{prefix}.hidden_norm.weight": (width,),
        **layer_shapes(prefix, width, 2 * width, **SIZES),
        "norm.weight": (width,),
        "lm_head.weight": (draft, width),
        **{name.replace("__", "."): shape for name, shape in more.items()},
    }
    tensors = random_tensors(shapes)
    if draft < ROWS:
        ids = torch.tensor([0, 1, 4, 5, 9, 11, 17, 20, 25, 30, 38, 42])[:draft]
        tensors |= {
            "d2t": ids - torch.arange(draft),
            "t2d": torch.zeros(ROWS, dtype=torch.bool).index_fill_(0, ids, True),
        }
    return tensors


ORIGINAL = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "model_type": "llama",
    "num_hidden_layers": 1,
    **LAYER,
    "draft_vocab_size": 12,
}
QK: dict[str, Any] = {"midlayer__self_attn__q_norm__weight": (4,), "midlayer__self_attn__k_norm__weight": (4,)}
VERIFIER = {"algorithm": "eagle3", "proposal_methods": [], "verifier": {"name_or_path": "a/target"}}
SPECULATORS: dict[str, Any] = {
    "speculators_model_type": "eagle3",
    "architectures": ["Eagle3Speculator"],
    "speculators_config": VERIFIER,
    "draft_vocab_size": 12,
    "transformer_layer_config": {"model_type": "llama", "num_hidden_layers": 1, **LAYER, "rope_theta": 500.0},
    "norm_before_residual": True,
    "norm_before_fc": False,
    "eagle_aux_hidden_state_layer_ids": TAPS,
}
EAGLE3: dict[str, tuple[dict[str, Any], Tensors, str, tuple[int, ...]]] = {
    "original, a pickle with its own embedding": (
        {**ORIGINAL, "rope_theta": 300.0},
        eagle3("midlayer", embed_tokens__weight=(ROWS, WIDTH)),
        "pytorch_model.bin",
        (2, 3, 3),
    ),
    "SpecForge, layers that states leave": (
        {**ORIGINAL, "eagle_config": {"eagle_aux_hidden_state_layer_ids": [1, 2, 4], "use_aux_hidden_state": True}},
        eagle3("midlayer"),
        "model.safetensors",
        (2, 3, 5),
    ),
    "EAGLE-3.1": (
        {
            **ORIGINAL,
            "fc_norm": True,
            "norm_output": True,
            "norm_before_residual": True,
            "eagle_aux_hidden_state_layer_ids": TAPS,
        },
        eagle3("midlayer", fc_norm__0__weight=(WIDTH,), fc_norm__1__weight=(WIDTH,), fc_norm__2__weight=(WIDTH,)),
        "model.safetensors",
        (2, 3, 4),
    ),
    "a stretched rotation and biases": (
        {
            **ORIGINAL,
            "rope_scaling": {
                "rope_type": "llama3",
                "factor": 4.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8,
            },
            "rope_theta": 100.0,
            "attention_bias": True,
        },
        eagle3(
            "midlayer",
            midlayer__self_attn__q_proj__bias=(24,),
            midlayer__self_attn__k_proj__bias=(8,),
            midlayer__self_attn__v_proj__bias=(8,),
            midlayer__self_attn__o_proj__bias=(16,),
        ),
        "pytorch_model.bin",
        (2, 3, 3),
    ),
    "DeepSpec": (
        {
            **ORIGINAL,
            "architectures": ["Qwen3Eagle3Model"],
            "draft_vocab_size": ROWS,
            "target_layer_ids": [0, 1, 2, 3, 4],
            "num_target_layers": DEPTH,
        },
        eagle3("midlayer", draft=ROWS, taps=5, **QK),
        "model.safetensors",
        (1, 2, 3, 4, 5),
    ),
    "narrower than its target, without its number of keys": (
        {
            **{key: value for key, value in ORIGINAL.items() if key not in ("head_dim", "num_key_value_heads")},
            "hidden_size": 8,
            "target_hidden_size": WIDTH,
        },
        eagle3("midlayer", width=8, embed_tokens__weight=(ROWS, 8)),
        "model.safetensors",
        (2, 3, 3),
    ),
    "speculators": (SPECULATORS, eagle3("layers.0"), "model.safetensors", (2, 3, 4)),
    "speculators of Qwen3, normalised before they are joined": (
        {
            **SPECULATORS,
            "norm_before_residual": False,
            "norm_before_fc": True,
            "transformer_layer_config": {**SPECULATORS["transformer_layer_config"], "model_type": "qwen3"},
        },
        eagle3(
            "layers.0",
            input_norm__weight=(3 * WIDTH,),
            **{name.replace("midlayer", "layers__0"): shape for name, shape in QK.items()},
        ),
        "model.safetensors",
        (2, 3, 4),
    ),
}


def block_tensors(layers: int, taps: int, **more: tuple[int, ...]) -> Tensors:
    shapes: dict[str, tuple[int, ...]] = {
        "fc.weight": (WIDTH, taps * WIDTH),
        "hidden_norm.weight": (WIDTH,),
        "norm.weight": (WIDTH,),
    }
    for index in range(layers):
        prefix = f"layers.{index}"
        shapes |= layer_shapes(prefix, WIDTH, WIDTH, **SIZES) | {f"{prefix}.input_layernorm.weight": (WIDTH,)}
        shapes |= {f"{prefix}.self_attn.{part}_norm.weight": (4,) for part in "qk"}
    return random_tensors({**shapes, **{name.replace("__", "."): shape for name, shape in more.items()}})


DFLASH = {
    "architectures": ["DFlashDraftModel"],
    "model_type": "qwen3",
    "num_hidden_layers": 2,
    **LAYER,
    "block_size": 5,
    "num_target_layers": DEPTH,
}
DFLASH |= {"dflash_config": {"mask_token_id": 43, "target_layer_ids": [1, 3]}, "layer_types": ["full_attention"] * 2}
BLOCKS: dict[str, tuple[dict[str, Any], Tensors, str]] = {
    "DFlash": (DFLASH, block_tensors(2, 2), "dflash"),
    "a causal block, as JetSpec's": (
        {**DFLASH, "is_causal": True, "rope_theta": 200.0},
        block_tensors(2, 2),
        "jetspec",
    ),
    "DFlash of speculators, with a draft vocabulary": (
        {
            "speculators_model_type": "dflash",
            "speculators_config": VERIFIER,
            "transformer_layer_config": {"model_type": "qwen3", "num_hidden_layers": 2, **LAYER},
            "block_size": 5,
            "draft_vocab_size": 12,
            "aux_hidden_state_layer_ids": [2, 4],
            "mask_token_id": 3,
        },
        {
            **block_tensors(2, 2, lm_head__weight=(12, WIDTH)),
            **{name: each for name, each in eagle3("midlayer").items() if name in ("d2t", "t2d")},
        },
        "dflash",
    ),
    "DSpark": (
        {
            **{key: value for key, value in DFLASH.items() if key != "dflash_config"},
            "architectures": ["Qwen3DSparkModel"],
            "block_size": 4,
            "target_layer_ids": [1, 3],
            "mask_token_id": 43,
            "markov_rank": 3,
            "markov_head_type": "vanilla",
            "enable_confidence_head": True,
            "confidence_head_with_markov": True,
        },
        block_tensors(
            2,
            2,
            embed_tokens__weight=(ROWS, WIDTH),
            lm_head__weight=(ROWS, WIDTH),
            markov_head__markov_w1__weight=(ROWS, 3),
            markov_head__markov_w2__weight=(ROWS, 3),
            confidence_head__proj__weight=(1, WIDTH + 3),
            confidence_head__proj__bias=(1,),
        ),
        "dspark",
    ),
}


BLOCKS["DSpark of speculators, with a draft vocabulary"] = (
    {
        "speculators_model_type": "dspark",
        "speculators_config": VERIFIER,
        "transformer_layer_config": {"model_type": "qwen3", "num_hidden_layers": 1, **LAYER},
        "block_size": 4,
        "draft_vocab_size": 12,
        "aux_hidden_state_layer_ids": [2, 4],
        "mask_token_id": 3,
        "sample_from_anchor": True,
        "markov_rank": 3,
        "markov_head_type": "vanilla",
        "enable_confidence_head": True,
    },
    {
        **block_tensors(
            1,
            2,
            lm_head__weight=(12, WIDTH),
            markov_head__markov_w1__weight=(ROWS, 3),
            markov_head__markov_w2__weight=(12, 3),
            confidence_head__proj__weight=(1, WIDTH),
            confidence_head__proj__bias=(1,),
        ),
        **{name: each for name, each in eagle3("midlayer").items() if name in ("d2t", "t2d")},
    },
    "dspark",
)
"""Its confidence head does not know the token before the slot."""
