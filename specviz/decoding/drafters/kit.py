"""What a pair offers to a drafter that is made for it."""

from typing import Protocol

from specviz.decoding.protocols import LanguageModel, LookAhead


class SelfDraftingTarget(LanguageModel, LookAhead, Protocol):
    """A target that can also draft with its first layers."""


class Kit(Protocol):
    """The parts of a pair. A property may take a while when it is first read, and may use the models' caches."""

    @property
    def target(self) -> SelfDraftingTarget:
        """The model that will judge the drafts."""
        ...

    @property
    def draft(self) -> LanguageModel:
        """The pair's small model."""
        ...

    @property
    def exit_depth(self) -> int:
        """After how many layers the target is left early.

        Raises:
            PairError: it has too few.
        """
        ...

    @property
    def fewer(self) -> LanguageModel:
        """The target without the layers that it can best do without. Chosen when first read.

        Raises:
            PairError: it has too few.
        """
        ...

    @property
    def kept_layers(self) -> tuple[int, ...]:
        """The indices of the target's layers that `fewer` still has, from 0. Chosen when first read."""
        ...
