"""What a pair provides to the drafters made for it."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from specviz.decoding.protocols import LanguageModel, LookAhead


class Borrowed(Protocol):
    """The target's embedding and output layer, as a trained head borrows them."""

    vocabulary: int
    """The number of real ids of the tokenizer."""
    device: torch.device
    dtype: torch.dtype
    """Of the states that the target gives."""
    tokens: Tensor | None
    """[K] the ids that are scored; None for all."""

    def embed(self, ids: Tensor) -> Tensor:
        """[..., width] the embeddings of [...] ids."""
        ...

    def score(self, states: Tensor) -> Tensor:
        """[..., V] logits of [..., width] states after the final normalisation; [..., K] with `tokens`."""
        ...

    def full(self, logits: Tensor) -> Tensor:
        """Logits [..., K] of `tokens` as [..., V], where the other ids have probability 0; unchanged without `tokens`."""
        ...


class HeadSpec(Protocol):
    """What is known of a trained head."""

    @property
    def kind(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]:
        """What its training noted for its network and its drafter, as JSON values from a file: check them before use."""
        ...


class TrainedHead(Protocol):
    """A head that was trained for the target, with what it borrows of it."""

    @property
    def spec(self) -> HeadSpec: ...

    @property
    def taps(self) -> tuple[int, ...]:
        """The layers whose states it reads, see `specviz.decoding.protocols.ShowsStates`."""
        ...

    @property
    def network(self) -> Any:
        """Its own network, of a class that belongs to its kind."""
        ...

    @property
    def frozen(self) -> Borrowed: ...

    @property
    def nbytes(self) -> int:
        """Bytes of its own weights."""
        ...


@runtime_checkable
class DraftsWithHead(Protocol):
    """A drafter that uses a trained head. Before its first run on a pair, the states that the head reads are compared with a plain pass."""

    @property
    def head(self) -> TrainedHead: ...


@runtime_checkable
class GuessesWithHead(DraftsWithHead, Protocol):
    """One whose head makes a pass for each token, or for each block of tokens, so that a pass can be timed."""

    def guess_after(self, cached: int) -> Callable[[], object]:
        """What drafts one more token, or one more block, after an arbitrary text of this many tokens, as often as it is called. The drafter's
        text is lost."""
        ...


class SelfDraftingTarget(LanguageModel, LookAhead, Protocol):
    """A target that can also draft with its first layers."""


class Kit(Protocol):
    """The parts of a pair. The first access to a property may take a while and may use the models' caches."""

    @property
    def target(self) -> SelfDraftingTarget:
        """The model that will judge the drafts."""
        ...

    @property
    def draft(self) -> LanguageModel:
        """The pair's small model.

        Raises:
            PairError: the pair has none.
        """
        ...

    @property
    def exit_depth(self) -> int:
        """After how many layers an early exit leaves the target.

        Raises:
            PairError: the target has too few layers.
        """
        ...

    @property
    def fewer(self) -> LanguageModel:
        """The target without the layers that matter least. They are chosen on first access.

        Raises:
            PairError: the target has too few layers.
        """
        ...

    @property
    def kept_layers(self) -> tuple[int, ...]:
        """The indices of the target's layers that `fewer` still has, from 0. They are chosen on first access."""
        ...

    def head(self, kind: str) -> TrainedHead:
        """The head of this kind that was trained for the target. It is loaded on first access.

        Raises:
            PairError: there is none, or it cannot be used.
        """
        ...
