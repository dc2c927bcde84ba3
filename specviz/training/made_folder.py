"""The folder of a finished draft or head: complete or absent, with how it was made, its figures, and a card that is written from both."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from specviz.errors import TrainingError
from specviz.training.drafts import card as draft_card
from specviz.training.heads import card as head_card
from specviz.training.training_loop import Curve, CurvePoint

MAKING, EXAMINATION, CURVES = "making.json", "examination.json", "curves.json"
"""Files beside the network: how it was made, its figures, how the training went."""


@contextmanager
def in_one_step(out: Path, what: str) -> Iterator[Path]:
    """A temporary folder beside `out` that becomes `out` at the end of the block; removed if the block fails.

    Args:
        what: "draft" or "head".

    Raises:
        TrainingError: something could not be written.
    """
    out = Path(os.path.realpath(out))  # a link stays, and the folder that it names is written
    partial = out.with_name(f".{out.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        yield partial
        if out.is_dir():  # it was checked to be empty
            out.rmdir()
        partial.rename(out)
    except (OSError, SafetensorError) as error:
        raise TrainingError(
            f"The {what} could not be written to {str(out)!r} ({' '.join(str(error).split())[:120]}): what was trained is kept. Make room, "
            "then give the same command again."
        ) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_making(folder: Path, facts: Mapping[str, Any], name: str, curve: Curve) -> None:
    """Write how it was made, and under this name how the training went."""
    (folder / CURVES).write_text(json.dumps({name: asdict(curve)}) + "\n")
    (folder / MAKING).write_text(json.dumps(facts, indent=1) + "\n")


def points_of(folder: Path, name: str) -> list[CurvePoint]:
    """How the training of this name went.

    Raises:
        TrainingError: the file that has it is missing or damaged.
    """
    try:
        points = json.loads((folder / CURVES).read_text(encoding="utf-8"))[name]["points"]
        found = [
            CurvePoint(int(point["tokens"]), {loss: float(point["losses"][loss]) for loss in points[0]["losses"]})
            for point in points
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TrainingError(
            f"{str(folder / CURVES)!r} could not be read ({type(error).__name__}): give a folder that `specviz train` made."
        ) from None
    if not all(point.losses for point in found):
        raise TrainingError(
            f"{str(folder / CURVES)!r} has a point without losses: give a folder that `specviz train` made."
        )
    return found


def facts_of(folder: Path) -> dict[str, Any]:
    """How it was made.

    Raises:
        TrainingError: the file that has it is missing or damaged.
    """
    try:
        found = json.loads((folder / MAKING).read_text(encoding="utf-8"))
        return {**found, "target": str(found["target"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{str(folder / MAKING)!r} could not be read ({type(error).__name__}): give a folder that `specviz train` made."
        ) from None


def card_of(folder: Path, what: str, figures: Mapping[str, Any] | None = None) -> str:
    """The card of what was made in this folder.

    Args:
        what: "draft" or "head".
        figures: of its examination; None for those that are there, if any.

    Raises:
        TrainingError: `specviz train` did not make it.
    """
    try:
        making = json.loads((folder / MAKING).read_text(encoding="utf-8"))
        if figures is None and (folder / EXAMINATION).is_file():
            figures = json.loads((folder / EXAMINATION).read_text(encoding="utf-8"))
        if what == "draft":
            return draft_card.text(making, figures)
        points = [asdict(point) for point in points_of(folder, making["kind"])]
        return head_card.text(making, figures, points)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{str(folder / MAKING)!r} could not be read ({type(error).__name__}), so there is nothing to write a card from: give a "
            f"{what} that `train {what}` made."
        ) from None


def write_card(folder: Path, what: str, figures: Mapping[str, Any] | None) -> None:
    """Write README.md, from how it was made and from its figures, which are kept too.

    Raises:
        TrainingError: see `card_of`; or the folder cannot be written.
    """
    text = card_of(folder, what, figures)
    try:
        if figures is not None:
            (folder / EXAMINATION).write_text(json.dumps(figures, indent=1) + "\n")
        (folder / "README.md").write_text(text, encoding="utf-8")
    except OSError as error:
        raise TrainingError(
            f"The card could not be written to {str(folder)!r} ({error.strerror}): make the folder writable, or make room."
        ) from None
