"""Continues many beginnings at once, as one batch. Not a way to measure decoding speed."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from recipes.embedded.llama_folder import end_id
from specviz.models.networks.kv_cache import preallocated_cache
from specviz.training.drafts.writer import closed_up, keep_rows


def most_likely(logits: Tensor) -> Tensor:
    """Greedy decoding: the most likely token of each row. Takes logits [texts, vocabulary]."""
    return logits.argmax(-1)


def sampled(generator: torch.Generator) -> Callable[[Tensor], Tensor]:
    """Sampling at temperature 1 with this random source. The result takes logits [texts, vocabulary]."""
    return lambda logits: torch.softmax(logits.float(), -1).multinomial(1, generator=generator)[:, 0]


@torch.inference_mode()
def continued(
    model: LlamaForCausalLM,
    beginnings: Sequence[Sequence[int]],
    most: int,
    choose: Callable[[Tensor], Tensor] = most_likely,
) -> list[list[int]]:
    """The new tokens after each beginning: at most `most`, the end mark included if the text ended.

    Shorter beginnings are padded on the left and masked, so that each is read as if it were alone. A text that has ended leaves the batch, so
    it costs nothing while others continue.

    Args:
        beginnings: token ids; no beginning is empty.
        most: maximum number of new tokens.
        choose: logits [texts, vocabulary] -> the next id of each text.
    """
    end = end_id(model)
    width = max(map(len, beginnings))
    ids = torch.tensor([[end] * (width - len(row)) + list(row) for row in beginnings], device=model.device)
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in beginnings], device=model.device)
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    cache, extent = preallocated_cache(model.config.num_hidden_layers)
    extent.capacity = width + most
    texts: list[list[int]] = [[] for _ in beginnings]
    going = list(texts)
    for _ in range(most):
        logits = model(ids, mask, positions, cache, use_cache=True, logits_to_keep=1).logits[:, -1]
        extent.length += ids.shape[1]
        chosen = choose(logits)
        for text, token in zip(going, chosen.tolist(), strict=True):
            text.append(token)
        left = [row for row, text in enumerate(going) if text[-1] != end]
        if not left:
            break
        if len(left) < len(going):
            order = closed_up(left)
            going = [going[row] for row in order]
            keep_rows(cache, order, extent.length)
            kept = torch.tensor(order, device=model.device)
            chosen, mask, positions = chosen[kept], mask[kept], positions[kept]
        ids, positions = chosen[:, None], positions[:, -1:] + 1
        mask = torch.cat([mask, torch.ones_like(ids)], 1)
    return texts
