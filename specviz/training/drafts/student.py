"""The draft's network: a small Llama whose embedding begins as the best low-rank part of the target's own."""

from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedModel

_HEAD = 48
_STANDARD_DEVIATION = 0.02


@dataclass(frozen=True, slots=True)
class Size:
    """Shape of a draft: hidden states of `width` numbers, `layers` layers; heads and feed-forward follow from the width."""

    width: int
    layers: int

    @property
    def heads(self) -> int:
        """Query heads, of about 48 numbers each."""
        return max(1, round(self.width / _HEAD))

    @property
    def groups(self) -> int:
        """Key-value heads: a third of the query heads where that divides them (grouped-query attention), else one."""
        return self.heads // 3 if self.heads % 3 == 0 else 1

    @property
    def feed_forward(self) -> int:
        """Width of the feed-forward network: 8/3 of the width, rounded to 32."""
        return max(32, round(self.width * 8 / 3 / 32) * 32)

    def weights(self, head: int) -> int:
        """How many weights a pass reads, with `head` rows in the output head."""
        attention = 2 * self.width**2 + 2 * self.width * self.groups * (self.width // self.heads)
        return self.layers * (attention + 3 * self.width * self.feed_forward) + head * self.width


def student(target: PreTrainedModel, size: Size, counts: Tensor, seed: int) -> LlamaForCausalLM:
    """A new draft in float32, with random layers and the target's embedding in `size.width` dimensions.

    Args:
        counts: [ids], how often the target wrote each id: the projection loses least where the target writes most.
        seed: of the layers.
    """
    torch.manual_seed(seed)
    table = target.get_input_embeddings().weight.detach().float().cpu()
    config = LlamaConfig(
        vocab_size=len(table),
        hidden_size=size.width,
        intermediate_size=size.feed_forward,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.groups,
        max_position_embeddings=_positions(target),
        rope_theta=10_000.0,
        tie_word_embeddings=True,
        bos_token_id=target.config.bos_token_id,
        eos_token_id=target.config.eos_token_id,
        pad_token_id=target.config.pad_token_id,
        attn_implementation="sdpa",
    )
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        for layer in model.model.layers:
            for matrix in (layer.self_attn.o_proj.weight, layer.mlp.down_proj.weight):
                matrix.mul_((2 * size.layers) ** -0.5)
        projected = table @ _principal(table, counts, size.width)
        model.model.embed_tokens.weight.copy_(projected * (_STANDARD_DEVIATION / projected.std()))
    return model


def _principal(table: Tensor, counts: Tensor, width: int) -> Tensor:
    """The projection [target width, width] onto the directions in which the rows differ most, each row weighted by the root of its count."""
    weights = (counts[: len(table)].float() + 1).pow(0.25)[:, None]
    _, vectors = torch.linalg.eigh((table * weights).T @ (table * weights))
    if width <= table.shape[1]:
        return vectors[:, -width:]
    extra = torch.randn(table.shape[1], width - table.shape[1]) / table.shape[1] ** 0.5
    return torch.cat([vectors, extra], 1)


def _positions(target: PreTrainedModel) -> int:
    found = getattr(target.config.get_text_config(decoder=True), "max_position_embeddings", None)
    return int(found) if found else 2048
