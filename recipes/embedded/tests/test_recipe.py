"""The recipes: what they ask for exists, and what the embedded one makes can be carried in the project."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import pytest
import torch

from recipes.embedded import architecture, corpus
from recipes.embedded.mixture import ABOUT_COUNTRIES, GENERATED
from recipes.embedded.recipe import TARGET, DraftStage, Phase, Recipe, Shape, TargetStage, TrainingPlan
from recipes.embedded.recipes import EMBEDDED, MINIATURE, RECIPES

BYTES = 2
"""A parameter is saved in bfloat16."""

MB = 1_000_000

every_recipe = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)


def parameters(shape: Shape, vocabulary: int) -> int:
    """Counted by hand: embeddings shared with the head, four attention and three gated matrices a layer, and the norms."""
    layer = 4 * shape.width**2 + 3 * shape.width * shape.feed_forward + 2 * shape.width
    return vocabulary * shape.width + shape.layers * layer + shape.width


def shapes(recipe: Recipe) -> dict[str, Shape]:
    return {TARGET: recipe.target} | {name: draft.shape for name, draft in recipe.drafts.items()}


def phases(recipe: Recipe) -> list[Phase]:
    return [phase for plan in recipe.plans.values() for phase in plan.phases]


def sizes(recipe: Recipe) -> Mapping[str, int]:
    """Bytes of each network's weights, by the networks that would really be built; without their numbers in memory."""
    found = {}
    for name, shape in shapes(recipe).items():
        with torch.device("meta"):
            network = architecture.build(shape, recipe.vocabulary, recipe.positions, recipe.seed)
        count = sum(weights.numel() for weights in network.parameters())
        assert count == parameters(shape, recipe.vocabulary)
        found[name] = BYTES * count
    return found


def test_recipes_go_by_their_names() -> None:
    """The command line finds each recipe by its own name."""
    assert {"embedded": EMBEDDED, "miniature": MINIATURE} == RECIPES


def test_the_embedded_files_fit() -> None:
    """All weights of the embedded pair take less than 64 MB together and each file less than 40 MB."""
    found = sizes(EMBEDDED)
    assert set(found) >= {TARGET, "draft"}
    assert max(found.values()) < 40 * MB
    assert sum(found.values()) < 64 * MB


def test_drafts_are_smaller_than_their_target() -> None:
    """Of the embedded drafts the tiny one is the smallest and the large one the largest, and the target is larger than any."""
    found = sizes(EMBEDDED)
    assert found["draft-tiny"] < found["draft"] < found["draft-large"] < found[TARGET]


def test_the_large_draft_is_half_a_target() -> None:
    """The large draft has about half of the target's layers and is otherwise like it."""
    large, target = EMBEDDED.drafts["draft-large"].shape, EMBEDDED.target
    assert 0.4 <= large.layers / target.layers <= 0.6
    assert (large.width, large.heads, large.feed_forward) == (target.width, target.heads, target.feed_forward)


def test_the_exit_is_a_third_of_the_way_up() -> None:
    """The target's early exit lies about a third of the way up, inside the network, and has a weight in every training of the target."""
    exit_layer = EMBEDDED.target.exit_layer
    assert exit_layer is not None
    assert 0.25 <= exit_layer / EMBEDDED.target.layers <= 0.42
    assert all(sitting.plan.exit_weight > 0 for sitting in EMBEDDED.target_stages)


def test_distillation_can_be_judged() -> None:
    """The undistilled draft differs from the default one in the distillation alone: shape, trainings, tokens, steps and rates agree."""
    for recipe in RECIPES.values():
        default, undistilled = recipe.drafts["draft"], recipe.drafts["draft-undistilled"]
        assert replace(default, distilled=False, purpose="") == replace(undistilled, purpose="")
        assert (default.distilled, undistilled.distilled) == (True, False)
        one, other = (
            [stage.plan for stage in recipe.draft_stages if name in stage.drafts]
            for name in ("draft", "draft-undistilled")
        )
        assert [replace(plan, phases=()) for plan in one] == [replace(plan, phases=()) for plan in other]
        assert [seen(plan) for plan in one] == [seen(plan) for plan in other]


def seen(plan: TrainingPlan) -> int:
    return sum(phase.tokens for phase in plan.phases)


@every_recipe
def test_a_continued_draft_was_begun(recipe: Recipe) -> None:
    """A draft is built or pruned in the first stage that trains it, continued in the later ones, and of one shape in all."""
    for name, last in recipe.drafts.items():
        stages = [stage.drafts[name] for stage in recipe.draft_stages if name in stage.drafts]
        assert [draft.continued for draft in stages] == [False] + [True] * (len(stages) - 1)
        assert {(draft.shape, draft.distilled) for draft in stages} == {(last.shape, last.distilled)}


@every_recipe
def test_every_draft_follows_the_target_that_is_shipped(recipe: Recipe) -> None:
    """No draft's last training comes before the target's last one."""
    last = {name: place for place, step in enumerate(recipe.steps) for name in trained_by(step)}
    assert min(last.values()) == last[TARGET]


def trained_by(step: TargetStage | DraftStage) -> Iterable[str]:
    return [TARGET] if isinstance(step, TargetStage) else step.drafts


@every_recipe
def test_the_target_writes_for_distilled_drafts_only(recipe: Recipe) -> None:
    """Some distilled drafts learn from what the target writes; no training of the target does, nor any draft that learns from the text alone."""
    assert not any(phase.by_target for sitting in recipe.target_stages for phase in sitting.plan.phases)
    asking = [stage for stage in recipe.draft_stages if any(phase.by_target for phase in stage.plan.phases)]
    assert asking
    assert all(draft.distilled for stage in asking for draft in stage.drafts.values())


@every_recipe
def test_what_stays_text_is_a_part_of_what_the_target_goes_on_from(recipe: Recipe) -> None:
    """Only where the target writes are documents read all the same, of some classes of the mixture and not of all."""
    kept = [phase for phase in phases(recipe) if phase.as_text]
    assert kept
    assert all(phase.by_target and set(phase.as_text) < set(phase.shares) for phase in kept)


@every_recipe
def test_a_name_stands_for_one_mixture(recipe: Recipe) -> None:
    """Phases of the same name have the same shares, and phases of one training different names, which their text is drawn by."""
    mixtures = {phase.name: phase.shares for phase in phases(recipe)}
    assert all(phase.shares == mixtures[phase.name] for phase in phases(recipe))
    for plan in recipe.plans.values():
        assert len({phase.name for phase in plan.phases}) == len(plan.phases)


@every_recipe
def test_only_text_that_exists_is_asked_for(recipe: Recipe) -> None:
    """Every class of text in the shares is collected or written by something, and has a share above nothing."""
    known = {*corpus.FILES, *GENERATED, *ABOUT_COUNTRIES}
    for phase in phases(recipe):
        assert set(phase.shares) <= known
        assert min(phase.shares.values()) > 0


def test_the_miniature_needs_no_corpus() -> None:
    """The miniature recipe asks for nothing but text that is generated from nothing."""
    assert all(set(phase.shares) <= set(GENERATED) for phase in phases(MINIATURE))


def test_nothing_collected_or_generated_is_forgotten() -> None:
    """The embedded recipe makes use of every class of text that there is."""
    assert EMBEDDED.kinds == {*corpus.FILES, *GENERATED, *ABOUT_COUNTRIES}


@every_recipe
def test_rows_fit_the_networks(recipe: Recipe) -> None:
    """No row is longer than the networks are declared to read, whole rows make a step, and ids fit into 16 bits."""
    assert 257 < recipe.vocabulary < 2**15
    for plan in recipe.plans.values():
        for phase in plan.phases:
            assert phase.context <= recipe.positions
            assert plan.batch % phase.context == 0
            assert phase.tokens >= plan.batch
        tokens = seen(plan)
        assert 0 < plan.warm_up < (1 - plan.cool_down) * tokens < tokens


@every_recipe
def test_networks_can_be_built(recipe: Recipe) -> None:
    """Heads divide the width, into heads of an even size, 64 wherever the width allows it; no draft lies in the target's folder."""
    assert TARGET not in recipe.drafts
    assert len(recipe.plans) == len(recipe.steps) == len(recipe.target_stages) + len(recipe.draft_stages)
    assert recipe.steps[0].name == TARGET
    for shape in shapes(recipe).values():
        assert shape.width % shape.heads == 0
        assert shape.width // shape.heads == min(64, shape.width)
        assert shape.exit_layer is None or 0 < shape.exit_layer < shape.layers


@every_recipe
def test_a_pruned_draft_is_a_target_with_fewer_layers(recipe: Recipe) -> None:
    """A draft that begins as a part of the target differs from it in the number of its layers only, and has fewer."""
    pruned = [draft.shape for stage in recipe.draft_stages for draft in stage.drafts.values() if draft.pruned]
    assert pruned
    for shape in pruned:
        assert replace(recipe.target, layers=shape.layers, exit_layer=None) == shape
        assert 0 < shape.layers < recipe.target.layers


@every_recipe
def test_a_training_is_marked_by_what_it_depends_on(recipe: Recipe) -> None:
    """The fingerprint of a training depends on itself and on earlier trainings, not on the name and not on later ones."""
    names = list(recipe.plans)
    marks = [recipe.fingerprint(name) for name in names]
    assert len(set(marks)) == len(names)
    assert [replace(recipe, name="other").fingerprint(name) for name in names] == marks
    for changed in (replace(recipe, seed=recipe.seed + 1), replace(recipe, cut=0.0), replace(recipe, vocabulary=300)):
        assert all(changed.fingerprint(name) != mark for name, mark in zip(names, marks, strict=True))
    for place, name in enumerate(names):
        for change in (_larger_steps, _own_text):
            other = with_plan(recipe, name, change)
            same = [other.fingerprint(each) == mark for each, mark in zip(names, marks, strict=True)]
            assert same == [at < place for at in range(len(names))]


def with_plan(recipe: Recipe, name: str, change: Callable[[TrainingPlan], TrainingPlan]) -> Recipe:
    """The recipe with one training's plan changed."""
    return replace(
        recipe, steps=tuple(replace(one, plan=change(one.plan)) if one.name == name else one for one in recipe.steps)
    )


def _larger_steps(plan: TrainingPlan) -> TrainingPlan:
    return replace(plan, batch=2 * plan.batch)


def _own_text(plan: TrainingPlan) -> TrainingPlan:
    return replace(plan, phases=tuple(replace(phase, by_target=not phase.by_target) for phase in plan.phases))
