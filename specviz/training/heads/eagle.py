"""How EAGLE heads learn, and MTP with them: EAGLE-3 and MTP by a training-time test, in which they read their own guesses as they will when they
draft; EAGLE-1 to hit the target's next state.

Everything is counted by the position t of a pair (f_t, x_{t+1}). The head's answer to it is a guess for t + 1: its scores are for x_{t+2} and are
compared with p_{t+1}, what the target computed after reading x_{t+1}. So tokens, laws and the mask of labels all move left, each by its own
number of positions, and what moves in from the right is no label.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from specviz.models.heads.eagle import EagleHead
from specviz.models.heads.rotation import Rotation
from specviz.settings import MAX_DRAFT_LENGTH
from specviz.training.heads.comparison import Comparison, Laws, compared
from specviz.training.heads.objective import BorrowedLayers, HeadKind, TargetRows, agreement, labels, mean

DRAFTING = "drafting"
STATES = "states"
"""EAGLE-1's distance between guessed and true states."""
SCORES = "scores"
"""EAGLE-1's cross-entropy of the guesses' scores."""

_STEPS = 4
_MTP_STEPS = 3
_DECAY = 0.8
"""The weight of each further guess, as in EAGLE-3."""
_SCORES_WEIGHT = 0.1
_NOISE = 0.2 * 512
"""EAGLE-1 adds uniform noise to the states, of this width divided by the length of the row."""


def alpha(step: int) -> str:
    """The name of the mean of sum min(p, q) at this position of a draft, from 1: its acceptance rate at temperature 1."""
    return f"alpha {step}"


def eagle3_losses(head: nn.Module, rows: TargetRows, borrowed: BorrowedLayers) -> Mapping[str, Tensor]:
    """The training-time test of EAGLE-3 (arXiv 2503.01840, section 3): `head.steps` guesses after every pair, weighted by powers of 0.8.

    A step reads the text's tokens and the step's before own guesses instead of the states. The guess at t + k attends to the true pairs up
    to t and to its own guesses in between, as a draft that begins after t does.
    """
    assert isinstance(head, EagleHead)
    laws = _laws(rows, borrowed)
    found: dict[str, Tensor] = {}
    total = rows.final.new_zeros(())
    for step, guesses in enumerate(_guesses(head, rows, borrowed, head.entering(rows.states))):
        here = laws.at(step)
        loss, shared, hits = _mixture(laws.compared(here, borrowed.score(head.ready(guesses[here.where]))))
        total = total + _DECAY**step * loss
        found |= {alpha(step + 1): shared.detach(), agreement(step + 1): hits}
    return {DRAFTING: total, **found}


def eagle1_losses(head: nn.Module, rows: TargetRows, borrowed: BorrowedLayers) -> Mapping[str, Tensor]:
    """EAGLE-1's (arXiv 2401.15077, section 3.2): the smooth L1 distance between guessed and true next states, and a tenth of the
    cross-entropy between the scores of the two. One guess after every pair, from true states with a little noise.

    Without gradients, when it is measured, there is no noise, and further guesses are made from its own, as it will when it drafts."""
    assert isinstance(head, EagleHead)
    features = head.entering(rows.states)
    learns = torch.is_grad_enabled()
    if learns:
        noise = torch.rand(features.shape, generator=rows.generator).to(features) - 0.5
        features = features + noise * _NOISE / rows.ids.shape[1]
    steps = _guesses(head, rows, borrowed, features, 1 if learns else _STEPS)
    laws = _laws(rows, borrowed)
    here = laws.at(0)
    chosen = steps[0][here.where]
    distance = functional.smooth_l1_loss(chosen, _ahead(rows.final, 1)[here.where].to(chosen), reduction="none")
    both = laws.compared(here, borrowed.score(head.ready(chosen)))
    entropy = both.divergence - laws.laws.negative_entropy[here.which]
    found = {STATES: mean(distance.mean(-1)), SCORES: _SCORES_WEIGHT * mean(entropy)}
    for step, guesses in enumerate(steps):
        if step:
            here = laws.at(step)
            both = laws.compared(here, borrowed.score(head.ready(guesses[here.where])))
        _, shared, hits = _mixture(both)
        found |= {alpha(step + 1): shared.detach(), agreement(step + 1): hits}
    return found


def taps_of_eagle3(depth: int) -> tuple[int, ...]:
    """Three layers of a target with `depth` layers: early, in the middle and late; fewer where these are not different."""
    if depth >= 7:
        return 2, depth // 2, depth - 3
    return tuple(sorted({max(1, depth // 3), max(1, 2 * depth // 3), depth}))


KINDS = {
    "eagle3": HeadKind(
        name="eagle3",
        losses=eagle3_losses,
        taps=taps_of_eagle3,
        options={"steps": _STEPS},
        shown=tuple(name(step + 1) for step in range(MAX_DRAFT_LENGTH) for name in (alpha, agreement)),
        about=(
            "One decoder layer reads the target's states at several layers, joined into one, with the token that came next, and guesses on from "
            "its own guesses (EAGLE-3, Li et al., arXiv 2503.01840). It learned in the same way as it drafts: for each further guess it read its own "
            "guesses instead of states. The loss is a mixture of KL divergence and total variation distance to the target's distribution; each "
            "further guess counts 0.8 of the one before it."
        ),
    ),
    "eagle1": HeadKind(
        name="eagle1",
        losses=eagle1_losses,
        taps=lambda depth: (depth,),
        shown=tuple(name(step + 1) for step in range(_STEPS) for name in (alpha, agreement)),
        about=(
            "One decoder layer reads the target's last state with the token that came next and guesses the next state (EAGLE, Li et al., arXiv "
            "2401.15077). It learned to guess one state from true ones: the smooth L1 distance to the true state, and a tenth of the "
            "cross-entropy between the scores of the two."
        ),
    ),
    "mtp": HeadKind(
        name="mtp",
        losses=eagle3_losses,
        taps=lambda depth: (depth,),
        options={"steps": _MTP_STEPS, "normed": False},
        shown=tuple(name(step + 1) for step in range(MAX_DRAFT_LENGTH) for name in (alpha, agreement)),
        about=(
            "A layer of multi-token prediction (DeepSeek-V3, arXiv 2412.19437, section 2.2): the target's last state and the embedding of the token "
            "after it, each normalised, are joined by one matrix and go through one decoder layer. The paper trains it with the model, on the text's "
            "tokens; here the target is frozen, and the loss is a mixture of KL divergence and total variation distance to its distribution. For each "
            "further guess it read its own state; such a guess counts 0.8 of the one before it."
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class _Labels:
    """The labels of one step.

    Attributes:
        where: [rows, n] bool, the pairs that have one.
        which: [labels] the indices of their laws.
    """

    where: Tensor
    which: Tensor


@dataclass(frozen=True, slots=True)
class _Laws:
    """What the target would write after every token, computed once for all steps.

    Attributes:
        label: [rows, n] bool, whether p_t is a label: the target wrote x_{t+1}, and the head can write it. Where the head can write only some ids, p is
            the target's law among these, and leaving out what was written outside weighs every position by what p has inside.
        laws: p at these positions.
        index: [rows, n] where in `laws` each of them is.
    """

    label: Tensor
    laws: Laws
    index: Tensor

    def at(self, step: int) -> _Labels:
        """The labels of the guess for t + 1 + step: p there."""
        where = _ahead(self.label, step + 1)
        return _Labels(where, _ahead(self.index, step + 1)[where])

    def compared(self, there: _Labels, scores: Tensor) -> Comparison:
        """The head's scores [labels, scores] of these labels beside p; `logs` are of the token that is likeliest by p."""
        return compared(scores, self.laws, there.which, self.laws.best[there.which])


def _laws(rows: TargetRows, borrowed: BorrowedLayers) -> _Laws:
    label = _ahead(rows.written & rows.real & labels(rows.ids, borrowed)[1], 1)
    with torch.no_grad():
        laws = Laws.of(borrowed.score(rows.final[label]))
    return _Laws(label, laws, (label.flatten().cumsum(0) - 1).view_as(label))


def _guesses(
    head: EagleHead, rows: TargetRows, borrowed: BorrowedLayers, features: Tensor, steps: int | None = None
) -> "list[Tensor]":
    """For every step the guesses [rows, n, width] after every pair: the first from these features, the others from the step before."""
    embedded, count = borrowed.embed(rows.ids), steps or head.steps
    attention = _StepAttention(head.rotation(rows.ids.shape[1] + count))
    found: list[Tensor] = []
    for step in range(count):
        features = head(_ahead(embedded, step + 1), features, attention.attend)
        found.append(features)
    return found


class _StepAttention:
    """The attention of the training-time test: a pair at t sees the true pairs up to t, and in step k its own guesses of steps 1 to k."""

    def __init__(self, rotate: Rotation) -> None:
        self._rotate = rotate
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """The next step's queries, keys and values [rows, n, heads, head width]; step k of pair t is at position t + k."""
        count, step = q.shape[1], len(self._keys)
        at = slice(step, step + count)
        q = self._rotate(q, at)
        self._keys.append(self._rotate(k, at))
        self._values.append(v)
        if step == 0:
            queries, keys, values = (part.transpose(1, 2) for part in (q, self._keys[0], v))
            return functional.scaled_dot_product_attention(queries, keys, values, is_causal=True).transpose(1, 2)
        future = torch.ones(count, count, dtype=torch.bool, device=q.device).triu(1)
        far = torch.einsum("rihd,rjhd->rhij", q, self._keys[0]).masked_fill(future, -torch.inf)
        near = torch.stack([(q * keys).sum(-1).transpose(1, 2) for keys in self._keys[1:]], dim=-1)
        weights = (torch.cat([far, near], dim=-1) * q.shape[-1] ** -0.5).softmax(-1)
        read = torch.einsum("rhij,rjhd->rihd", weights[..., :count], self._values[0])
        for index, values in enumerate(self._values[1:]):
            read = read + weights[..., count + index].transpose(1, 2).unsqueeze(-1) * values
        return read


def _mixture(both: Comparison) -> tuple[Tensor, Tensor, Tensor]:
    """The loss, alpha and agreement.

    w KL(p || q) + (1 - w) TV(p, q), w = exp(-3 alpha): KL teaches from the beginning; the total variation distance is 1 - alpha itself.
    """
    overlap = 1 - both.apart / 2
    shared, weight = mean(overlap), torch.exp(-3 * mean(overlap)).detach()
    return weight * mean(both.divergence) + (1 - weight) * mean(1 - overlap), shared, mean(both.hits.float())


def _ahead(values: Tensor, by: int) -> Tensor:
    """[rows, n, ...] moved left, so that position t has what was at t + `by`; zeros, which are no labels, at the end."""
    moved = torch.zeros_like(values)
    moved[:, : max(0, values.shape[1] - by)] = values[:, by:]
    return moved
