"""Tiny random heads in the formats of other projects, and what they must score: one straightforward pass over everything, written from the papers
and the formats' descriptions, without a cache and without our networks. The formats are tables at the end."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional

from specviz.models import CachedModel
from tests.helpers.tiny_models import tiny

Tensors = dict[str, Tensor]


def saved(folder: Path, config: Mapping[str, Any], tensors: Tensors, file: str = "model.safetensors") -> Path:
    """A folder with a config and weights in one file, safetensors or a pickle."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    if file.endswith(".safetensors"):
        save_file({name: each.contiguous() for name, each in tensors.items()}, folder / file)
    else:
        torch.save(tensors, folder / file)
    return folder


def random_tensors(shapes: Mapping[str, tuple[int, ...]], seed: int = 0) -> Tensors:
    """Normal random numbers; norms are around 1."""
    generator = torch.Generator().manual_seed(seed)
    found = {}
    for name, shape in shapes.items():
        drawn = torch.randn(shape, generator=generator)
        found[name] = 1 + 0.3 * drawn if "norm" in name else 0.4 * drawn
    return found


def layer_shapes(
    prefix: str, width: int, given: int, *, heads: int, kv_heads: int, head_dim: int, ffn: int
) -> dict[str, tuple[int, ...]]:
    """The tensors of a decoder layer without its norms before the attention."""
    return {
        f"{prefix}.self_attn.q_proj.weight": (heads * head_dim, given),
        f"{prefix}.self_attn.k_proj.weight": (kv_heads * head_dim, given),
        f"{prefix}.self_attn.v_proj.weight": (kv_heads * head_dim, given),
        f"{prefix}.self_attn.o_proj.weight": (width, heads * head_dim),
        f"{prefix}.post_attention_layernorm.weight": (width,),
        f"{prefix}.mlp.gate_proj.weight": (ffn, width),
        f"{prefix}.mlp.up_proj.weight": (ffn, width),
        f"{prefix}.mlp.down_proj.weight": (width, ffn),
    }


class Arithmetic:
    """A layer of a checkpoint, computed from its definitions in float64.

    Args:
        config: with the sizes at the top.
        tensors: of the checkpoint, by its own names.
    """

    def __init__(self, config: Mapping[str, Any], tensors: Tensors, frequencies: Tensor | None = None) -> None:
        self.config, self.tensors = config, {name: each.double() for name, each in tensors.items()}
        self.eps = config["rms_norm_eps"]
        self.head_dim = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
        theta = config.get("rope_theta", 10_000.0)
        usual = theta ** -(torch.arange(0, self.head_dim, 2).double() / self.head_dim)
        self.frequencies = usual if frequencies is None else frequencies.double()

    def norm(self, states: Tensor, name: str) -> Tensor:
        """Divided by the root of their mean square, and multiplied by the weight of this name."""
        found: Tensor = states / (states.square().mean(-1, keepdim=True) + self.eps).sqrt() * self.tensors[name]
        return found

    def linear(self, states: Tensor, name: str) -> Tensor:
        """With the bias beside the weight, if there is one."""
        found: Tensor = states @ self.tensors[f"{name}.weight"].T
        return found + self.tensors[f"{name}.bias"] if f"{name}.bias" in self.tensors else found

    def heads(self, states: Tensor, prefix: str, part: str) -> Tensor:
        """[n, heads, head width] the projection to queries, keys or values, each head normalised where there is a weight for that."""
        found = self.linear(states, f"{prefix}.self_attn.{part}_proj")
        found = found.view(*found.shape[:-1], -1, self.head_dim)
        norm = f"{prefix}.self_attn.{part}_norm.weight"
        return self.norm(found, norm) if norm in self.tensors else found

    def turned(self, heads: Tensor, positions: Tensor) -> Tensor:
        """The rotary embedding as a multiplication of complex numbers."""
        turns = self.frequencies * positions.double()[:, None]
        both = torch.complex(*heads.chunk(2, dim=-1)) * torch.polar(torch.ones_like(turns), turns)[:, None]
        return torch.cat([both.real, both.imag], dim=-1)

    def attention(self, q: Tensor, k: Tensor, v: Tensor, seen: Tensor) -> Tensor:
        """What queries [n, heads, width] read of keys and values [m, kv heads, width], of which they see [n, m]."""
        found = []
        for head in range(q.shape[1]):
            shared = head * k.shape[1] // q.shape[1]
            scores = q[:, head] @ k[:, shared].T / self.head_dim**0.5
            found.append(scores.masked_fill(~seen, -torch.inf).softmax(-1) @ v[:, shared])
        return torch.cat(found, dim=-1)

    def feed_forward(self, states: Tensor, prefix: str) -> Tensor:
        """The residual, and the gated network of the normalised states."""
        normalised = self.norm(states, f"{prefix}.post_attention_layernorm.weight")
        gate, up = (self.linear(normalised, f"{prefix}.mlp.{part}_proj") for part in ("gate", "up"))
        return states + self.linear(functional.silu(gate) * up, f"{prefix}.mlp.down_proj")

    def causal(self, given: Tensor, prefix: str) -> Tensor:
        """Causal attention of everything that is given, with its output projection."""
        positions = torch.arange(len(given))
        q, k, v = (self.heads(given, prefix, part) for part in "qkv")
        seen = torch.ones(len(given), len(given)).tril().bool()
        read = self.attention(self.turned(q, positions), self.turned(k, positions), v, seen)
        return self.linear(read, f"{prefix}.self_attn.o_proj")


def eagle3_entering(net: Arithmetic, states: Tensor) -> Tensor:
    """[n, width] the features of the pairs of the text: the states [n, taps, target width], normalised as the config says, and joined."""
    entering = states.double().flatten(1)
    if net.config.get("norm_before_fc"):
        entering = net.norm(entering, "input_norm.weight")
    if net.config.get("fc_norm"):
        parts = entering.chunk(states.shape[1], dim=-1)
        entering = torch.cat([net.norm(part, f"fc_norm.{index}.weight") for index, part in enumerate(parts)], dim=-1)
    return net.linear(entering, "fc")


def eagle3_layer(net: Arithmetic, prefix: str, embedded: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
    """[n, width] what EAGLE-3's layer makes of pairs (arXiv 2503.01840, section 3): before the final norm, and after it."""
    normalised = net.norm(features, f"{prefix}.hidden_norm.weight")
    residual = normalised if net.config.get("norm_before_residual") else features
    given = torch.cat([net.norm(embedded, f"{prefix}.input_layernorm.weight"), normalised], -1)
    out = net.feed_forward(residual + net.causal(given, prefix), prefix)
    return out, net.norm(out, "norm.weight")


def eagle3_scores(
    net: Arithmetic, prefix: str, embedding: Tensor, states: Tensor, tokens: Sequence[int]
) -> list[Tensor]:
    """The final states after the pairs of the text, and after each further token, for which its own last state takes the place of the target's.

    Args:
        embedding: [V, width].
        states: [n, taps, target width] of the text's first tokens.
        tokens: the second token of the text and all after it.
    """
    features, found = eagle3_entering(net, states), []
    while True:
        embedded = embedding.double()[torch.tensor(tokens[: len(features)])]
        out, final = eagle3_layer(net, prefix, embedded, features)
        found.append(final[-1])
        if len(features) == len(tokens):
            return found
        features = torch.cat([features, (final if net.config.get("norm_output") else out)[-1:]])


def block_states(
    net: Arithmetic, embedding: Tensor, states: Tensor, anchor: int, *, rows: int, causal: bool = False
) -> Tensor:
    """DFlash (arXiv 2602.06036): [rows, width] the final states of a block that begins with `anchor`, after the states [n, taps, width] of a text.
    The context has no queries; its keys and values come from the joined states in every layer."""
    context = net.norm(net.linear(states.double().flatten(1), "fc"), "hidden_norm.weight")
    count = len(context)
    ids = torch.tensor([anchor] + [net.config["mask_token_id"]] * (rows - 1))
    block, positions = embedding.double()[ids], torch.arange(count + rows)
    near = torch.ones(rows, rows).tril().bool() if causal else torch.ones(rows, rows).bool()
    seen = torch.cat([torch.ones(rows, count).bool(), near], dim=1)
    for index in range(net.config["num_hidden_layers"]):
        prefix = f"layers.{index}"
        normalised = net.norm(block, f"{prefix}.input_layernorm.weight")
        both = torch.cat([context, normalised])
        q, k, v = net.heads(normalised, prefix, "q"), net.heads(both, prefix, "k"), net.heads(both, prefix, "v")
        read = net.attention(net.turned(q, positions[count:]), net.turned(k, positions), v, seen)
        block = net.feed_forward(block + net.linear(read, f"{prefix}.self_attn.o_proj"), prefix)
    return net.norm(block, "norm.weight")


def spread_out(scores: Tensor, tokens: Tensor | None, vocabulary: int) -> Tensor:
    """[V] scores with the lowest finite number for ids that are not scored."""
    if tokens is None:
        return scores[..., :vocabulary]
    full = torch.full((*scores.shape[:-1], vocabulary), torch.finfo(scores.dtype).min, dtype=scores.dtype)
    return full.index_copy(-1, tokens, scores)


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


Shapes = Mapping[str, tuple[int, ...]]


def eagle3(config: Mapping[str, Any], more: Shapes = MappingProxyType({})) -> Tensors:
    """Weights in the layout of the original or of SpecForge, or of speculators; `more` has the parts that not every head has."""
    prefix, ids = prefix_of(config), torch.tensor([0, 1, 4, 5, 9, 11, 17, 20, 25, 30, 38, 42])
    shapes = {
        "fc.weight": (WIDTH, 3 * WIDTH),
        f"{prefix}.input_layernorm.weight": (WIDTH,),
        f"{prefix}.hidden_norm.weight": (WIDTH,),
        **layer_shapes(prefix, WIDTH, 2 * WIDTH, **SIZES),
        "norm.weight": (WIDTH,),
        "lm_head.weight": (12, WIDTH),
        **more,
    }
    mask = torch.zeros(ROWS, dtype=torch.bool).index_fill_(0, ids, True)
    return {**random_tensors(shapes), "d2t": ids - torch.arange(12), "t2d": mask}


def prefix_of(config: Mapping[str, Any]) -> str:
    return "layers.0" if "speculators_model_type" in config else "midlayer"


ORIGINAL = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "model_type": "llama",
    "num_hidden_layers": 1,
    **LAYER,
    "draft_vocab_size": 12,
}
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
QWEN3 = {**SPECULATORS["transformer_layer_config"], "model_type": "qwen3"}
STRETCHED = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
BIASES = {f"midlayer.self_attn.{part}_proj.bias": (size,) for part, size in zip("qkvo", (24, 8, 8, 16), strict=True)}
EAGLE3: dict[str, tuple[dict[str, Any], Shapes, tuple[int, ...]]] = {
    "SpecForge, layers that states leave": (
        {**ORIGINAL, "eagle_config": {"eagle_aux_hidden_state_layer_ids": [1, 2, 4], "use_aux_hidden_state": True}},
        {},
        (2, 3, 5),
    ),
    "EAGLE-3.1": (
        {
            **ORIGINAL,
            **dict.fromkeys(("fc_norm", "norm_output", "norm_before_residual"), True),
            "eagle_aux_hidden_state_layer_ids": TAPS,
        },
        {f"fc_norm.{index}.weight": (WIDTH,) for index in range(3)},
        (2, 3, 4),
    ),
    "original, a pickle with its own embedding, a stretched rotation and biases": (
        {
            **ORIGINAL,
            "rope_scaling": {**STRETCHED, "original_max_position_embeddings": 8},
            "rope_theta": 100.0,
            "attention_bias": True,
        },
        {"embed_tokens.weight": (ROWS, WIDTH), **BIASES},
        (2, 3, 3),
    ),
    "speculators": (SPECULATORS, {}, (2, 3, 4)),
    "speculators of Qwen3, normalised before they are joined": (
        {**SPECULATORS, "norm_before_residual": False, "norm_before_fc": True, "transformer_layer_config": QWEN3},
        {"input_norm.weight": (3 * WIDTH,), **{f"layers.0.self_attn.{part}_norm.weight": (4,) for part in "qk"}},
        (2, 3, 4),
    ),
}
"""Config, the parts that not every head has, and the layers whose states it reads."""


def block_tensors(more: Shapes = MappingProxyType({})) -> Tensors:
    """Weights of two layers that read the states at two layers of the target."""
    shapes: dict[str, tuple[int, ...]] = {"fc.weight": (WIDTH, 2 * WIDTH)}
    shapes |= {"hidden_norm.weight": (WIDTH,), "norm.weight": (WIDTH,)}
    for prefix in ("layers.0", "layers.1"):
        shapes |= layer_shapes(prefix, WIDTH, WIDTH, **SIZES) | {f"{prefix}.input_layernorm.weight": (WIDTH,)}
        shapes |= {f"{prefix}.self_attn.{part}_norm.weight": (4,) for part in "qk"}
    return random_tensors({**shapes, **more})


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
    "DFlash": (DFLASH, block_tensors(), "dflash"),
    "a causal block, as JetSpec's": ({**DFLASH, "is_causal": True, "rope_theta": 200.0}, block_tensors(), "jetspec"),
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
            **block_tensors({"lm_head.weight": (12, WIDTH)}),
            **{name: tensor for name, tensor in eagle3(SPECULATORS).items() if name in ("d2t", "t2d")},
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
            {
                "embed_tokens.weight": (ROWS, WIDTH),
                "lm_head.weight": (ROWS, WIDTH),
                **{f"markov_head.markov_w{number}.weight": (ROWS, 3) for number in (1, 2)},
                "confidence_head.proj.weight": (1, WIDTH + 3),
                "confidence_head.proj.bias": (1,),
            }
        ),
        "dspark",
    ),
}
