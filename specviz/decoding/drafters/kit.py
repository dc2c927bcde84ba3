"""What a pair provides to the drafters made for it."""

from typing import Protocol

from specviz.decoding.protocols import LanguageModel, LookAhead, TrainedHead


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
