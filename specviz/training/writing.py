"""Goes on from many beginnings at once. Whole batches, so it is no way to measure speed."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from transformers import LlamaForCausalLM
from transformers.cache_utils import Cache

from specviz.models.networks.kv_cache import preallocated_cache
from specviz.training.llama import end_id


def likeliest(logits: Tensor) -> Tensor:
    """Greedy decoding."""
    return logits.argmax(-1)


def sampled(chance: torch.Generator) -> Callable[[Tensor], Tensor]:
    """Decoding at temperature 1."""
    return lambda logits: torch.softmax(logits.float(), -1).multinomial(1, generator=chance)[:, 0]


@torch.inference_mode()
def continued(
    model: LlamaForCausalLM,
    beginnings: Sequence[Sequence[int]],
    most: int,
    choose: Callable[[Tensor], Tensor] = likeliest,
) -> list[list[int]]:
    """The new tokens after each beginning: at most `most`, the end mark the last of them where it was set.

    Shorter beginnings are padded on the left and masked, so each is read as if it stood alone. A text that has ended leaves the batch: it
    costs nothing while others go on.

    Args:
        beginnings: token ids, none empty.
        choose: logits [texts, vocabulary] -> the next id of each text.
    """
    end = end_id(model)
    width = max(map(len, beginnings))
    ids = torch.tensor([[end] * (width - len(row)) + list(row) for row in beginnings], device=model.device)
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in beginnings], device=model.device)
    places = (mask.cumsum(1) - 1).clamp(min=0)
    cache, extent = preallocated_cache(model.config.num_hidden_layers)
    extent.capacity = width + most
    texts: list[list[int]] = [[] for _ in beginnings]
    going = list(texts)
    for _ in range(most):
        logits = model(ids, mask, places, cache, use_cache=True, logits_to_keep=1).logits[:, -1]
        extent.length += ids.shape[1]
        chosen = choose(logits)
        for text, token in zip(going, chosen.tolist(), strict=True):
            text.append(token)
        left = [row for row, text in enumerate(going) if text[-1] != end]
        if not left:
            break
        if len(left) < len(going):
            order = _closed_up(left)
            going = [going[row] for row in order]
            _keep(cache, order, extent.length)
            kept = torch.tensor(order, device=model.device)
            chosen, mask, places = chosen[kept], mask[kept], places[kept]
        ids, places = chosen[:, None], places[:, -1:] + 1
        mask = torch.cat([mask, torch.ones_like(ids)], 1)
    return texts


def _closed_up(left: Sequence[int]) -> list[int]:
    """The rows that go on, in an order that moves as few as there are gaps: rows from the end stand in the places of those that ended."""
    order = list(range(len(left)))
    gaps = sorted(set(order) - set(left))
    for gap, row in zip(gaps, left[len(left) - len(gaps) :], strict=True):
        order[gap] = row
    return order


def _keep(cache: Cache, order: Sequence[int], length: int) -> None:
    """Bring the buffers into that order, and let go of the rest."""
    gaps = [(gap, row) for gap, row in enumerate(order) if gap != row]
    for layer in cache.layers:
        for held in (layer.keys, layer.values):
            for gap, row in gaps:
                held[gap, :, :length] = held[row, :, :length]
        layer.keys, layer.values = layer.keys[: len(order)], layer.values[: len(order)]
