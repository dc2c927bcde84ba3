"""What a recipe is made of: what is trained, on what, for how long. Its numbers are in recipes.py; nothing here acts."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from specviz.training.plan import Plan

TARGET = "target"
"""The name of the target's folder and of its first sitting."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A Llama-type network. Head size is 64 wherever the width allows it.

    Attributes:
        layers, width, heads, feed_forward: as in a Llama configuration.
        exit_layer: after how many layers the shared head is trained too; None for no early exit.
    """

    layers: int
    width: int
    heads: int
    feed_forward: int
    exit_layer: int | None = None


@dataclass(frozen=True, slots=True)
class TargetStage:
    """One training of the target. Each begins with the weights that the sitting before saved, and with fresh optimisers.

    Attributes:
        name: of its checkpoint and its curve; the first one's is the target's.
        plan: how it goes.
    """

    name: str
    plan: Plan


@dataclass(frozen=True, slots=True)
class DraftRecipe:
    """One draft.

    Attributes:
        shape: of its own; with `pruned` all but the layers must be the target's.
        distilled: it learns from the target's distribution, not from the text alone.
        purpose: what it is for.
        pruned: it begins as the target without some of its layers.
        continued: it begins as an earlier stage left the draft of this name.
    """

    shape: Shape
    distilled: bool
    purpose: str
    pruned: bool = False
    continued: bool = False


@dataclass(frozen=True, slots=True)
class DraftStage:
    """Drafts that learn side by side from the same rows, so that they can be compared."""

    name: str
    plan: Plan
    drafts: Mapping[str, DraftRecipe]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A whole pair, or rather a family: one target and its drafts.

    Attributes:
        name: how the command line calls it.
        seed: of the text, of its order and of the first weights.
        vocabulary: entries of the tokenizer.
        tokenizer_characters: how much text it is learnt from.
        positions: the longest text the networks are declared to read.
        cut: share of the documents that are cut in two before they are tokenized, so that a prompt may end anywhere.
        target: its shape.
        steps: the trainings of the target and of the drafts, in the order in which they are done; a draft follows the target as it stands then.
    """

    name: str
    seed: int
    vocabulary: int
    tokenizer_characters: int
    positions: int
    cut: float
    target: Shape
    steps: tuple[TargetStage | DraftStage, ...]

    @property
    def target_stages(self) -> tuple[TargetStage, ...]:
        """The target's trainings."""
        return tuple(step for step in self.steps if isinstance(step, TargetStage))

    @property
    def draft_stages(self) -> tuple[DraftStage, ...]:
        """The drafts' trainings."""
        return tuple(step for step in self.steps if isinstance(step, DraftStage))

    @property
    def drafts(self) -> dict[str, DraftRecipe]:
        """Folder name -> draft, as the last stage that trains it has it."""
        return {name: draft for stage in self.draft_stages for name, draft in stage.drafts.items()}

    @property
    def kinds(self) -> set[str]:
        """Every class of text that is asked for."""
        return {kind for plan in self.plans.values() for phase in plan.phases for kind in phase.shares}

    @property
    def plans(self) -> dict[str, Plan]:
        """TargetStage or stage -> plan, in that order."""
        return {step.name: step.plan for step in self.steps}

    def fingerprint(self, name: str) -> str:
        """Changes when anything does that the weights of a sitting or stage depend on; what comes later is not among it."""
        steps = self.steps[: list(self.plans).index(name) + 1]
        parts = (self.seed, self.vocabulary, self.tokenizer_characters, self.positions, self.cut, self.target, steps)
        return sha256(repr(parts).encode()).hexdigest()[:16]
