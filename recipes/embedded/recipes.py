"""All numbers of the embedded pair's recipe, and of a miniature that takes a minute."""

from recipes.embedded.recipe import TARGET, DraftRecipe, DraftStage, Phase, Recipe, Shape, TargetStage, TrainingPlan

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
"""Shares of the characters in the first phase."""

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

OWN = {
    "picture books": 4,
    "stories": 6,
    "tales": 10,
    "verse": 7,
    "rhymes": 2,
    "letters": 9,
    "e-mails": 9,
    "JSON": 11,
    "code": 11,
    "orders": 2,
    "generated orders": 9,
    "facts": 9,
    "counting": 8,
    "lists": 2,
    "sums": 7,
    "word problems": 1,
}
"""Shares of the documents that the target continues, for the drafts to learn from; of a long document only the beginning counts. Facts are read
unchanged, so that all countries are about equally frequent."""

_SMALL_DRAFT = Shape(layers=1, width=192, heads=3, feed_forward=512)

_TINY_DRAFT = Shape(layers=1, width=64, heads=1, feed_forward=128)

_LARGE_DRAFT = Shape(layers=6, width=256, heads=4, feed_forward=704)

EMBEDDED = Recipe(
    name="embedded",
    seed=20,
    vocabulary=4096,
    tokenizer_characters=12_000_000,
    positions=1024,
    cut=0.35,
    target=Shape(layers=12, width=256, heads=4, feed_forward=704, exit_layer=4),
    steps=(
        TargetStage(
            TARGET,
            TrainingPlan(
                phases=(
                    Phase(name="broad", context=256, tokens=11_000_000, shares=BROAD, pool=17_000_000),
                    Phase(name="fine", context=512, tokens=5_000_000, shares=FINE, pool=6_000_000),
                ),
                batch=8192,
                warm_up=460_000,
                exit_weight=0.2,
            ),
        ),
        DraftStage(
            "drafts",
            TrainingPlan(phases=(Phase(name="fine", context=256, tokens=4_500_000, shares=FINE),), batch=8192),
            {
                "draft": DraftRecipe(_SMALL_DRAFT, distilled=True, purpose="the default, distilled"),
                "draft-undistilled": DraftRecipe(_SMALL_DRAFT, distilled=False, purpose="same size, text only"),
                "draft-tiny": DraftRecipe(_TINY_DRAFT, distilled=True, purpose="weak and nearly free"),
            },
        ),
        DraftStage(
            "draft-large",
            TrainingPlan(phases=(Phase(name="fine", context=256, tokens=1_000_000, shares=FINE),), batch=8192),
            {"draft-large": DraftRecipe(_LARGE_DRAFT, distilled=True, purpose="strong, but slow itself", pruned=True)},
        ),
        DraftStage(
            "drafts-continued",
            TrainingPlan(
                phases=(
                    Phase(name="fine", context=256, tokens=400_000, shares=FINE),
                    Phase(
                        name="own",
                        context=256,
                        tokens=1_400_000,
                        shares=OWN,
                        pool=400_000,
                        by_target=True,
                        as_text=("facts",),
                    ),
                ),
                batch=3072,
                matrix_rate=0.015,
                other_rate=2e-3,
            ),
            {
                "draft": DraftRecipe(_SMALL_DRAFT, distilled=True, purpose="the default, distilled", continued=True),
                "draft-tiny": DraftRecipe(_TINY_DRAFT, distilled=True, purpose="weak and nearly free", continued=True),
            },
        ),
        DraftStage(
            "draft-undistilled-continued",
            TrainingPlan(
                phases=(Phase(name="fine", context=256, tokens=1_800_000, shares=FINE),),
                batch=3072,
                matrix_rate=0.015,
                other_rate=2e-3,
            ),
            {
                "draft-undistilled": DraftRecipe(
                    _SMALL_DRAFT, distilled=False, purpose="same size, text only", continued=True
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
    steps=(
        TargetStage(
            TARGET,
            TrainingPlan(
                phases=(Phase(name="all", context=64, tokens=100_000, shares=_SMALL),),
                batch=2048,
                warm_up=4096,
                exit_weight=0.2,
            ),
        ),
        DraftStage(
            "drafts",
            TrainingPlan(
                phases=(Phase(name="all", context=64, tokens=42_000, shares=_SMALL),), batch=2048, warm_up=4096
            ),
            {
                "draft": DraftRecipe(_MINIATURE_DRAFT, distilled=True, purpose="distilled"),
                "draft-undistilled": DraftRecipe(_MINIATURE_DRAFT, distilled=False, purpose="text only"),
            },
        ),
        TargetStage(
            "target-continued",
            TrainingPlan(
                phases=(Phase(name="all", context=64, tokens=40_000, shares=_SMALL),),
                batch=2048,
                matrix_rate=0.01,
                warm_up=4096,
                exit_weight=0.2,
            ),
        ),
        DraftStage(
            "drafts-continued",
            TrainingPlan(
                phases=(
                    Phase(name="all", context=64, tokens=20_000, shares=_SMALL),
                    Phase(
                        name="own",
                        context=64,
                        tokens=20_000,
                        shares=_SMALL,
                        pool=10_000,
                        by_target=True,
                        as_text=("counting",),
                    ),
                ),
                batch=2048,
                warm_up=4096,
            ),
            {"draft": DraftRecipe(_MINIATURE_DRAFT, distilled=True, purpose="distilled", continued=True)},
        ),
        DraftStage(
            "draft-undistilled-continued",
            TrainingPlan(
                phases=(Phase(name="all", context=64, tokens=40_000, shares=_SMALL),), batch=2048, warm_up=4096
            ),
            {"draft-undistilled": DraftRecipe(_MINIATURE_DRAFT, distilled=False, purpose="text only", continued=True)},
        ),
        DraftStage(
            "draft-large",
            TrainingPlan(
                phases=(Phase(name="all", context=64, tokens=40_000, shares=_SMALL),), batch=2048, warm_up=4096
            ),
            {
                "draft-large": DraftRecipe(
                    Shape(layers=2, width=64, heads=1, feed_forward=128), distilled=True, purpose="pruned", pruned=True
                )
            },
        ),
    ),
)
"""The complete process in under a minute, to see it work. It needs no corpus folder."""

RECIPES = {recipe.name: recipe for recipe in (EMBEDDED, MINIATURE)}
