"""What training needs of a Llama network: its hidden states."""

import torch
from transformers import LlamaForCausalLM


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
