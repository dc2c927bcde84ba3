"""The folder of a finished head: what the engine loads, and beside it how the head was made, its figures and its card."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from specviz.errors import TrainingError
from specviz.models.heads import folder as saved
from specviz.training.curves import drawing
from specviz.training.heads import card
from specviz.training.heads.making import MadeHead
from specviz.training.training_loop import Curve

MAKING, EXAMINATION, CURVES = "making.json", "examination.json", "curves.json"


def write(made: MadeHead, folder: Path) -> None:
    """Write the head with a card that has no figures yet.

    Raises:
        TrainingError: a weight does not fit into the number format of the file.
    """
    try:
        points = asdict(made.curve)["points"]
        saved.save(folder, made.head, made.spec, card.text(made.facts, None, points), tokens=made.tokens)
    except ValueError as error:
        raise TrainingError(f"The head could not be written ({error}): train it with another --seed.") from None
    (folder / CURVES).write_text(json.dumps({made.spec.kind: asdict(made.curve)}) + "\n")
    (folder / MAKING).write_text(json.dumps(made.facts, indent=1) + "\n")
    (folder / "curves.svg").write_text(drawing(_lines(made.curve, made.facts["unseen"]), f"Training: {made.spec.kind}"))


def read_making(folder: Path) -> dict[str, Any]:
    """How the head in this folder was made.

    Raises:
        TrainingError: `specviz train head` did not make it.
    """
    try:
        found = json.loads((folder / MAKING).read_text(encoding="utf-8"))
        card.text(found, None)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{str(folder / MAKING)!r} could not be read ({type(error).__name__}), so there is nothing to write a card from: give a "
            "head that `train head` made."
        ) from None
    return dict(found)


def write_card(folder: Path, making: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
    """Write the figures of an examination, and the card with them.

    Args:
        making: how the head was made, see `MadeHead.facts`.

    Raises:
        TrainingError: the folder cannot be written.
    """
    try:
        (folder / EXAMINATION).write_text(json.dumps(figures, indent=1) + "\n")
        (folder / saved.CARD).write_text(card.text(making, figures, _points(folder, making)), encoding="utf-8")
    except OSError as error:
        raise TrainingError(
            f"The card could not be written to {str(folder)!r} ({error.strerror}): make the folder writable, or make room."
        ) from None


def _points(folder: Path, making: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Of the learning curve; none where the folder has none that can be read."""
    try:
        return list(json.loads((folder / CURVES).read_text(encoding="utf-8"))[making["kind"]]["points"])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _lines(curve: Curve, shown: dict[str, float]) -> dict[str, list[tuple[float, float]]]:
    """What was minimised falls; of what was shown, the share that is missed."""
    names = curve.points[0].losses if curve.points else {}
    return {
        f"1 - {name}" if name in shown else name: [
            (point.tokens, abs((name in shown) - point.losses[name])) for point in curve.points
        ]
        for name in names
    }
