"""Builds and saves the pair's networks: standard transformers Llama models, so that any tool that reads such folders can load them."""

import shutil
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

from recipes.embedded import tokenizer as tokens
from recipes.embedded.recipe import Shape
from specviz.errors import TrainingError
from specviz.models.quiet import quiet


def build(shape: Shape, vocabulary: int, positions: int, seed: int) -> LlamaForCausalLM:
    """A new network in float32 with small random weights; matrices that write into the residual stream are scaled down by depth.

    Standard deviation 0.02, residual scaling by depth: Radford et al. 2019 (GPT-2), section 2.3.

    Args:
        vocabulary: number of entries of the tokenizer.
        positions: the longest text, in tokens.
        seed: of the weights.
    """
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
        eos_token_id=tokens.END_ID,
        pad_token_id=tokens.END_ID,
        attn_implementation="sdpa",
    )
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        for layer in model.model.layers:
            for matrix in (layer.self_attn.o_proj.weight, layer.mlp.down_proj.weight):
                matrix.mul_((2 * shape.layers) ** -0.5)
    return model


def pruned(model: LlamaForCausalLM, layers: int) -> LlamaForCausalLM:
    """A copy of a network with `layers` of its layers, at even intervals, the first and the last included.

    Initialising a smaller network with some layers of the larger one: Sanh et al. 2019 (DistilBERT), section 2.
    """
    config = LlamaConfig.from_dict(model.config.to_dict() | {"num_hidden_layers": layers})
    config._attn_implementation = "sdpa"  # not part of the configuration's dictionary
    kept = [round(index * (len(model.model.layers) - 1) / max(layers - 1, 1)) for index in range(layers)]
    copy = LlamaForCausalLM(config)
    copy.model.embed_tokens.load_state_dict(model.model.embed_tokens.state_dict())
    copy.model.norm.load_state_dict(model.model.norm.state_dict())
    for mine, number in zip(copy.model.layers, kept, strict=True):
        mine.load_state_dict(model.model.layers[number].state_dict())
    return copy


def save(model: LlamaForCausalLM, tokenizer: Tokenizer, folder: Path, exit_layer: int | None = None) -> None:
    """Write the network in bfloat16 with its tokenizer, completely or not at all; `exit_layer` is written into the configuration.

    Raises:
        TrainingError: the disk is full, or the folder cannot be written.
    """
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    config = LlamaConfig.from_dict(model.config.to_dict())
    config.early_exit_layer = exit_layer
    copy = LlamaForCausalLM(config).to(torch.bfloat16)
    copy.load_state_dict(model.state_dict())
    copy.tie_weights()
    copy.generation_config = GenerationConfig(eos_token_id=tokens.END_ID, pad_token_id=tokens.END_ID)
    try:
        with quiet():
            copy.save_pretrained(partial)
        tokens.save(tokenizer, partial)
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except Exception as error:  # noqa: BLE001  # the writers of weights and tokenizers raise many kinds of errors
        shutil.rmtree(partial, ignore_errors=True)
        reason = " ".join(str(error).split())[:160]
        raise TrainingError(
            f"The network could not be written to {str(folder)!r} ({reason}): make room, then give the same command again."
        ) from None


def shape_of(model: LlamaForCausalLM) -> Shape:
    """The shape of a network that was read from its folder."""
    config = model.config
    return Shape(
        layers=config.num_hidden_layers,
        width=config.hidden_size,
        heads=config.num_attention_heads,
        feed_forward=config.intermediate_size,
        exit_layer=getattr(config, "early_exit_layer", None),
    )
