"""Medusa: every head guesses one token further ahead from the target's last state (Cai et al., arXiv 2401.10774, with the target frozen)."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  # the customary name
from torch import Tensor, nn

from specviz.models.heads.medusa import AHEAD, MedusaHead
from specviz.settings import MAX_DRAFT_LENGTH
from specviz.training.heads.comparison import Laws, compared
from specviz.training.heads.objective import BorrowedLayers, HeadKind, TargetRows, agreement, labels, mean

HEADS = 4
RANKS = 8
"""For so many of a head's likeliest tokens it is measured how often they are right."""
LOSS, DIVERGENCE = "cross-entropy", "divergence"
_FALL = 0.8
"""Each head counts so much of the one before it, as in the paper's own recipe."""


def losses(head: nn.Module, rows: TargetRows, borrowed: BorrowedLayers) -> Mapping[str, Tensor]:
    """Cross-entropy with the token that the target wrote, or the KL divergence to the law that it was drawn from (`MedusaHead.soft`).

    Head i (from 0) reads f_t and guesses x_{t+AHEAD+i}: x_{t+1} is the target's own token, which is known when the head drafts. The law of
    x_{t+AHEAD+i} is p_{t+AHEAD+i-1}, after the true tokens before it: on average over these it is what the head should say, as the written
    token is, with less randomness in it.
    """
    assert isinstance(head, MedusaHead), "the network of this kind"
    ahead = head.moved(rows.final)
    total = rows.final.new_zeros(()) + 0 * sum(weight.sum() for weight in head.parameters())
    columns, inside = labels(rows.ids, borrowed)
    laws, index = _laws(rows, inside, borrowed) if head.soft else (None, columns)
    shown: dict[str, Tensor] = {}
    for i in range(ahead.shape[-2]):
        there = rows.written[:, AHEAD + i :]
        counts, column = inside[:, AHEAD + i :][there], columns[:, AHEAD + i :][there]
        scores = borrowed.score(ahead[:, : there.shape[1], i][there])
        if laws is None:
            scores = scores.float()
            missed = F.cross_entropy(scores[counts], column[counts], reduction="none")
            hits = scores.detach().argmax(-1) == column
        else:
            which = index[:, AHEAD + i - 1 : -1][there][counts]
            both = compared(scores[counts], laws, which, column[counts])
            missed, hits = both.divergence, torch.zeros_like(counts).masked_scatter(counts, both.hits)
        total = total + _FALL**i * mean(missed)
        shown[agreement(i + 1)] = mean((counts & hits).float())
    return {DIVERGENCE if head.soft else LOSS: total, **shown}


def _laws(rows: TargetRows, inside: Tensor, borrowed: BorrowedLayers) -> tuple[Laws, Tensor]:
    """The laws of all written tokens that the head may write, and [rows, n] where among them p_t is, the law of x_{t+1}."""
    label = torch.zeros_like(rows.written)
    label[:, :-1] = (rows.written & inside)[:, 1:]
    with torch.no_grad():
        laws = Laws.of(borrowed.score(rows.final[label]))
    return laws, (label.flatten().cumsum(0) - 1).view_as(label)


@contextmanager
def standardised(head: nn.Module, states: Tensor, learns_on: bool = False) -> Iterator[None]:
    """Within it the blocks read states with mean 0 and spread 1 in every feature; afterwards the blocks do so by themselves, since that
    change is linear and goes into their weights.

    A target's states can have a large mean and a few features that are far larger than the others: then a step of the training moves all
    hidden units the same way, and the head learns next to nothing.

    Args:
        states: [n, width] a sample of the target's last states.
        learns_on: whether the blocks have learned to read states as they are: then they keep what they know.
    """
    assert isinstance(head, MedusaHead), "the network of this kind"
    middle, spread = states.mean(0), states.std(0).clamp(min=1e-6)
    if learns_on:
        with torch.no_grad():
            head.blocks.bias.add_(head.blocks.weight @ middle)
            head.blocks.weight.mul_(spread)
    handle = head.blocks.register_forward_pre_hook(lambda _, given: ((given[0] - middle) / spread,))
    try:
        yield
    finally:
        handle.remove()
    with torch.no_grad():
        head.blocks.weight.div_(spread)
        head.blocks.bias.sub_(head.blocks.weight @ middle)


@torch.no_grad()
def accuracies(head: nn.Module, unseen: Iterable[TargetRows], borrowed: BorrowedLayers) -> Mapping[str, Any]:
    """For every head the shares of labels that its likeliest, second likeliest, ... token is: they give the tree of candidates its shape."""
    assert isinstance(head, MedusaHead), "the network of this kind"
    hits = torch.zeros(head.count, RANKS)
    asked = torch.zeros(head.count, 1)
    for rows in unseen:
        ahead = head.moved(rows.final)
        for i in range(head.count):
            there = rows.written[:, AHEAD + i :]
            columns, inside = labels(rows.ids[:, AHEAD + i :][there], borrowed)
            scores = borrowed.score(ahead[:, : there.shape[1], i][there])
            top = scores.topk(min(RANKS, scores.shape[-1])).indices
            hits[i, : top.shape[1]] += ((top == columns[:, None]) & inside[:, None]).float().sum(0).cpu()
            asked[i] += len(columns)
    return {"accuracies": [[round(share, 4) for share in row] for row in (hits / asked.clamp(min=1)).tolist()]}


KINDS = {
    "medusa": HeadKind(
        name="medusa",
        losses=losses,
        taps=lambda depth: (depth,),
        longest=lambda options: int(options["heads"]),
        options={"heads": HEADS, "soft": False},
        about=(
            "Several small residual blocks on the target's last state, each before the target's own output layer, guess the tokens after its "
            "next one, all at once and none from the other's guess (Cai et al., arXiv 2401.10774). Each learned the cross-entropy with the token "
            "that the target wrote there, or, with the option soft, the KL divergence to the distribution that this token was drawn from; a block "
            "counts 0.8 of the one before it."
        ),
        notes=accuracies,
        reads=standardised,
        matrix_rate=0.1,  # the heads begin with the next token and have far to go; 0.03 had a higher loss after 140,000 tokens
        other_rate=1e-2,
        shown=tuple(agreement(i + 1) for i in range(MAX_DRAFT_LENGTH)),
    )
}
