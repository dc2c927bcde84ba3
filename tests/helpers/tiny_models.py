"""Tiny real models, made on the fly: known architectures with random weights."""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import torch
import transformers

from specviz.models import CachedModel

TINY: dict[str, dict[str, Any]] = {
    "LlamaForCausalLM": {"num_key_value_heads": 1},
    "Qwen2ForCausalLM": {"num_key_value_heads": 1},
    "Qwen3ForCausalLM": {"num_key_value_heads": 1, "head_dim": 8},
    "MistralForCausalLM": {"num_key_value_heads": 1, "sliding_window": 8},
    "Starcoder2ForCausalLM": {"num_key_value_heads": 1, "sliding_window": 8},
    "GPT2LMHeadModel": {},
    "GPTNeoXForCausalLM": {},
}
"""The tested families, each with its extra configuration; every text crosses the windows of Mistral and Starcoder 2."""


def built(kind: str, seed: int, *, layers: int = 2, heads: int = 2, width: int = 16, **options: Any) -> Any:
    """A real architecture with random weights, large enough that its distributions are far from uniform, and without special tokens."""
    build = getattr(transformers, kind)
    described: dict[str, Any] = {
        "hidden_size": width,
        "intermediate_size": 2 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "max_position_embeddings": 128,
        "initializer_range": 0.5,
        **dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id")),
        **options,
    }
    if kind.startswith("GPT2"):
        described.pop("intermediate_size")
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return build(build.config_class(**described)).eval()


@cache
def tiny_weights(kind: str, seed: int, vocabulary: int, layers: int, width: int, dtype: torch.dtype) -> Any:
    return built(kind, seed, layers=layers, width=width, vocab_size=vocabulary, **TINY.get(kind, {})).to(dtype)


def tiny(
    kind: str,
    seed: int,
    *,
    vocabulary: int = 64,
    layers: int = 2,
    width: int = 16,
    dtype: torch.dtype = torch.float32,
    head: int | None = None,
    end_ids: Iterable[int] = (),
) -> CachedModel:
    """A new cached model around shared tiny weights; `head` is the number of output rows if it differs from `vocabulary`."""
    weights = tiny_weights(kind, seed, head or vocabulary, layers, width, dtype)
    return CachedModel(weights, vocabulary, frozenset(end_ids))


def perturbed(model: CachedModel, noise: float) -> CachedModel:
    """The same model with a little noise added to every weight."""
    moved = deepcopy(model.model)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in moved.parameters():
            weight.add_(noise * weight.abs().mean() * torch.randn(weight.shape, generator=generator))
    return CachedModel(moved, model.vocabulary, model.end_ids)


def fresh_logits(model: CachedModel, ids: Sequence[int]) -> torch.Tensor:
    """[m, V] scores of a forward pass over all ids without any cache."""
    with torch.inference_mode():
        logits: torch.Tensor = model.model(torch.tensor([list(ids)]), use_cache=False).logits[0]
    missing = model.vocabulary - logits.shape[-1]
    return torch.nn.functional.pad(logits, (0, missing), value=-torch.inf) if missing > 0 else logits
