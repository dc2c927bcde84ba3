"""The folder of a finished draft: written under another name and renamed, so that it is complete or absent."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import GenerationConfig

from specviz.errors import TrainingError
from specviz.models.quiet import quiet
from specviz.training.curves import drawing
from specviz.training.drafts import card
from specviz.training.drafts.distil import AGREEMENT, ALPHA
from specviz.training.drafts.making import MadeDraft
from specviz.training.training_loop import Curve

KEPT_IDS, MAKING, EXAMINATION, CURVES = "kept_ids.json", "making.json", "examination.json", "curves.json"
"""Files beside the network: the ids that the draft may write, how it was made, its figures, how the training went."""

_TOKENIZER = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "tokenizer.model",
    "spiece.model",
)


@contextmanager
def in_one_step(out: Path, what: str = "draft") -> Iterator[Path]:
    """A temporary folder beside `out` that becomes `out` at the end of the block; removed if the block fails.

    Args:
        what: is written, for people.

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


def write(made: MadeDraft, folder: Path) -> None:
    """Write network, tokenizer, kept ids, curves, and how the draft was made. The network in `made` is in bfloat16 afterwards."""
    with quiet():
        made.model.to(torch.bfloat16).save_pretrained(folder)
        GenerationConfig(eos_token_id=sorted(made.target.ends) or None).save_pretrained(folder)
    for name in _TOKENIZER:
        if (made.target.folder / name).is_file():
            shutil.copyfile(made.target.folder / name, folder / name)
    if len(made.kept) < made.model.config.vocab_size:
        kept = {"vocabulary": made.model.config.vocab_size, "kept": made.kept.tolist()}
        (folder / KEPT_IDS).write_text(json.dumps(kept) + "\n")
    (folder / CURVES).write_text(json.dumps({"draft": asdict(made.curve)}) + "\n")
    (folder / MAKING).write_text(json.dumps(made.facts, indent=1) + "\n")
    (folder / "curves.svg").write_text(drawing(_lines(made.curve), "Training: distillation"))


def write_card(folder: Path, figures: dict[str, Any] | None) -> None:
    """Write README.md, from how the draft was made and from its figures, which are kept too; without figures from those that are there.

    Raises:
        TrainingError: the folder was not made by `specviz train draft`, or cannot be written.
    """
    try:
        making = json.loads((folder / MAKING).read_text(encoding="utf-8"))
        if figures is None and (folder / EXAMINATION).is_file():
            figures = json.loads((folder / EXAMINATION).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TrainingError(
            f"{str(folder / MAKING)!r} could not be read ({type(error).__name__}), so there is nothing to write a card from: give a "
            "draft that `train draft` made."
        ) from None
    try:
        if figures is not None:
            (folder / EXAMINATION).write_text(json.dumps(figures, indent=1) + "\n")
        (folder / "README.md").write_text(card.text(making, figures), encoding="utf-8")
    except OSError as error:
        raise TrainingError(
            f"The card could not be written to {str(folder)!r} ({error.strerror}): make the folder writable, or make room."
        ) from None


def _lines(curve: Curve) -> dict[str, list[tuple[float, float]]]:
    names = curve.points[0].losses if curve.points else {}
    shown = {name: "1 - alpha" if name == ALPHA else name for name in names if name != AGREEMENT}
    return {
        label: [(point.tokens, abs((name == ALPHA) - point.losses[name])) for point in curve.points]
        for name, label in shown.items()
    }
