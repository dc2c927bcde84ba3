"""What block heads learn from: random anchors in text that the target wrote, and after each of them one token for every slot.

A block's anchor is x_a, the last token that the target has not read yet, so the context is f_0 ... f_(a-1) and no more. Slot k, from 0, drafts
x_(a+1+k); its teacher is the target's law of this token after the true tokens before it, which the target gave when it read x_(a+k).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from specviz.models.heads.block import BlockHead
from specviz.settings import MAX_DRAFT_LENGTH
from specviz.training.heads.calibration import Sightings, expected_error, joined, temperatures
from specviz.training.heads.comparison import Laws, compared
from specviz.training.heads.objective import BorrowedLayers, HeadKind, Notes, TargetRows, agreement, labels, mean

LOSS = "block"
"""The loss of the drafted tokens."""
CONFIDENCE = "confidence"
"""The loss of the confidence head."""
ALPHA = "alpha"
"""The mean of sum min(p, q) over all slots, each after the true tokens before it. Shown, not minimised."""

SLOTS = 7
_SPACING = 4
_BLOCK = {
    "slots": SLOTS,
    "layers": 2,
    "causal": False,
    "sample_from_anchor": False,
    "markov_rank": 0,
    "confidence": False,
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the loss of a slot is put together. p is the target's law, q the head's, x the token that was written.

    Attributes:
        cross_entropy: the factor of -log q(x).
        divergence: of KL(p || q), the forward one.
        distance: of the sum of |p - q|, which is 2 - 2 alpha.
        decay: after so many slots a slot counts 1/e as much as the first; None counts all alike.
        spacing: there is one anchor for so many tokens of a row.
    """

    cross_entropy: float = 0.0
    divergence: float = 0.0
    distance: float = 0.0
    decay: float | None = None
    spacing: int = _SPACING

    def __call__(self, head: nn.Module, rows: TargetRows, borrowed: BorrowedLayers) -> Mapping[str, Tensor]:
        """The losses of a batch, see `specviz.training.heads.objective.Losses`."""
        assert isinstance(head, BlockHead), "the kinds below are block heads"
        anchors = random_anchors(rows.written, max(1, rows.ids.shape[1] // self.spacing), rows.generator)
        found = labels_of(rows, anchors, head.options.slots)
        states = head(rows.states, borrowed.embed(rows.ids.gather(1, anchors)), anchors)[found.some]
        column, inside = labels(rows.ids[found.row, found.at], borrowed)
        asked = torch.bincount(found.slot, minlength=head.options.slots)
        found, states, column = found.where(inside), states[inside], column[inside]
        previous = rows.ids[found.row, found.at - 1]
        laws, which = _laws(rows, found, borrowed)
        both = compared(borrowed.score(states), laws, which, column, head.markov(previous, borrowed.tokens))
        loss = torch.zeros_like(both.apart)
        if self.distance:
            loss = loss + self.distance * both.apart
        if self.cross_entropy:
            loss = loss - self.cross_entropy * both.logs
        if self.divergence:
            loss = loss + self.divergence * both.divergence
        weight = torch.ones_like(loss) if self.decay is None else torch.exp(-found.slot / self.decay)
        alpha = (1 - both.apart / 2).detach()
        losses = {LOSS: _weighted(loss, weight), ALPHA: mean(alpha)}
        odds = head.confidence(states, previous)
        if odds is not None:
            missed = functional.binary_cross_entropy_with_logits(odds.float(), alpha.clamp(0.0, 1.0), reduction="none")
            losses[CONFIDENCE] = _weighted(missed, weight)
        hits = torch.bincount(found.slot[both.hits], minlength=len(asked))
        shares = hits / asked.clamp(min=1)
        return losses | {agreement(slot + 1): share for slot, share in enumerate(shares)}


@torch.no_grad()
def calibration(head: nn.Module, unseen: Iterable[TargetRows], borrowed: BorrowedLayers) -> Mapping[str, Any]:
    """Temperatures for the confidence of every slot, fitted on every second text, and the calibration errors on the others, before and after.

    "sampled" is at temperature 1, where a slot is accepted with probability alpha; "greedy" is at temperature 0, where it is accepted if
    both laws have the same likeliest token, seen where the text so far is the target's own greedy choice.
    """
    assert isinstance(head, BlockHead), "the kinds below are block heads"
    found: dict[str, list[Sightings]] = {"greedy": [], "sampled": []}
    learnt: list[Tensor] = []
    texts = 0
    for rows in unseen:
        anchors = random_anchors(rows.written, max(1, rows.ids.shape[1] // _SPACING), rows.generator)
        slots = labels_of(rows, anchors, head.options.slots)
        states = head(rows.states, borrowed.embed(rows.ids.gather(1, anchors)), anchors)[slots.some]
        previous = rows.ids[slots.row, slots.at - 1]
        odds = head.confidence(states, previous)
        if odds is None or not len(odds):
            continue
        laws, which = _laws(rows, slots, borrowed)
        likeliest = laws.best[which]
        both = compared(borrowed.score(states), laws, which, likeliest, head.markov(previous, borrowed.tokens))
        columns, inside = labels(rows.ids[slots.row, slots.at], borrowed)
        own = slots.spread(inside & (columns == likeliest))
        greedy = slots.some & torch.cat([torch.ones_like(own[..., :1]), own[..., :-1]], -1).cumprod(-1).bool()
        for name, accepted, judged in (
            ("greedy", both.hits.float(), greedy),
            ("sampled", 1 - both.apart / 2, slots.some),
        ):
            survived = slots.spread(accepted).cumprod(-1)
            seen = (each.flatten(0, 1).cpu() for each in (slots.spread(odds.float()), survived, judged))
            found[name].append(Sightings(*seen))
        number = texts + torch.arange(len(anchors))
        learnt.append((number % 2 == 0).repeat_interleave(anchors.shape[1]))
        texts += len(anchors)
    if not learnt:
        return {}
    fitting = torch.cat(learnt)
    held = ~fitting if texts > 1 else fitting
    result: dict[str, Any] = {"error": {}}
    for name, parts in found.items():
        every = joined(parts)
        result[name] = temperatures(every.only(fitting))
        errors = (expected_error(every.only(held), scale) for scale in ([1.0] * len(result[name]), result[name]))
        result["error"][name] = [round(error, 4) for error in errors]
    return {"calibration": result}


@dataclass(frozen=True, slots=True)
class Labels:
    """The slots that have a label, out of all slots of all blocks.

    Attributes:
        some: [rows, blocks, slots] bool, which ones.
        row, at: [labels] where the label is in the text.
        slot: [labels] the index of its slot.
    """

    some: Tensor
    row: Tensor
    at: Tensor
    slot: Tensor

    def spread(self, values: Tensor) -> Tensor:
        """[labels] values as [rows, blocks, slots], with zeros where there is no label."""
        return values.new_zeros(self.some.shape).masked_scatter_(self.some, values)

    def where(self, kept: Tensor) -> "Labels":
        """Of the [labels] those that are kept."""
        return replace(self, row=self.row[kept], at=self.at[kept], slot=self.slot[kept])


def random_anchors(written: Tensor, most: int, generator: torch.Generator) -> Tensor:
    """[rows, blocks] for each row the positions of at most `most` different tokens after which the target wrote one.

    A row with fewer has other positions too, whose blocks have no labels.

    Args:
        written: [rows, n], see `TargetRows`.
    """
    usable = written[:, 1:]
    uniform = torch.rand(usable.shape, generator=generator).to(written.device)
    return (uniform + usable).topk(min(most, usable.shape[1]), dim=1).indices


def labels_of(rows: TargetRows, anchors: Tensor, slots: int) -> Labels:
    """The labels of the blocks with these anchors. A block's labels end before the first token that the target did not write."""
    at = anchors.unsqueeze(-1) + 1 + torch.arange(slots, device=anchors.device)
    inside = at < rows.ids.shape[1]
    at = at.clamp(max=rows.ids.shape[1] - 1)
    row = torch.arange(len(anchors), device=anchors.device).view(-1, 1, 1).expand_as(at)
    some = (inside & rows.written[row, at]).long().cumprod(dim=-1).bool()
    slot = torch.arange(slots, device=anchors.device).expand_as(at)
    return Labels(some, row[some], at[some], slot[some])


def _laws(rows: TargetRows, found: Labels, borrowed: BorrowedLayers) -> tuple[Laws, Tensor]:
    """The target's laws over the ids that the head may write, and [labels] which of them is each label's. Blocks overlap, so each law is computed
    once."""
    flat, which = torch.unique(found.row * rows.ids.shape[1] + found.at - 1, return_inverse=True)
    with torch.no_grad():
        return Laws.of(borrowed.score(rows.final.flatten(0, 1)[flat])), which


def _weighted(values: Tensor, weight: Tensor) -> Tensor:
    """The weighted mean; 0 of nothing, with a gradient."""
    return (values * weight).sum() / weight.sum().clamp_min(torch.finfo(weight.dtype).tiny)


def layers_read(depth: int) -> tuple[int, ...]:
    """An early, a middle and a late layer of the target."""
    return tuple(sorted({min(2, depth), depth // 2, max(1, depth - 3)}))


_QUICK = {"layers": 1}


def _kind(name: str, losses: Recipe, about: str, notes: Notes | None = None, **options: Any) -> HeadKind:
    return HeadKind(
        name=name,
        losses=losses,
        taps=layers_read,
        longest=lambda options: int(options["slots"]),
        options={**_BLOCK, **options},
        quick=_QUICK,
        shown=(ALPHA, *(agreement(slot + 1) for slot in range(MAX_DRAFT_LENGTH))),
        about=about,
        notes=notes,
    )


_ABOUT = (
    "A small network fills a block of slots in one pass. All of its layers read what the target computed for the text so far, at three of the "
    "target's layers, and the block itself: the last token of the text and a mask for every further slot. "
)

KINDS = {
    kind.name: kind
    for kind in (
        _kind(
            "dflash",
            Recipe(cross_entropy=1.0, decay=4.0),
            f"{_ABOUT}All slots of a block see each other (DFlash, Chen et al., arXiv 2602.06036). It learned the cross-entropy with the tokens that "
            "the target wrote after random anchors; after four slots a token counts 1/e as much.",
        ),
        _kind(
            "jetspec",
            Recipe(divergence=1.0),
            f"{_ABOUT}A slot sees only the slots before it (JetSpec, arXiv 2606.18394). It learned KL(p || q) towards the target's own probabilities "
            "after random anchors, the same for every slot.",
            causal=True,
        ),
        _kind(
            "dspark",
            Recipe(cross_entropy=0.1, distance=0.9, decay=4.0),
            f"{_ABOUT}The last token's own row drafts too, a bias of rank 64 from the token before each slot corrects it, and a further output "
            "estimates whether a slot will be accepted (DSpark, in DeepSpec). It learned the distance between the two distributions with a little "
            "cross-entropy, and the probability of acceptance; after four slots a token counts 1/e as much.",
            notes=calibration,
            sample_from_anchor=True,
            markov_rank=64,
            confidence=True,
        ),
    )
}
