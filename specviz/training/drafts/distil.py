"""Rows of the target's own text, and the loss of a draft towards what the target would have written."""

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.training.drafts.store import OwnText
from specviz.training.llama import hidden
from specviz.training.packing import SHELF, packed
from specviz.training.training_loop import Objective

AGREEMENT = "agreement"
"""Share of positions at which the draft's likeliest token is the target's. Shown, not minimised."""

LOSS = "distillation"

ALPHA = "alpha"
"""The mean of sum min(p, q) over positions, at temperature 1: the acceptance rate at the beginning of a draft. Shown, not minimised."""

_SHELVES = 8
"""At most this fraction of the texts waits for a row at once, so that few texts are read as often as many."""


def rows(own: OwnText, context: int, seed: str, passes: float = 1.0) -> Tensor:
    """Pack the texts into rows of indices into `own.ids`: int32 [rows, context + 1], at least one row.

    Args:
        passes: how often all texts are read; each time they are packed in another order.
    """
    starts = own.starts.tolist()
    documents = [list(range(start, end)) for start, end in zip(starts, [*starts[1:], len(own.ids)], strict=True)]
    random = Random(seed)  # noqa: S311  # text, not secrets

    def endless() -> Iterator[list[int]]:
        while True:
            random.shuffle(documents)
            yield from documents

    count = max(1, round(passes * len(own.ids) / (context + 1)))
    filled = torch.empty(count, context + 1, dtype=torch.int32)
    shelf = min(SHELF, max(1, len(documents) // _SHELVES))
    for index, row in enumerate(islice(packed(endless(), context + 1, shelf), count)):
        filled[index] = torch.tensor(row, dtype=torch.int32)
    return filled


def kept_ids(own: OwnText, most: int | None) -> tuple[Tensor, float]:
    """The ids to which the target gave most probability, ascending, and the share of what it wrote that they cover: a cap on the
    acceptance rate.

    The sum of probabilities over all positions says more about rare ids than how often they were written: of as many ids, the chosen ones
    cover more of a text that was not counted.

    Args:
        most: how many ids; None keeps every id that was once among the top tokens or written.
    """
    written = own.ids[own.top >= 0].long()
    top = own.top_ids.flatten().long()
    size = int(max(top.max(), written.max())) + 1 if len(written) else 0
    mass = torch.zeros(size, dtype=torch.float64).index_add_(0, top, own.top_logs.flatten().double().exp())
    counts = torch.bincount(written, minlength=size)
    order = mass.argsort(descending=True, stable=True)
    order = order[(mass[order] > 0) | (counts[order] > 0)][:most]
    return order.sort().values, float(counts[order].sum() / counts.sum())


def share_written(own: OwnText, kept: Tensor) -> float:
    """The share of what the target wrote that these ids cover."""
    return float(torch.isin(own.ids[own.top >= 0], kept.to(own.ids)).double().mean())


def distillation(model: LlamaForCausalLM, own: OwnText, kept: Tensor) -> Objective:
    """The loss of a draft at every token that the target wrote.

    With the target's distribution p and the draft's q, both over the target's top tokens and one bucket for all others:
    w KL(p || q) + (1 - w) TV(p, q), w = exp(-3 alpha). KL teaches from the beginning; the total variation distance is 1 - alpha itself.
    Forward KL for drafts: Zhou et al. 2024 (DistillSpec), section 3.

    Args:
        kept: [ids], the ids that the draft can write; all probability of others is in the bucket.
    """
    device = model.device
    column = torch.full((model.config.vocab_size,), -1, dtype=torch.long)
    column[kept] = torch.arange(len(kept))
    column, kept_here = column.to(device), kept.to(device)
    text_of = torch.bucketize(torch.arange(len(own.ids)), own.starts, right=True) - 1

    def losses(batch: Tensor) -> Mapping[str, Tensor]:
        index, following = batch[:, :-1].cpu(), batch[:, 1:].cpu()
        offsets, visible = apart(index, text_of, own.starts)
        states = hidden(model, own.ids[index].long().to(device), positions=offsets.to(device), mask=visible.to(device))[
            0
        ]
        top = own.top[following]
        learnt = (top >= 0) & (following == index + 1)
        columns = column[own.top_ids[top[learnt]].long().to(device)]
        p = own.top_logs[top[learnt]].to(device).float().exp().masked_fill(columns < 0, 0.0)
        scores = (states[learnt.to(device)] @ model.model.embed_tokens.weight[kept_here].to(states.dtype).T).float()
        logs = scores.gather(1, columns.clamp(min=0)) - scores.logsumexp(-1, keepdim=True)
        q = logs.exp().masked_fill(columns < 0, 0.0)
        p_rest, q_rest = (1 - p.sum(-1)).clamp(min=1e-6), (1 - q.sum(-1)).clamp(min=1e-6)
        divergence = (p * (p.clamp(min=1e-9).log() - logs)).sum(-1) + p_rest * (p_rest.log() - q_rest.log())
        shared = torch.minimum(p, q).sum(-1)
        distance = 1 - shared - torch.minimum(p_rest, q_rest)
        alpha = _mean(shared)
        weight = torch.exp(-3 * alpha).detach()
        likeliest = kept_here[scores.detach().argmax(-1)] == own.top_ids[top[learnt]][:, 0].to(device)
        return {
            LOSS: weight * _mean(divergence) + (1 - weight) * _mean(distance),
            ALPHA: alpha.detach(),
            AGREEMENT: _mean(likeliest.float()),
        }

    return losses


def apart(index: Tensor, text_of: Tensor, starts: Tensor) -> tuple[Tensor, Tensor]:
    """The position of every token in its own text, and which tokens each one sees: those before it in the same piece of a text.

    Args:
        index: [rows, tokens] indices into all texts.
        text_of: [all tokens] the text that each belongs to.
        starts: [texts] index of the first token of each text.

    Returns:
        positions [rows, tokens], and a mask [rows, 1, tokens, tokens].
    """
    texts = text_of[index]
    begins = torch.ones_like(index, dtype=torch.bool)
    begins[:, 1:] = (index[:, 1:] != index[:, :-1] + 1) | (texts[:, 1:] != texts[:, :-1])
    pieces = begins.cumsum(1)
    return index - starts[texts], (pieces[:, :, None] == pieces[:, None, :]).tril()[:, None]


def _mean(values: Tensor) -> Tensor:
    """The mean; 0 in a batch without a token that the target wrote."""
    return values.sum() / max(len(values), 1)
