"""The folder of a finished head: what the engine loads, and beside it how the head was made."""

from dataclasses import asdict
from pathlib import Path

from specviz.errors import TrainingError
from specviz.models.heads import folder as saved
from specviz.training import made_folder
from specviz.training.curves import drawing
from specviz.training.heads import card
from specviz.training.heads.making import MadeHead
from specviz.training.training_loop import Curve


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
    made_folder.write_making(folder, made.facts, made.spec.kind, made.curve)
    (folder / "curves.svg").write_text(drawing(_lines(made.curve, made.facts["unseen"]), f"Training: {made.spec.kind}"))


def _lines(curve: Curve, shown: dict[str, float]) -> dict[str, list[tuple[float, float]]]:
    """What was minimised falls; of what was shown, the share that is missed."""
    names = curve.points[0].losses if curve.points else {}
    return {
        f"1 - {name}" if name in shown else name: [
            (point.tokens, abs((name in shown) - point.losses[name])) for point in curve.points
        ]
        for name in names
    }
