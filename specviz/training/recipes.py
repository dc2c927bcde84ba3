"""Every number of the embedded pair's recipe, and of a miniature that takes a minute."""

from specviz.training.recipe import TARGET, DraftRecipe, DraftStage, Phase, Plan, Recipe, Shape, Sitting

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
