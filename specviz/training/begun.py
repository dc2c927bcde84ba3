"""A pair to go on from: which of a recipe's sittings it has behind it, told by the curves in its folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from specviz.errors import TrainingError
from specviz.training import networks
from specviz.training import tokenizer as tokens
from specviz.training.loop import Curve, Point
from specviz.training.recipe import TARGET, Recipe

CURVES = "curves.json"
"""In a pair's folder: how each of its trainings went."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What a making goes on from.

    Attributes:
        tokenizer: of the pair.
        target: folder of its target.
        curves: of the sittings that the target has behind it.
    """

    tokenizer: Tokenizer
    target: Path
    curves: Mapping[str, Curve]


def begun(recipe: Recipe, pair: Path) -> Begun:
    """The pair, after looking whether the recipe can go on from it.

    Raises:
        TrainingError: it cannot be read, or is not what this recipe's first sittings make.
    """
    curves = _curves(pair)
    names = [sitting.name for sitting in recipe.sittings]
    behind = [name for name in names if name in curves]
    if not behind or behind != names[: len(behind)]:
        raise TrainingError(
            f"The pair in {str(pair)!r} has not the first of this recipe's sittings ({', '.join(names)}) behind it: give another pair or recipe."
        )
    folder = pair / TARGET
    try:
        tokenizer, target = tokens.load(folder), networks.load(folder)
    except Exception as error:  # noqa: BLE001  # whatever the libraries make of a broken folder
        reason = " ".join(str(error).split())[:160]
        raise TrainingError(
            f"The target in {str(folder)!r} could not be read ({reason}): give a pair that `train make` made."
        ) from None
    config = target.config
    found = (networks.shape_of(target), config.max_position_embeddings, config.vocab_size)
    if found != (recipe.target, recipe.positions, tokenizer.get_vocab_size()):
        raise TrainingError(
            f"The target in {str(folder)!r} has another shape than this recipe's: give another pair or recipe."
        )
    return Begun(tokenizer, folder, {name: curves[name] for name in behind})


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
