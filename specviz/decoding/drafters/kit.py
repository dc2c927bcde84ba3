"""What a pair provides to the drafters made for it."""

from collections.abc import Sequence
from typing import Protocol

from specviz.decoding.protocols import LanguageModel, LookAhead


class SelfDraftingTarget(LanguageModel, LookAhead, Protocol):
    """A target that can also draft with its first layers."""


class OtherTokenizer(Protocol):
    """Between the target's token ids and those of a draft model with another tokenizer."""

    def to_draft(self, ids: Sequence[int]) -> list[int]:
        """A text of the target's in the draft model's ids."""
        ...

    def to_target(self, ids: Sequence[int], after: Sequence[int]) -> list[int]:
        """In the target's ids, what the draft model wrote after this text of the target's."""
        ...


class Other(Protocol):
    """A draft model of another tokenizer."""

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
        """The pair's draft model of another tokenizer.

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
