"""A pair to continue from: the curves in its folder show which of a recipe's trainings it has finished."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from tokenizers import Tokenizer

from recipes.embedded import architecture, llama_folder
from recipes.embedded.recipe import TARGET, DraftStage, Recipe, Shape
from recipes.embedded.tokenizer import load as load_tokenizer
from specviz.errors import TrainingError
from specviz.training.training_loop import Curve, CurvePoint

CURVES = "curves.json"
"""File in a pair's folder: how each of its trainings went."""


@dataclass(frozen=True, slots=True)
class BasePair:
    """A pair that is continued.

    Attributes:
        tokenizer: the pair's tokenizer.
        networks: name -> folder, for the target and every draft that has been trained.
        curves: of the trainings that are finished.
    """

    tokenizer: Tokenizer
    networks: Mapping[str, Path]
    curves: Mapping[str, Curve]


def read(recipe: Recipe, pair: Path) -> BasePair:
    """Read a pair, and check that the recipe can continue from it.

    Raises:
        TrainingError: the pair cannot be read, or is not what the first trainings of this recipe produce.
    """
    curves = _curves(pair)
    names = [step.name for step in recipe.steps]
    finished = list(takewhile(curves.__contains__, names))
    if not finished:
        raise TrainingError(
            f"The pair in {str(pair)!r} has not finished the first of this recipe's trainings ({', '.join(names)}): give another pair or recipe."
        )
    shapes = {TARGET: recipe.target}
    for step in recipe.steps[: len(finished)]:
        if isinstance(step, DraftStage):
            shapes |= {name: draft.shape for name, draft in step.drafts.items()}
    tokenizer = None
    for name, shape in shapes.items():
        tokenizer = _checked(pair / name, recipe, shape)
    assert tokenizer is not None, "every recipe has a target"
    return BasePair(tokenizer, {name: pair / name for name in shapes}, {name: curves[name] for name in finished})


def _checked(folder: Path, recipe: Recipe, shape: Shape) -> Tokenizer:
    """The tokenizer in a network's folder, after checking that the network is what the recipe makes."""
    try:
        tokenizer, network = load_tokenizer(folder), llama_folder.load(folder)
    except Exception as error:  # noqa: BLE001  # the libraries raise many kinds of errors on a broken folder
        reason = " ".join(str(error).split())[:160]
        raise TrainingError(
            f"The network in {str(folder)!r} could not be read ({reason}): give a pair that `make` made."
        ) from None
    config = network.config
    found = (architecture.shape_of(network), config.max_position_embeddings, config.vocab_size)
    if found != (shape, recipe.positions, tokenizer.get_vocab_size()):
        raise TrainingError(
            f"The network in {str(folder)!r} has another shape than this recipe's: give another pair or recipe."
        )
    return tokenizer


def _curves(pair: Path) -> dict[str, Curve]:
    try:
        return {
            name: Curve([CurvePoint(point["tokens"], point["losses"]) for point in curve["points"]], curve["seconds"])
            for name, curve in json.loads((pair / CURVES).read_text()).items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TrainingError(
            f"{str(pair / CURVES)!r} does not show which trainings the pair has finished ({type(error).__name__}): give a pair that `make` made."
        ) from None
