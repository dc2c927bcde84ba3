"""What is trained, on what, for how long: every number of the recipe, and nothing that acts."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

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
class Phase:
    """A stretch of training on one mixture.

    Attributes:
        name: of the mixture: where two phases of a recipe have the same name, they have the same shares.
        context: tokens a row holds.
        tokens: how many are seen, in all.
        shares: class of text -> share of the characters; they need not sum to one.
        pool: how many are written: of more than are seen, some at random are left out; fewer are seen again. None: as many as are seen.
        by_target: only the beginnings are taken from the mixture, and the target goes on from them.
    """

    name: str
    context: int
    tokens: int
    shares: Mapping[str, float]
    pool: int | None = None
    by_target: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """How one network is trained.

    Attributes:
        phases: one after the other, under one learning rate schedule.
        batch: tokens an optimiser step.
        matrix_rate, other_rate: peak learning rates, of Muon on the hidden matrices and of AdamW on the rest.
        warm_up: tokens over which the rates rise.
        cool_down: share of the steps in which they fall to nothing; in between they stand.
        exit_weight: weight of the early-exit loss beside the main one.
        loop_weight: weight of the loss against loops beside it.
    """

    phases: tuple[Phase, ...]
    batch: int
    matrix_rate: float = 0.02
    other_rate: float = 3e-3
    warm_up: int = 100_000
    cool_down: float = 0.5
    exit_weight: float = 0.0
    loop_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Sitting:
    """One training of the target. Each begins with the weights that the one before saved, and with fresh optimisers.

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
        says: what it is for.
        pruned: it begins as the target without some of its layers.
    """

    shape: Shape
    distilled: bool
    says: str
    pruned: bool = False


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
        sittings: its trainings, one after the other.
        stages: the drafts, after the target, in this order.
    """

    name: str
    seed: int
    vocabulary: int
    tokenizer_characters: int
    positions: int
    cut: float
    target: Shape
    sittings: tuple[Sitting, ...]
    stages: tuple[DraftStage, ...] = ()

    @property
    def drafts(self) -> dict[str, DraftRecipe]:
        """Folder name -> draft, of all stages."""
        return {name: draft for stage in self.stages for name, draft in stage.drafts.items()}

    @property
    def steps(self) -> tuple[Sitting | DraftStage, ...]:
        """The trainings, in the order in which they are done."""
        return (*self.sittings, *self.stages)

    @property
    def plans(self) -> dict[str, Plan]:
        """Sitting or stage -> plan, in that order."""
        return {step.name: step.plan for step in self.steps}

    def fingerprint(self, name: str) -> str:
        """Changes when anything does that the weights of a sitting or stage depend on; what comes later is not among it."""
        steps = self.steps[: list(self.plans).index(name) + 1]
        parts = (self.seed, self.vocabulary, self.tokenizer_characters, self.positions, self.cut, self.target, steps)
        return sha256(repr(parts).encode()).hexdigest()[:16]


BROAD = {
    "picture books": 6,
    "fables": 1,
    "prose": 12,
    "more prose": 4,
    "stories": 20,
    "verse": 5,
    "rhymes": 2.5,
    "letters": 5,
    "e-mails": 5,
    "JSON": 9,
    "code": 7,
    "orders": 3,
    "generated orders": 4,
    "facts": 7,
    "descriptions": 2,
    "counting": 4,
    "lists": 2,
    "sums": 8,
    "word problems": 2,
}
"""Shares of the characters in the first stretch."""

FINE = {
    "picture books": 7,
    "fables": 1.5,
    "prose": 8,
    "stories": 22,
    "verse": 5,
    "rhymes": 2.5,
    "letters": 5,
    "e-mails": 5,
    "JSON": 9,
    "code": 7,
    "orders": 3,
    "generated orders": 4,
    "facts": 8,
    "descriptions": 2,
    "counting": 4,
    "lists": 2,
    "sums": 8,
    "word problems": 1.5,
}
"""Shares while the learning rate falls: less old prose, more of what the pair is for."""

VIVID = {
    "picture books": 8,
    "fables": 1.5,
    "prose": 5,
    "stories": 10,
    "tales": 14,
    "verse": 4,
    "rhymes": 2,
    "letters": 6,
    "e-mails": 6,
    "JSON": 9,
    "code": 7,
    "orders": 3,
    "generated orders": 5,
    "facts": 6,
    "descriptions": 1.5,
    "counting": 4,
    "lists": 1.5,
    "sums": 10,
    "word problems": 1,
    "repeats": 5,
}
"""Shares of the second sitting: many more beginnings of stories, and exercises in saying again what stands above."""

OWN = {
    "picture books": 6,
    "stories": 6,
    "tales": 12,
    "verse": 6,
    "rhymes": 2,
    "letters": 7,
    "e-mails": 7,
    "JSON": 11,
    "code": 10,
    "orders": 2,
    "generated orders": 9,
    "facts": 7,
    "counting": 5,
    "sums": 6,
    "word problems": 2,
    "repeats": 2,
}
"""Shares of the beginnings that the target goes on from, for the drafts to learn from."""

_SMALL_DRAFT = Shape(layers=2, width=192, heads=3, feed_forward=512)
"""Two layers, because copying what stands above takes two (Olsson et al. 2022, section 3)."""

EMBEDDED = Recipe(
    name="embedded",
    seed=20,
    vocabulary=4096,
    tokenizer_characters=12_000_000,
    positions=1024,
    cut=0.35,
    target=Shape(layers=12, width=256, heads=4, feed_forward=704, exit_layer=4),
    sittings=(
        Sitting(
            TARGET,
            Plan(
                phases=(
                    Phase("broad", context=256, tokens=11_000_000, shares=BROAD, pool=17_000_000),
                    Phase("fine", context=512, tokens=5_000_000, shares=FINE, pool=6_000_000),
                ),
                batch=8192,
                warm_up=460_000,
                exit_weight=0.2,
            ),
        ),
        Sitting(
            "target-continued",
            Plan(
                phases=(
                    Phase("vivid", context=256, tokens=11_000_000, shares=VIVID),
                    Phase("long", context=512, tokens=6_000_000, shares=VIVID),
                ),
                batch=4096,
                matrix_rate=0.015,
                other_rate=2e-3,
                warm_up=400_000,
                cool_down=0.6,
                exit_weight=0.2,
            ),
        ),
        Sitting(
            "target-steadied",
            Plan(
                phases=(Phase("vivid", context=256, tokens=1_200_000, shares=VIVID),),
                batch=4096,
                matrix_rate=0.004,
                other_rate=6e-4,
                exit_weight=0.2,
                loop_weight=0.5,
            ),
        ),
    ),
    stages=(
        DraftStage(
            "drafts",
            Plan(
                phases=(
                    Phase("vivid", context=256, tokens=3_600_000, shares=VIVID),
                    Phase("own", context=256, tokens=2_400_000, shares=OWN, pool=1_200_000, by_target=True),
                ),
                batch=4096,
            ),
            {
                "draft": DraftRecipe(_SMALL_DRAFT, distilled=True, says="the default, distilled"),
                "draft-tiny": DraftRecipe(
                    Shape(layers=1, width=64, heads=1, feed_forward=128), distilled=True, says="weak and nearly free"
                ),
            },
        ),
        DraftStage(
            "draft-undistilled",
            Plan(phases=(Phase("vivid", context=256, tokens=6_000_000, shares=VIVID),), batch=4096),
            {"draft-undistilled": DraftRecipe(_SMALL_DRAFT, distilled=False, says="same size, text only")},
        ),
        DraftStage(
            "draft-large",
            Plan(
                phases=(
                    Phase("vivid", context=256, tokens=1_000_000, shares=VIVID),
                    Phase("own", context=256, tokens=500_000, shares=OWN, pool=300_000, by_target=True),
                ),
                batch=4096,
            ),
            {
                "draft-large": DraftRecipe(
                    Shape(layers=6, width=256, heads=4, feed_forward=704),
                    distilled=True,
                    says="strong, but slow itself",
                    pruned=True,
                ),
            },
        ),
    ),
)
"""The pair that comes with the project."""

_SMALL = {"JSON": 1, "sums": 1, "counting": 1, "letters": 1}

_MINIATURE_DRAFT = Shape(layers=1, width=32, heads=1, feed_forward=64)

MINIATURE = Recipe(
    name="miniature",
    seed=1,
    vocabulary=384,
    tokenizer_characters=60_000,
    positions=512,
    cut=0.35,
    target=Shape(layers=3, width=64, heads=1, feed_forward=128, exit_layer=1),
    sittings=(
        Sitting(
            TARGET,
            Plan(
                phases=(Phase("all", context=64, tokens=100_000, shares=_SMALL),),
                batch=2048,
                warm_up=4096,
                exit_weight=0.2,
            ),
        ),
        Sitting(
            "target-continued",
            Plan(
                phases=(Phase("all", context=64, tokens=40_000, shares=_SMALL),),
                batch=2048,
                matrix_rate=0.01,
                warm_up=4096,
                exit_weight=0.2,
                loop_weight=0.5,
            ),
        ),
    ),
    stages=(
        DraftStage(
            "drafts",
            Plan(
                phases=(
                    Phase("all", context=64, tokens=40_000, shares=_SMALL),
                    Phase("own", context=64, tokens=20_000, shares=_SMALL, pool=10_000, by_target=True),
                ),
                batch=2048,
                warm_up=4096,
            ),
            {"draft": DraftRecipe(_MINIATURE_DRAFT, distilled=True, says="distilled")},
        ),
        DraftStage(
            "draft-undistilled",
            Plan(phases=(Phase("all", context=64, tokens=60_000, shares=_SMALL),), batch=2048, warm_up=4096),
            {"draft-undistilled": DraftRecipe(_MINIATURE_DRAFT, distilled=False, says="text only")},
        ),
        DraftStage(
            "draft-large",
            Plan(phases=(Phase("all", context=64, tokens=40_000, shares=_SMALL),), batch=2048, warm_up=4096),
            {
                "draft-large": DraftRecipe(
                    Shape(layers=2, width=64, heads=1, feed_forward=128), distilled=True, says="pruned", pruned=True
                )
            },
        ),
    ),
)
"""The same from end to end in under a minute, for whoever wants to see it work. It needs no corpus folder."""

RECIPES = {recipe.name: recipe for recipe in (EMBEDDED, MINIATURE)}
