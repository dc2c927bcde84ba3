"""The parts of a pair of which a drafter is made."""

from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.decoding.protocols import LanguageModel, SelfDraftingTarget, TrainedHead


@dataclass(frozen=True, slots=True)
class Parts:
    """The target, and what a drafter's description says that it needs besides.

    Attributes:
        model: the language model that drafts: the pair's draft model, or the target's copy in 8 bits.
        trained_head: of the kind that the description names.
        exit_depth: after how many layers an early exit leaves the target.
        costs: cost ratios for the cost-aware policy; None uses the defaults.
    """

    target: SelfDraftingTarget
    model: LanguageModel | None = None
    trained_head: TrainedHead | None = None
    exit_depth: int = 0
    costs: Costs | None = None

    @property
    def draft(self) -> LanguageModel:
        """`model`, for a drafter that needs one."""
        assert self.model is not None, "the drafter's description names a model"
        return self.model

    @property
    def head(self) -> TrainedHead:
        """`trained_head`, for a drafter that needs one."""
        assert self.trained_head is not None, "the drafter's description names a head"
        return self.trained_head
