"""What a recipe consists of: which networks are trained, on which text, for how long. The numbers are in recipes.py."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from specviz.training import plan

TARGET = "target"
"""The name of the target's folder and of its first training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase(plan.Phase):
    """A part of a training, on one mixture of text.

    Attributes:
        name: of the mixture: two phases of a recipe with the same name have the same shares.
        context: tokens in a row.
        tokens: how many are read in all.
        shares: class of text -> share of the characters; the shares need not sum to one.
        pool: how many tokens of rows are prepared: if more than are read, some rows are left out; if fewer, rows are read again. None: as many as are
            read.
        by_target: only the beginnings of documents come from the mixture, and the target continues them.
        as_text: classes of text of which complete documents are used even then.
    """

    name: str
    tokens: int
    shares: Mapping[str, float]
    pool: int | None = None
    by_target: bool = False
    as_text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan(plan.TrainingPlan):
    """How networks are trained; `exit_weight` is the weight of the early-exit loss, where the main loss has weight 1."""

    phases: tuple[Phase, ...]
    exit_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A Llama-type network. Head size is 64 wherever the width allows it.

    Attributes:
        layers, width, heads, feed_forward: as in a Llama configuration.
        exit_layer: number of layers after which the shared head is also trained, for an early exit; None for none.
    """

    layers: int
    width: int
    heads: int
    feed_forward: int
    exit_layer: int | None = None


@dataclass(frozen=True, slots=True)
class TargetStage:
    """One training of the target. A later one starts from the weights that the earlier one saved, with new optimisers.

    Attributes:
        name: of its checkpoint and its curve; the first one has the target's name.
        plan: text, length and learning rates.
    """

    name: str
    plan: TrainingPlan


@dataclass(frozen=True, slots=True)
class DraftRecipe:
    """One draft.

    Attributes:
        shape: of the draft; a pruned draft differs from the target only in the number of layers.
        distilled: whether it learns from the target's distribution, not from the text alone.
        purpose: what the draft is for, in a few words for the card.
        pruned: whether it starts as the target without some of its layers.
        continued: whether it starts from the weights of the draft of this name in an earlier stage.
    """

    shape: Shape
    distilled: bool
    purpose: str
    pruned: bool = False
    continued: bool = False


@dataclass(frozen=True, slots=True)
class DraftStage:
    """Drafts that are trained together on the same rows, so that they can be compared."""

    name: str
    plan: TrainingPlan
    drafts: Mapping[str, DraftRecipe]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides a pair: one target and its drafts.

    Attributes:
        name: on the command line.
        seed: for the text, its order and the initial weights.
        vocabulary: number of entries of the tokenizer.
        tokenizer_characters: how much text the tokenizer is learnt from.
        positions: the longest text that the networks are declared to read, in tokens.
        cut: share of the documents that are cut in two before they are tokenized, so that a prompt may end anywhere.
        target: shape of the target.
        steps: the trainings of target and drafts, in their order; a draft learns from the target as it is at that time.
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
        """Folder name -> draft, as in the last stage that trains it."""
        return {name: draft for stage in self.draft_stages for name, draft in stage.drafts.items()}

    @property
    def kinds(self) -> set[str]:
        """Every class of text that the recipe needs."""
        return {kind for plan in self.plans.values() for phase in plan.phases for kind in phase.shares}

    @property
    def plans(self) -> dict[str, TrainingPlan]:
        """Name of a training -> its plan, in their order."""
        return {step.name: step.plan for step in self.steps}

    def fingerprint(self, name: str) -> str:
        """A hash of everything that the weights after this training depend on; later trainings do not count."""
        steps = self.steps[: list(self.plans).index(name) + 1]
        parts = (self.seed, self.vocabulary, self.tokenizer_characters, self.positions, self.cut, self.target, steps)
        return sha256(repr(parts).encode()).hexdigest()[:16]
