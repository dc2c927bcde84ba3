"""What a pair provides to the drafters made for it."""

from collections.abc import Callable, Mapping, Sequence
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


class OtherTokenizer(Protocol):
    """Between the target's token ids and those of a draft model with another tokenizer."""

    def to_draft(self, ids: Sequence[int]) -> list[int]:
        """A text of the target's in the draft model's ids."""
        ...

    def pieces(self, index: int) -> tuple[int, ...]:
        """One id of the target's in the draft model's ids: the shared one, or several that have its bytes together."""
        ...

    def spelled(self, ids: Sequence[int]) -> tuple[bytes, ...]:
        """The bytes of each of the draft model's ids; none for a special token."""
        ...

    def to_target(self, ids: Sequence[int], after: Sequence[int]) -> list[int]:
        """In the target's ids, what the draft model wrote after this text of the target's."""
        ...


class Other(Protocol):
    """A draft model that may have another tokenizer than the target."""

    @property
    def own(self) -> LanguageModel:
        """The model over its own ids."""
        ...

    @property
    def model(self) -> LanguageModel:
        """The same model over the target's ids, which scores those that both tokenizers have."""
        ...

    @property
    def translation(self) -> OtherTokenizer: ...


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
    def other(self) -> Other:
        """The pair's draft model with a translation between its tokenizer and the target's, whether they differ or not.

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

    @property
    def quantized(self) -> LanguageModel:
        """The target with its weights in 8 bits. The copy is made on first access.

        Raises:
            PairError: the package that does it is not installed, or cannot quantise this model.
        """
        ...

    def head(self, kind: str) -> TrainedHead:
        """The head of this kind that was trained for the target. It is loaded on first access.

        Raises:
            PairError: there is none, or it cannot be used.
        """
        ...
