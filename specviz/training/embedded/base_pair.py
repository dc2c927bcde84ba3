"""A pair to go on from: which of a recipe's trainings it has behind it, told by the curves in its folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from tokenizers import Tokenizer

from specviz.errors import TrainingError
from specviz.training import llama
from specviz.training.embedded import architecture
from specviz.training.embedded.recipe import TARGET, DraftStage, Recipe, Shape
from specviz.training.training_loop import Curve, Point

CURVES = "curves.json"
"""In a pair's folder: how each of its trainings went."""


@dataclass(frozen=True, slots=True)
class BasePair:
    """What a making goes on from.

    Attributes:
        tokenizer: of the pair.
        networks: name -> folder, of the target and of every draft that has been trained.
        curves: of the trainings that are behind it.
    """

    tokenizer: Tokenizer
    networks: Mapping[str, Path]
    curves: Mapping[str, Curve]


def read(recipe: Recipe, pair: Path) -> BasePair:
    """The pair, after looking whether the recipe can go on from it.

    Raises:
        TrainingError: it cannot be read, or is not what this recipe's first trainings make.
    """
    curves = _curves(pair)
    names = [step.name for step in recipe.steps]
    behind = list(takewhile(curves.__contains__, names))
    if not behind:
        raise TrainingError(
            f"The pair in {str(pair)!r} has not the first of this recipe's trainings ({', '.join(names)}) behind it: give another pair or recipe."
        )
    shapes = {TARGET: recipe.target}
    for step in recipe.steps[: len(behind)]:
        if isinstance(step, DraftStage):
            shapes |= {name: draft.shape for name, draft in step.drafts.items()}
    tokenizer = None
    for name, shape in shapes.items():
        tokenizer = _looked_at(pair / name, recipe, shape)
    assert tokenizer is not None, "there is a target in any case"
    return BasePair(tokenizer, {name: pair / name for name in shapes}, {name: curves[name] for name in behind})


def _looked_at(folder: Path, recipe: Recipe, shape: Shape) -> Tokenizer:
    """The tokenizer of a network's folder, if the network is what the recipe makes."""
    try:
        tokenizer, network = llama.load_tokenizer(folder), llama.load(folder)
    except Exception as error:  # noqa: BLE001  # whatever the libraries make of a broken folder
        reason = " ".join(str(error).split())[:160]
        raise TrainingError(
            f"The network in {str(folder)!r} could not be read ({reason}): give a pair that `train make` made."
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
            name: Curve([Point(point["tokens"], point["losses"]) for point in curve["points"]], curve["seconds"])
            for name, curve in json.loads((pair / CURVES).read_text()).items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TrainingError(
            f"{str(pair / CURVES)!r} does not tell what the pair has behind it ({type(error).__name__}): give a pair that `train make` made."
        ) from None
