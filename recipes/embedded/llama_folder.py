"""Reads a Llama network from its folder."""

from pathlib import Path

import torch
from transformers import LlamaForCausalLM

from specviz.models.quiet import quiet


def load(folder: Path) -> LlamaForCausalLM:
    """The network in a folder, in float32.

    Raises:
        FileNotFoundError: there is no config.json (without it, transformers would build a network with seven billion weights).
    """
    if not (folder / "config.json").is_file():
        raise FileNotFoundError(f"{folder} has no config.json")
    with quiet():
        return LlamaForCausalLM.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="sdpa", local_files_only=True
        )


def end_id(model: LlamaForCausalLM) -> int:
    """The token id that ends a text, from the network's configuration; the first one if there are several."""
    found: int | list[int] = model.config.eos_token_id
    return found if isinstance(found, int) else found[0]
