"""What the tests of training share: small random networks, and commands with what they print."""

from dataclasses import dataclass

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from tests.helpers.commands import specviz


def said(*asked: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to stdout and stderr."""
    found = specviz(*asked)
    return found.code, found.out, found.err


@dataclass(frozen=True)
class Shape:
    """Of a Llama network; an early exit is trained after `exit_layer` layers."""

    layers: int
    width: int
    heads: int
    feed_forward: int
    exit_layer: int | None = None


def built(shape: Shape, vocabulary: int, positions: int, seed: int) -> LlamaForCausalLM:
    """A new network in float32; texts end with id 0."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=shape.width,
        intermediate_size=shape.feed_forward,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=0,
        attn_implementation="sdpa",
    )
    return LlamaForCausalLM(config)


def roughened(shape: Shape, vocabulary: int = 50, positions: int = 32, seed: int = 1) -> LlamaForCausalLM:
    """A network in which every layer and every norm matters, as after training: fresh weights hardly change what passes through."""
    model = built(shape, vocabulary, positions, seed)
    noise = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn(weight.shape, generator=noise), alpha=0.3)
    return model
