"""Tiny checkpoints with a layer of multi-token prediction inside, in the layouts in which models publish one, and the layer written from the papers."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from tests.models.folders import edit_config, save_model

_ROUTED: dict[str, Any] = {
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 12,
    "n_shared_experts": 1,
    "first_k_dense_replace": 1,
    "n_group": 2,
    "topk_group": 1,
    "routed_scaling_factor": 2.5,
    "norm_topk_prob": True,
}
_LATENT: dict[str, Any] = {
    "num_key_value_heads": 2,
    "q_lora_rank": 12,
    "kv_lora_rank": 10,
    "qk_nope_head_dim": 6,
    "qk_rope_head_dim": 4,
    "v_head_dim": 5,
}
_DELTA: dict[str, Any] = {
    "num_key_value_heads": 1,
    "head_dim": 8,
    "linear_num_key_heads": 1,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "layer_types": ["linear_attention", "full_attention"],
}
_SHARED: dict[str, Any] = {
    "num_experts": 3,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 12,
    "shared_expert_intermediate_size": 10,
}
GLM: dict[str, Any] = {"num_key_value_heads": 1, "head_dim": 8, "use_qk_norm": True, "attention_bias": True, **_ROUTED}
_QWEN = ("mtp.pre_fc_norm_embedding", "mtp.pre_fc_norm_hidden", "mtp.fc", "mtp.norm", "mtp.layers.0")
_MORE = tuple(f"model.layers.2{part}" for part in (".enorm", ".hnorm", ".eh_proj", ".shared_head.norm", ""))
_MIMO = tuple(
    f"model.mtp_layers.0{part}"
    for part in (".token_layernorm", ".hidden_layernorm", ".input_proj", ".final_layernorm", "")
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One layout: the target's class and config, the config's promise, the names of the parts, and what its layer has."""

    kind: str
    options: Mapping[str, Any]
    promise: str
    names: tuple[str, ...]
    attention: str
    experts: bool
    token_first: bool = True


CHECKPOINTS = {
    "Qwen3-Next": Checkpoint("Qwen3NextForCausalLM", {**_DELTA, **_SHARED}, "", _QWEN, "gated", experts=True),
    "Qwen3.5": Checkpoint("Qwen3_5ForCausalLM", _DELTA, "mtp_num_hidden_layers", _QWEN, "gated", experts=False),
    "DeepSeek": Checkpoint(
        "DeepseekV3ForCausalLM", {**_LATENT, **_ROUTED}, "num_nextn_predict_layers", _MORE, "latent", experts=True
    ),
    "GLM": Checkpoint("Glm4MoeForCausalLM", GLM, "num_nextn_predict_layers", _MORE, "plain", experts=True),
    "MiMo": Checkpoint(
        "Qwen2ForCausalLM", {"num_key_value_heads": 1}, "num_nextn_predict_layers", _MIMO, "plain", experts=False, token_first=False
    ),
}  # fmt: skip


def saved(
    folder: Path, name: str, *, without: str = "", change: Callable[[dict[str, Tensor]], object] | None = None
) -> Path:
    """A checkpoint of this layout: a target of random weights, and in the same file a layer of multi-token prediction.

    Args:
        without: leave out the tensors whose names contain this.
        change: something done to the layer's tensors.
    """
    one = CHECKPOINTS[name]
    save_model(folder, one.kind, seed=3, end_ids=None, **one.options)
    tensors = layer_of(name, json.loads((folder / "config.json").read_text()))
    if change is not None:
        change(tensors)
    if without:
        tensors = {key: each for key, each in tensors.items() if without not in key}
    save_file({**load_file(folder / "model.safetensors"), **tensors}, folder / "model.safetensors", {"format": "pt"})
    if one.promise:
        edit_config(folder, **{one.promise: 1})
    return folder


def layer_of(name: str, config: Mapping[str, Any]) -> dict[str, Tensor]:
    """Random tensors under the published names."""
    one, generator = CHECKPOINTS[name], torch.Generator().manual_seed(8)
    width, heads = config["hidden_size"], config["num_attention_heads"]
    head, kv = config.get("head_dim") or width // heads, config["num_key_value_heads"]
    token, state, join, norm, layer = one.names
    shapes: dict[str, tuple[int, ...]] = {f"{part}.weight": (width,) for part in (token, state, norm)}
    shapes[f"{join}.weight"] = (width, 2 * width)

    def add(part: str, *shape: int) -> None:
        shapes[f"{layer}.{part}"] = shape

    def feed_forward(part: str, inner: int) -> None:
        add(f"{part}.gate_proj.weight", inner, width)
        add(f"{part}.up_proj.weight", inner, width)
        add(f"{part}.down_proj.weight", width, inner)

    add("input_layernorm.weight", width)
    add("post_attention_layernorm.weight", width)
    if one.attention == "latent":
        nope, rope, v = config["qk_nope_head_dim"], config["qk_rope_head_dim"], config["v_head_dim"]
        q, latent = config["q_lora_rank"], config["kv_lora_rank"]
        add("self_attn.q_a_proj.weight", q, width)
        add("self_attn.q_a_layernorm.weight", q)
        add("self_attn.q_b_proj.weight", heads * (nope + rope), q)
        add("self_attn.kv_a_proj_with_mqa.weight", latent + rope, width)
        add("self_attn.kv_a_layernorm.weight", latent)
        add("self_attn.kv_b_proj.weight", heads * (nope + v), latent)
        add("self_attn.o_proj.weight", width, heads * v)
    else:
        add("self_attn.q_proj.weight", heads * head * (2 if one.attention == "gated" else 1), width)
        add("self_attn.k_proj.weight", kv * head, width)
        add("self_attn.v_proj.weight", kv * head, width)
        add("self_attn.o_proj.weight", width, heads * head)
        if one.attention == "gated" or config.get("use_qk_norm"):
            add("self_attn.q_norm.weight", head)
            add("self_attn.k_norm.weight", head)
        if config.get("attention_bias") or one.kind.startswith("Qwen2"):
            add("self_attn.q_proj.bias", heads * head)
            add("self_attn.k_proj.bias", kv * head)
            add("self_attn.v_proj.bias", kv * head)
    if not one.experts:
        feed_forward("mlp", config["intermediate_size"])
    else:
        count, inner = config.get("n_routed_experts") or config["num_experts"], config["moe_intermediate_size"]
        add("mlp.gate.weight", count, width)
        for index in range(count):
            feed_forward(f"mlp.experts.{index}", inner)
        if "n_routed_experts" in config:
            add("mlp.gate.e_score_correction_bias", count)
            feed_forward("mlp.shared_experts", inner)
        else:
            feed_forward("mlp.shared_expert", config["shared_expert_intermediate_size"])
            add("mlp.shared_expert_gate.weight", 1, width)
    if one.names is _MORE:  # copies of the target's own, which nothing reads
        add("embed_tokens.weight", config["vocab_size"], width)
        add("shared_head.head.weight", config["vocab_size"], width)
    return {key: 0.5 * torch.randn(shape, generator=generator) for key, shape in shapes.items()}


class Written:
    """The layer as the papers write it: DeepSeek-V3 (arXiv 2412.19437, sections 2.1 and 2.2), and the Qwen3-Next, GLM-4.5 and MiMo reports.

    Args:
        tensors: under the published names.
        config: the target's `config.json`.
    """

    def __init__(self, name: str, tensors: Mapping[str, Tensor], config: Mapping[str, Any]) -> None:
        self.one, self.config, self.tensors = CHECKPOINTS[name], config, tensors
        self.around_one = 1.0 if self.one.names is _QWEN else 0.0
        self.eps = config["rms_norm_eps"]

    def states(self, embedded: Tensor, states: Tensor) -> Tensor:
        """[n, width] the states after n pairs, normalised, from embeddings and states [n, width]."""
        token, state, join, norm, _ = self.one.names
        both = [self.normed(embedded, token), self.normed(states, state)]
        x = torch.cat(both if self.one.token_first else both[::-1], -1) @ self.tensors[f"{join}.weight"].T
        x = x + self.attention(self.normed(x, self.named("input_layernorm")))
        x = x + self.feed_forward(self.normed(x, self.named("post_attention_layernorm")))
        return self.normed(x, norm)

    def named(self, part: str) -> str:
        return f"{self.one.names[-1]}.{part}"

    def normed(self, x: Tensor, name: str, eps: float | None = None) -> Tensor:
        scale = self.around_one + self.tensors[f"{name}.weight"]
        return x / (x.square().mean(-1, keepdim=True) + (self.eps if eps is None else eps)).sqrt() * scale

    def product(self, x: Tensor, part: str) -> Tensor:
        name = self.named(part)
        bias = self.tensors.get(f"{name}.bias")
        found = x @ self.tensors[f"{name}.weight"].T
        return found if bias is None else found + bias

    def attention(self, x: Tensor) -> Tensor:
        config, count, heads = self.config, len(x), self.config["num_attention_heads"]
        gate = None
        if self.one.attention == "latent":
            nope, rope = config["qk_nope_head_dim"], config["qk_rope_head_dim"]
            q = self.normed(self.product(x, "self_attn.q_a_proj"), self.named("self_attn.q_a_layernorm"), 1e-6)
            q = self.product(q, "self_attn.q_b_proj").view(count, heads, nope + rope)
            latent, turned = self.product(x, "self_attn.kv_a_proj_with_mqa").split_with_sizes(
                [config["kv_lora_rank"], rope], -1
            )
            latent = self.normed(latent, self.named("self_attn.kv_a_layernorm"), 1e-6)
            k, v = (
                self.product(latent, "self_attn.kv_b_proj")
                .view(count, heads, -1)
                .split_with_sizes([nope, config["v_head_dim"]], -1)
            )
            turned = self.turned(turned[:, None], rope, pairs=True).expand(-1, heads, -1)
            q = torch.cat([q[..., :nope], self.turned(q[..., nope:], rope, pairs=True)], -1)
            k = torch.cat([k, turned], -1)
        else:
            head, kv = config.get("head_dim") or x.shape[-1] // heads, config["num_key_value_heads"]
            q = self.product(x, "self_attn.q_proj").view(count, heads, -1)
            if self.one.attention == "gated":
                q, gate = q.chunk(2, -1)
            k, v = (self.product(x, f"self_attn.{part}_proj").view(count, kv, head) for part in "kv")
            if self.named("self_attn.q_norm.weight") in self.tensors:
                q, k = (self.normed(part, self.named(f"self_attn.{at}_norm")) for part, at in ((q, "q"), (k, "k")))
            rotary = int(head * (config["rope_parameters"].get("partial_rotary_factor") or 1.0))
            q, k = (torch.cat([self.turned(part[..., :rotary], rotary), part[..., rotary:]], -1) for part in (q, k))
            k, v = (part.repeat_interleave(heads // kv, 1) for part in (k, v))
        scores = torch.einsum("ihd,jhd->hij", q, k) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(torch.ones(count, count, dtype=torch.bool).triu(1), -torch.inf)
        read = torch.einsum("hij,jhd->ihd", scores.softmax(-1), v)
        return self.product((read if gate is None else read * gate.sigmoid()).flatten(1), "self_attn.o_proj")

    def turned(self, x: Tensor, width: int, *, pairs: bool = False) -> Tensor:
        """The rotary embedding as a product of complex numbers: of neighbours (DeepSeek), or of numbers half a width apart."""
        theta = self.config["rope_parameters"]["rope_theta"]
        turns = theta ** -(torch.arange(0, width, 2).double() / width) * torch.arange(len(x))[:, None]
        real, imaginary = (x[..., ::2], x[..., 1::2]) if pairs else x.chunk(2, -1)
        found = torch.complex(real.double(), imaginary.double()) * torch.polar(torch.ones_like(turns), turns)[:, None]
        return torch.cat([found.real, found.imag], -1).to(x.dtype)

    def feed_forward(self, x: Tensor) -> Tensor:
        if not self.one.experts:
            return self.gated(x, "mlp")
        scores = x @ self.tensors[self.named("mlp.gate.weight")].T
        rows = []
        for row, score in zip(x, scores, strict=True):
            weights, shared = self.chosen(score), self.shared(row)
            rows.append(shared + sum(w * self.gated(row, f"mlp.experts.{index}") for index, w in weights.items()))
        return torch.stack(rows)

    def chosen(self, scores: Tensor) -> dict[int, Tensor]:
        """The experts of one token with their weights."""
        config = self.config
        if "n_routed_experts" not in config:
            best = scores.softmax(-1).topk(config["num_experts_per_tok"])
            return dict(zip(best.indices.tolist(), best.values / best.values.sum(), strict=True))
        scores = scores.sigmoid()
        biased = scores + self.tensors[self.named("mlp.gate.e_score_correction_bias")]
        groups = biased.view(config["n_group"], -1)
        best_groups = groups.topk(2).values.sum(-1).topk(config["topk_group"]).indices
        allowed = torch.full_like(groups, -torch.inf)
        allowed[best_groups] = groups[best_groups]
        chosen = allowed.flatten().topk(config["num_experts_per_tok"]).indices
        weights = scores[chosen] / scores[chosen].sum() * config["routed_scaling_factor"]
        return dict(zip(chosen.tolist(), weights, strict=True))

    def shared(self, row: Tensor) -> Tensor:
        if "n_routed_experts" in self.config:
            return self.gated(row, "mlp.shared_experts")
        return self.product(row, "mlp.shared_expert_gate").sigmoid() * self.gated(row, "mlp.shared_expert")

    def gated(self, x: Tensor, part: str) -> Tensor:
        return self.product(
            functional.silu(self.product(x, f"{part}.gate_proj")) * self.product(x, f"{part}.up_proj"),
            f"{part}.down_proj",
        )
