"""What the loop asks of a model and of a drafter, wide enough for the whole family of drafters."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from specviz.decoding.sampling import Draws
from specviz.settings import Settings


@dataclass(frozen=True, slots=True)
class Scores:
    """What a model says of m tokens.

    Attributes:
        logits: [m, V], row i scores what follows token i; V counts the tokenizer's real ids.
        hidden: [m, width] the last layer's states for drafters that read them, else None.
    """

    logits: Tensor
    hidden: Tensor | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What a drafter proposes, all of it on the device.

    Attributes:
        tokens: [m] int64, m may be 0.
        parents: index of the token each one follows, -1 for the last committed one; a chain is -1, 0, 1, ... A token comes
            after its parent, and siblings in the order in which they were drawn.
        probabilities: [m, V] the very distribution each token was drawn from (q), as the rule needs it. Of siblings drawn
            without replacement it is q without the elder ones, renormalised; of a token that was taken and not drawn
            it is one-hot.
        logits: [m, V] raw scores behind them for the record, or None for a drafter without a model.
        source: where in prompt and text the first token was copied from, or None for one that was not copied.
    """

    tokens: Tensor
    parents: tuple[int, ...]
    probabilities: Tensor
    logits: Tensor | None = None
    source: int | None = None

    @property
    def is_chain(self) -> bool:
        """Whether each token follows the one before it."""
        return self.parents == tuple(range(-1, len(self.parents) - 1))

    @property
    def depths(self) -> tuple[int, ...]:
        """For each token how many drafted tokens the way to it has, itself included; a chain is 1, 2, 3, ..."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 1)
        return tuple(depths)

    @property
    def parents_after_last(self) -> tuple[int, ...] | None:
        """The parents as the target's pass counts them, which reads the last committed token first; None for a chain."""
        return None if self.is_chain else (-1, *(parent + 1 for parent in self.parents))


@dataclass(frozen=True, slots=True)
class CacheReport:
    """What the last change did to a cache, in tokens: how many it kept, dropped and added."""

    kept: int
    dropped: int
    added: int


class LanguageModel(Protocol):
    """A model that reads tokens and keeps its own cache right.

    Tokens that were read stay pending until `keep` says which of them belong to the text.
    """

    vocabulary: int
    """How many real ids the tokenizer has; every row of logits is this long."""
    context: int
    """The most tokens the model can hold."""
    device: torch.device
    end_ids: frozenset[int]
    """Every id that ends a text."""

    @property
    def length(self) -> int:
        """How many tokens the cache holds, pending ones included."""
        ...

    @property
    def report(self) -> CacheReport:
        """What the last `keep` and the passes since have done."""
        ...

    def begin(self, capacity: int) -> None:
        """Empty the cache and make room for `capacity` tokens."""
        ...

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """Read [m] tokens behind everything held and score what follows each.

        A token sees the text and its own ancestors, and stands one place behind its parent.

        Args:
            tokens: [m] int64 on the device.
            parents: a tree in one pass, as in `Draft.parents` but counted from the first of these tokens; None is a
                chain. -1 is the token that was read last before them, -2 the one before it, and so on through all that
                is pending: the next level of a tree follows any node of the levels before it. The number that comes
                behind all pending ones (-1 where there are none) is the end of the text.
            rows: score only the last `rows` tokens (a prefill needs none of the others).
        """
        ...

    def keep(self, path: Sequence[int]) -> None:
        """Of the pending tokens keep those at these places, in the order in which they were read, drop the rest.

        The path runs from the end of the text along the parents. No copying when it is range(n); a path with gaps is
        moved together.
        """
        ...


Pick = Callable[[Tensor, Tensor | None], tuple[Tensor, Tensor]]
"""From [V] scores and [1] a number in [0, 1), or None, to a token [] and the distribution [V] that it was drawn from."""


@runtime_checkable
class ChainReader(Protocol):
    """A model that may read and draw a whole chain without asking anyone in between."""

    @property
    def drafts_at_once(self) -> bool:
        """Whether it does so now."""
        ...

    def draft(
        self, tokens: Tensor, count: int, pick: Pick, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Read [n] tokens behind everything held and draw `count` more, reading all of those but the last.

        Args:
            pick: draws a token, on the device and without waiting for it.
            kind: another one for every `pick` that does something else.
            numbers: [count] float64, what `pick` is given for each token; None where nothing is left to chance.

        Returns:
            The tokens [count] int64, the distributions they were drawn from and the scores behind them, both [count, V].
        """
        ...


class LookAhead(Protocol):
    """A target whose first layers can guess before all of it reads."""

    vocabulary: int
    device: torch.device

    def look_ahead(self, tokens: Tensor, depth: int, rows: int | None = None) -> Tensor:
        """[rows, V] scores after the first `depth` layers, for [m] tokens behind the text and those looked ahead at before.

        The pass that follows begins with these tokens and does not read them again in those layers.
        """
        ...

    def forget_ahead(self) -> None:
        """Drop what was looked ahead at."""
        ...


class Drafter(Protocol):
    """Anything that can guess what comes next."""

    name: str
    """As the registry has it; a drafter that is not in the registry is shown by it."""

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Get ready for a new text; `prompt` is committed but for its last token, which the first round reads."""
        ...

    def propose(
        self, committed: Sequence[int], hidden: Tensor | None, settings: Settings, draws: Draws, limit: int
    ) -> Draft:
        """Guess at most `limit` tokens after `committed` (prompt and text so far, one or more ids).

        `hidden` is the target's last state of the final committed token that it has read, or None.
        """
        ...


@runtime_checkable
class ReadsWithModel(Protocol):
    """A drafter that reads with a language model: one of its own, or the target itself."""

    @property
    def model(self) -> LanguageModel: ...


@runtime_checkable
class DraftsTokenByToken(ReadsWithModel, Protocol):
    """A drafter that makes one pass for each token, so that a pass can be timed, and its guess after every position asked for."""

    def read(self, tokens: Tensor) -> Tensor:
        """[V] scores of what follows the last of these [m] tokens."""
        ...

    def matches(self, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> tuple[bool, ...]:
        """For every token of `text` (plain decoding after `prompt`), whether it would have been drafted after those before it.

        Uses the model's cache and leaves it empty.

        Raises:
            ValueError: tokens are drawn at random with these settings.
        """
        ...


@runtime_checkable
class UsesLayers(Protocol):
    """A drafter that drafts with some of the target's own layers."""

    @property
    def layers(self) -> tuple[int, ...]:
        """Their indices, from 0."""
        ...
