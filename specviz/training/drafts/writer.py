"""The target writes many texts at once, and what it would have written instead is kept beside every token."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer

from specviz.models.networks.kv_cache import preallocated_cache
from specviz.training.writing import closed_up, keep_rows

TOP = 32
"""The likeliest tokens whose probabilities are kept at each position; the rest of the vocabulary is one bucket."""


@dataclass(frozen=True, slots=True)
class Written:
    """A prompt and what the target wrote after it.

    Attributes:
        ids: token ids of prompt and text, the end mark included where the target ended.
        start: index of the first token that the target wrote.
        top_ids: [written tokens, TOP], the target's likeliest ids at each position it wrote, most likely first.
        top_logs: [written tokens, TOP], their log-probabilities at temperature 1, in nats.
        ended: whether the target ended the text itself.
    """

    ids: list[int]
    start: int
    top_ids: Tensor
    top_logs: Tensor
    ended: bool


@torch.inference_mode()
def write(
    model: PreTrainedModel,
    prompts: Sequence[Sequence[int]],
    most: int,
    temperatures: Sequence[float],
    generator: torch.Generator,
    ends: Collection[int],
) -> list[Written]:
    """Continue every prompt, all in one batch.

    Shorter prompts are padded on the left and masked. A text that has ended leaves the batch. Tokens are sampled among the TOP likeliest.

    Args:
        model: any causal language model of transformers, in evaluation mode.
        prompts: token ids; none is empty.
        most: maximum number of new tokens of a text.
        temperatures: one for each prompt; 0 takes the likeliest token.
        generator: on the model's device.
        ends: the ids that end a text.
    """
    device = model.device
    width, padding = max(map(len, prompts)), min(ends, default=0)
    ids = torch.tensor([[padding] * (width - len(row)) + list(row) for row in prompts], device=device)
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in prompts], device=device)
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    heat = torch.tensor(temperatures, device=device, dtype=torch.float32)[:, None]
    rows = torch.arange(len(prompts), device=device)
    cache = _Cache(model, width + most)
    ending = torch.tensor(sorted(ends), device=device, dtype=torch.long)
    steps: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    for step in range(most):
        output = model(
            ids,
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache.cache,
            use_cache=True,
            logits_to_keep=1,
        )
        cache.grow(ids.shape[1])
        logits = output.logits[:, -1].float()
        top = logits.topk(TOP)
        logs = top.values - logits.logsumexp(-1, keepdim=True)
        chosen = _chosen(top.indices, logs, heat, generator)
        steps.append((rows, chosen, top.indices.to(torch.int32), logs.to(torch.float16)))
        left = (~torch.isin(chosen, ending)).nonzero()[:, 0].tolist()
        if not left or step == most - 1:
            break
        if len(left) < len(rows):
            order = closed_up(left)
            cache.keep(order)
            kept = torch.tensor(order, device=device)
            chosen, mask, positions, heat, rows = (each[kept] for each in (chosen, mask, positions, heat, rows))
        ids, positions = chosen[:, None], positions[:, -1:] + 1
        mask = torch.cat([mask, torch.ones_like(ids)], 1)
    return _gathered(prompts, steps, ends)


def _chosen(ids: Tensor, logs: Tensor, heat: Tensor, generator: torch.Generator) -> Tensor:
    """One id of each row: the likeliest at temperature 0, else a sample of the top ones (by the Gumbel-max trick)."""
    noise = -torch.empty_like(logs).exponential_(generator=generator).log()
    index = torch.where(heat > 0, logs / heat.clamp(min=1e-4) + noise, logs).argmax(-1, keepdim=True)
    return ids.gather(1, index)[:, 0]


def _gathered(
    prompts: Sequence[Sequence[int]], steps: Sequence[tuple[Tensor, Tensor, Tensor, Tensor]], ends: Collection[int]
) -> list[Written]:
    """The texts, each with its own positions, from the columns of the batch."""
    chosen = torch.full((len(prompts), len(steps)), -1, dtype=torch.int64)
    top_ids = torch.zeros((len(prompts), len(steps), TOP), dtype=torch.int32)
    top_logs = torch.zeros((len(prompts), len(steps), TOP), dtype=torch.float16)
    for step, (rows, tokens, ids, logs) in enumerate(steps):
        where = rows.cpu()
        chosen[where, step], top_ids[where, step], top_logs[where, step] = tokens.cpu(), ids.cpu(), logs.cpu()
    found = []
    for row, prompt in enumerate(prompts):
        new = [token for token in chosen[row].tolist() if token >= 0]
        count = len(new)
        found.append(
            Written([*prompt, *new], len(prompt), top_ids[row, :count], top_logs[row, :count], new[-1] in ends)
        )
    return found


class _Cache:
    """The keys and values of a batch: preallocated where every layer caches all tokens, else as transformers caches them."""

    def __init__(self, model: PreTrainedModel, capacity: int) -> None:
        self.cache: Cache = DynamicCache(config=model.config)
        self._extent = None
        if self.cache.layers and all(type(layer) is DynamicLayer for layer in self.cache.layers):
            self.cache, self._extent = preallocated_cache(len(self.cache.layers))
            self._extent.capacity = capacity

    def grow(self, tokens: int) -> None:
        """Count the tokens of a pass."""
        if self._extent is not None:
            self._extent.length += tokens

    def keep(self, order: Sequence[int]) -> None:
        """Bring the rows into this order, and drop the others."""
        if self._extent is None:
            self.cache.batch_select_indices(torch.tensor(order))
        else:
            keep_rows(self.cache, order, self._extent.length)
