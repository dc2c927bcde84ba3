"""What a pair provides to the drafters made for it."""

from typing import Protocol

from specviz.decoding.protocols import LanguageModel, LookAhead


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
