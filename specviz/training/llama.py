"""What training needs of a Llama network: its hidden states, and reading network and tokenizer from their folder."""

from pathlib import Path

import torch
from transformers import LlamaForCausalLM

from specviz.models.quiet import quiet


def hidden(
    model: LlamaForCausalLM,
    ids: torch.Tensor,
    exit_layer: int | None = None,
    *,
    positions: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """The last hidden states and those after `exit_layer` layers, both normalised for the head.

    Args:
        ids: token ids [rows, tokens].
        positions: of each token in its own text [rows, tokens]; by default a row is one text.
        mask: which tokens each token sees [rows, 1, tokens, tokens]; by default all before it in the row.

    Returns:
        two tensors [rows, tokens, width]; the second is None without an exit layer.
    """
    body = model.model
    states = body.embed_tokens(ids)
    if positions is None:
        positions = torch.arange(ids.shape[1], device=ids.device)[None]
    turns = body.rotary_emb(states, position_ids=positions)
    early = None
    for done, layer in enumerate(body.layers, 1):
        states = layer(states, attention_mask=mask, position_ids=positions, position_embeddings=turns)
        if done == exit_layer:
            early = body.norm(states)
    return body.norm(states), early


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
