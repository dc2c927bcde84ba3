"""Rows of the target's own text, and the loss of a draft towards what the target would have written."""

from collections.abc import Mapping
from random import Random

import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.training.batches import packed
from specviz.training.drafts.store import OwnText
from specviz.training.llama import hidden
from specviz.training.objectives import Objective

AGREEMENT = "agreement"
"""Share of positions at which the draft's likeliest token is the target's. Shown, not minimised."""

ALPHA = "alpha"
"""The mean of sum min(p, q) over positions, at temperature 1: the acceptance rate at the beginning of a draft. Shown, not minimised."""


def rows(own: OwnText, context: int, seed: str) -> Tensor:
    """Pack the texts into rows of indices into `own.ids`: int32 [rows, context + 1], in random order."""
    ends = [*own.starts.tolist()[1:], len(own.ids)]
    documents = [list(range(start, end)) for start, end in zip(own.starts.tolist(), ends, strict=True)]
    random = Random(seed)  # noqa: S311  # text, not secrets
    random.shuffle(documents)
    filled = list(packed(documents, context + 1))
    random.shuffle(filled)
    return torch.tensor(filled, dtype=torch.int32)


def kept_ids(own: OwnText, most: int | None) -> tuple[Tensor, float]:
    """The ids that the target writes most, ascending, and the share of what it wrote that they cover: a cap on the acceptance rate.

    Args:
        most: how many ids; None keeps every id that the target wrote.
    """
    counts = torch.bincount(own.ids[own.top >= 0].long())
    order = counts.argsort(descending=True, stable=True)
    order = order[counts[order] > 0][:most]
    return order.sort().values, float(counts[order].sum() / counts.sum())


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
    text_of = torch.bucketize(torch.arange(len(own.ids)), own.starts, right=True)

    def losses(batch: Tensor) -> Mapping[str, Tensor]:
        index, following = batch[:, :-1].cpu(), batch[:, 1:].cpu()
        texts = text_of[index]
        offsets = index - own.starts[texts - 1]
        visible = (texts[:, :, None] == texts[:, None, :]).tril()[:, None].to(device)
        states = hidden(model, own.ids[index].long().to(device), positions=offsets.to(device), mask=visible)[0]
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
        weight = torch.exp(-3 * shared.mean()).detach()
        likeliest = kept_here[scores.detach().argmax(-1)] == own.top_ids[top[learnt]][:, 0].to(device)
        return {
            "distillation": weight * divergence.mean() + (1 - weight) * distance.mean(),
            ALPHA: shared.mean().detach(),
            AGREEMENT: likeliest.float().mean(),
        }

    return losses
