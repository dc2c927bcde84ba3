"""What a pair provides to the drafters made for it."""

from collections.abc import Sequence
from typing import Protocol

from specviz.decoding.protocols import LanguageModel, LookAhead, TrainedHead


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
