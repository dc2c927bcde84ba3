"""What every kind of head learns from, and what its file gives to the training: a pure function from rows of text to losses."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from specviz.settings import MAX_DRAFT_LENGTH


class BorrowedLayers(Protocol):
    """The target's own parts that a head uses and does not train, as `specviz.models.heads.frozen.Frozen` has them."""

    @property
    def tokens(self) -> Tensor | None:
        """[scores], the ids that the head may write, ascending; None for every id."""
        ...

    def embed(self, ids: Tensor) -> Tensor:
        """[..., width], the embeddings of these ids."""
        ...

    def score(self, states: Tensor) -> Tensor:
        """[..., scores] for states after the final norm: of every id, or of the ids that the head may write."""
        ...


@dataclass(frozen=True, slots=True)
class TargetRows:
    """Rows of text with what the target computed when it read them; nothing in here has a gradient.

    Each row is one text from its beginning, so position t of a row is position t of the text. Padding is at the end of a row.

    Attributes:
        ids: [rows, n] int64, the tokens x_t.
        states: [rows, n, taps, width], the states of x_t that enter the layers of `Spec.taps`.
        final: [rows, n, width], f_t, the state of x_t after the final norm: p_t = softmax(score(f_t)) is the law of x_{t+1}.
        real: [rows, n] bool, false in the padding.
        written: [rows, n] bool, whether the target wrote x_t itself. Only such tokens are labels; false in prompts and padding.
        seed: for random anchors and noise. It differs from batch to batch and is the same when a training is continued.
    """

    ids: Tensor
    states: Tensor
    final: Tensor
    real: Tensor
    written: Tensor
    seed: int

    @property
    def generator(self) -> torch.Generator:
        """A random source on the CPU for this batch alone."""
        return torch.Generator().manual_seed(self.seed)


class Notes(Protocol):
    """What a finished head's drafter should know, measured on text that the training did not see.

    Returns:
        JSON values for `Spec.options`.
    """

    def __call__(
        self, head: nn.Module, unseen: Iterable[TargetRows], borrowed: BorrowedLayers
    ) -> Mapping[str, Any]: ...


class Reads(Protocol):
    """What the head reads instead of the target's last states while it is trained, chosen by a sample of them, [n, width]; when the context
    ends without an error, the head says the same of the states themselves. One that goes on learning says so at the beginning too."""

    def __call__(self, head: nn.Module, states: Tensor, learns_on: bool = False) -> AbstractContextManager[None]: ...


class Losses(Protocol):
    """The losses of one kind of head on a batch.

    Returns:
        name -> mean over the labels, a scalar. Those in `HeadKind.shown` are reported and not minimised; the others are summed as they are. A batch
        without a label gives zeros, with a gradient.
    """

    def __call__(self, head: nn.Module, rows: TargetRows, borrowed: BorrowedLayers) -> Mapping[str, Tensor]: ...


@dataclass(frozen=True, slots=True)
class HeadKind:
    """How heads of one kind are trained. Their networks come from `specviz.models.heads.kinds`.

    Attributes:
        name: as in `Spec.kind` and on the command line.
        losses: see `Losses`.
        taps: number of layers of the target -> the layers whose states the head reads, for `Spec.taps`.
        options: for `Spec.options`.
        longest: options -> how many tokens such a head drafts at most.
        quick: options that replace those with the same name in a quick training.
        notes: see `Notes`; None for nothing.
        reads: see `Reads`; None where states are read as they are.
        shown: names of losses that are reported and not minimised.
        about: what such a head is and what it learned from, for its card.
        matrix_rate, other_rate: peak learning rates, of Muon for matrices and of AdamW for everything else.
    """

    name: str
    losses: Losses
    taps: Callable[[int], tuple[int, ...]]
    longest: Callable[[Mapping[str, Any]], int] = lambda options: MAX_DRAFT_LENGTH
    options: Mapping[str, Any] = field(default_factory=dict)
    quick: Mapping[str, Any] = field(default_factory=dict)
    notes: Notes | None = None
    reads: Reads | None = None
    shown: tuple[str, ...] = ()
    about: str = ""
    matrix_rate: float = 0.02
    other_rate: float = 2e-3


def agreement(position: int) -> str:
    """The name of the share of labels at this position of a draft, from 1, that the head's likeliest token hits."""
    return f"agreement {position}"


def mean(values: Tensor) -> Tensor:
    """The mean of [labels] values; 0 where there is none, with a gradient."""
    return values.sum() / max(values.numel(), 1)


def labels(ids: Tensor, borrowed: BorrowedLayers) -> tuple[Tensor, Tensor]:
    """The columns of `BorrowedLayers.score` that belong to these ids, and which ids have one; where there is none the column is any."""
    tokens = borrowed.tokens
    if tokens is None:
        return ids, torch.ones_like(ids, dtype=torch.bool)
    columns = torch.searchsorted(tokens, ids.contiguous()).clamp(max=len(tokens) - 1)
    return columns, tokens[columns] == ids
