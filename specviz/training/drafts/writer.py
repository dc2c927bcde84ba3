"""The target writes many texts at once, and what it would have written instead is kept beside every token."""

import inspect
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache

from specviz.models.networks.kv_cache import preallocated_cache
from specviz.models.networks.states import CACHE_ARGUMENTS, is_recurrent

TOP = 32
"""The likeliest tokens whose probabilities are kept at each position; the rest of the vocabulary is one bucket."""


@dataclass(frozen=True, slots=True)
class Written:
    """A prompt and what the target wrote after it.

    Attributes:
        ids: token ids of prompt and text, the end mark included where the target ended.
        start: index of the first token that the target wrote.
        top_ids: [written tokens, TOP], the target's likeliest ids at each position it wrote, most likely first; fewer columns where the
            vocabulary is smaller.
        top_logs: the same shape, their log-probabilities at temperature 1, in nats.
        ended: whether the target ended the text itself.
        given: index of the prompt in its file, see `PromptFile`; None where the prompt is from elsewhere.
    """

    ids: list[int]
    start: int
    top_ids: Tensor
    top_logs: Tensor
    ended: bool
    given: int | None = None

    def ids_only(self) -> "Written":
        """The same text without the probabilities, of which there are then no columns."""
        return replace(self, top_ids=self.top_ids[:, :0], top_logs=self.top_logs[:, :0])


@dataclass(frozen=True, slots=True)
class Writer:
    """A target that continues prompts.

    Attributes:
        model: any causal language model of transformers, in evaluation mode.
        vocabulary: how many ids its tokenizer has; rows of the head after these are never chosen, as in the engine.
    """

    model: PreTrainedModel
    vocabulary: int

    def write(
        self,
        prompts: Sequence[Sequence[int]],
        most: int,
        temperatures: Sequence[float],
        generator: torch.Generator,
        ends: Collection[int],
    ) -> list[Written]:
        """Continue every prompt, in as few batches as the model allows.

        With ordinary attention all prompts are one batch: shorter ones are padded on the left and masked, and what all of them begin with is
        read once. A recurrent state would read the padding too, so there a batch has prompts of one length. Tokens are sampled among the TOP
        likeliest.

        Args:
            prompts: token ids; none is empty.
            most: maximum number of new tokens of a text, at least 1.
            temperatures: one for each prompt; 0 takes the likeliest token.
            generator: on the model's device.
            ends: the ids that end a text.
        """
        order = list(range(len(prompts)))
        groups: Iterable[list[int]] = [order] if order else []
        if is_recurrent(self.model):
            order.sort(key=lambda row: len(prompts[row]))
            groups = [list(group) for _, group in groupby(order, key=lambda row: len(prompts[row]))]
        found: dict[int, Written] = {}
        for rows in groups:
            chosen = [prompts[row] for row in rows]
            texts = self._together(chosen, most, [temperatures[row] for row in rows], generator, ends)
            found.update(zip(rows, texts, strict=True))
        return [found[row] for row in range(len(prompts))]

    @torch.inference_mode()
    def _together(
        self,
        prompts: Sequence[Sequence[int]],
        most: int,
        temperatures: Sequence[float],
        generator: torch.Generator,
        ends: Collection[int],
    ) -> list[Written]:
        """One batch. A text that has ended leaves it, so it costs nothing while others continue."""
        device = self.model.device
        width, padding = max(map(len, prompts)), min(ends, default=0)
        ids = torch.tensor([[padding] * (width - len(row)) + list(row) for row in prompts], device=device)
        mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in prompts], device=device)
        heat = torch.tensor(temperatures, device=device, dtype=torch.float32)[:, None]
        rows = torch.arange(len(prompts), device=device)
        reader = _Recurrent(self.model) if is_recurrent(self.model) else _Attending(self.model, width + most)
        ending = torch.tensor(sorted(ends), device=device, dtype=torch.long)
        if isinstance(reader, _Attending) and (shared := _shared(prompts)):
            reader.begin(torch.tensor(prompts[0][:shared], device=device), width - mask.sum(1))
            ids = ids[:, shared:]
        steps: list[_Step] = []
        for step in range(most):
            logits = reader.read(ids, mask)[:, : self.vocabulary].float()
            top = logits.topk(min(TOP, logits.shape[-1]))
            logs = top.values - logits.logsumexp(-1, keepdim=True)
            chosen = _chosen(top.indices, logs, heat, generator)
            steps.append(_Step(rows, chosen, top.indices.to(torch.int32), logs.to(torch.float16)))
            ended = torch.isin(chosen, ending)
            left = (~ended).nonzero()[:, 0].tolist()
            if not left or step == most - 1:
                break
            if len(left) < len(rows) and isinstance(reader, _Attending):
                order = closed_up(left)
                reader.keep(order)
                kept = torch.tensor(order, device=device)
                chosen, mask, heat, rows = (each[kept] for each in (chosen, mask, heat, rows))
            ids = chosen[:, None]
            mask = torch.cat([mask, torch.ones_like(ids)], 1)
        return _gathered(prompts, steps, ends)


@dataclass(frozen=True, slots=True)
class _Step:
    """One column of a batch: for these rows of prompts the chosen ids, and the top ids with their log-probabilities."""

    rows: Tensor
    chosen: Tensor
    top_ids: Tensor
    top_logs: Tensor


def _shared(prompts: Sequence[Sequence[int]]) -> int:
    """How many ids all of several prompts begin with; at least one id of each prompt stays."""
    if len(prompts) < 2:
        return 0
    columns = zip(*(prompt[:-1] for prompt in prompts), strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def _chosen(ids: Tensor, logs: Tensor, heat: Tensor, generator: torch.Generator) -> Tensor:
    """One id of each row: the likeliest at temperature 0, else a sample of the top ones (by the Gumbel-max trick)."""
    noise = -torch.empty_like(logs).exponential_(generator=generator).log()
    index = torch.where(heat > 0, logs / heat.clamp(min=1e-4) + noise, logs).argmax(-1, keepdim=True)
    return ids.gather(1, index)[:, 0]


def _gathered(prompts: Sequence[Sequence[int]], steps: Sequence[_Step], ends: Collection[int]) -> list[Written]:
    """The texts, each with its own positions, from the columns of the batch; each is cut after its end mark."""
    columns = steps[0].top_ids.shape[1]
    chosen = torch.full((len(prompts), len(steps)), -1, dtype=torch.int64)
    top_ids = torch.zeros((len(prompts), len(steps), columns), dtype=torch.int32)
    top_logs = torch.zeros((len(prompts), len(steps), columns), dtype=torch.float16)
    for index, step in enumerate(steps):
        where = step.rows.cpu()
        chosen[where, index] = step.chosen.cpu()
        top_ids[where, index], top_logs[where, index] = step.top_ids.cpu(), step.top_logs.cpu()
    found = []
    for row, prompt in enumerate(prompts):
        new = [token for token in chosen[row].tolist() if token >= 0]
        count = next((index + 1 for index, token in enumerate(new) if token in ends), len(new))
        found.append(
            Written(
                [*prompt, *new[:count]],
                len(prompt),
                top_ids[row, :count],
                top_logs[row, :count],
                new[count - 1] in ends,
            )
        )
    return found


class _Attending:
    """Passes of a model that caches keys and values only, in buffers that are allocated once and from which rows can be dropped."""

    def __init__(self, model: PreTrainedModel, capacity: int) -> None:
        text = model.config.get_text_config(decoder=True)
        self._model = model
        self._cache, self._extent = preallocated_cache(text.num_hidden_layers)
        self._extent.capacity = capacity
        self._parameters = inspect.signature(model.forward).parameters

    def begin(self, prefix: Tensor, gaps: Tensor) -> None:
        """Fill the first columns of a batch from one pass over ids with which all its prompts begin.

        Args:
            prefix: [columns] ids.
            gaps: [rows], columns of padding before each prompt.
        """
        self.read(prefix[None], torch.ones_like(prefix[None]))
        index = torch.arange(len(prefix), device=gaps.device) - gaps[:, None]
        index = index.clamp(min=0)  # padding is masked, whatever it holds
        for layer in self._cache.layers:
            if not layer.is_initialized:  # it reads another layer's keys and values
                continue
            layer.keys, layer.values = (_spread(cached, index) for cached in (layer.keys, layer.values))

    def read(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[rows, V] scores of the next token of each row. `mask` is [rows, cached and new tokens], 0 at padding."""
        more: dict[str, Any] = {}
        if "position_ids" in self._parameters:
            more["position_ids"] = (mask.cumsum(1) - 1).clamp(min=0)[:, -ids.shape[1] :]
        if "logits_to_keep" in self._parameters:
            more["logits_to_keep"] = 1
        output = self._model(ids, attention_mask=mask, past_key_values=self._cache, use_cache=True, **more)
        self._extent.length += ids.shape[1]
        logits: Tensor = output.logits[:, -1]
        return logits

    def keep(self, order: Sequence[int]) -> None:
        """Bring the rows into this order, and drop the others."""
        keep_rows(self._cache, order, self._extent.length)


def _spread(cached: Tensor, index: Tensor) -> Tensor:
    """Buffers for many rows [rows, heads, capacity, width], whose first columns are those of one row [1, heads, capacity, width]."""
    rows, columns = index.shape
    found = cached.new_zeros(rows, *cached.shape[1:])
    found[:, :, :columns] = cached[0][:, index].transpose(0, 1)
    return found


class _Recurrent:
    """Passes of a model with a state of its own making; rows of one length, which all stay to the end."""

    def __init__(self, model: PreTrainedModel) -> None:
        parameters = inspect.signature(model.forward).parameters
        self._model = model
        self._argument = next((name for name in CACHE_ARGUMENTS if name in parameters), CACHE_ARGUMENTS[0])
        self._cache: Any = None

    def read(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[rows, V] scores of the next token of each row; there is no padding, so the mask is not needed."""
        output = self._model(ids, use_cache=True, **({self._argument: self._cache} if self._cache is not None else {}))
        self._cache = output[self._argument]
        logits: Tensor = output.logits[:, -1]
        return logits


def closed_up(left: Sequence[int]) -> list[int]:
    """The rows that continue, in an order that moves as few as possible: rows from the end fill the slots of rows that ended."""
    order = list(range(len(left)))
    gaps = sorted(set(order) - set(left))
    for gap, row in zip(gaps, left[len(left) - len(gaps) :], strict=True):
        order[gap] = row
    return order


def keep_rows(cache: Cache, order: Sequence[int], length: int) -> None:
    """Bring the cache into that order, and drop the other rows."""
    gaps = [(gap, row) for gap, row in enumerate(order) if gap != row]
    for layer in cache.layers:
        if not layer.is_initialized:  # it reads another layer's keys and values
            continue
        for cached in (layer.keys, layer.values):
            for gap, row in gaps:
                cached[gap, :, :length] = cached[row, :, :length]
        layer.keys, layer.values = layer.keys[: len(order)], layer.values[: len(order)]
