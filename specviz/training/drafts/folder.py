"""The folder of a finished draft: network, tokenizer, kept ids, and how it was made."""

import json
import shutil
from pathlib import Path

import torch
from transformers import GenerationConfig

from specviz.models.quiet import quiet
from specviz.training import made_folder
from specviz.training.curves import drawing
from specviz.training.drafts.distil import AGREEMENT, ALPHA
from specviz.training.drafts.making import MadeDraft
from specviz.training.training_loop import Curve

KEPT_IDS = "kept_ids.json"
"""The ids that the draft may write."""
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
    made_folder.write_making(folder, made.facts, "draft", made.curve)
    (folder / "curves.svg").write_text(drawing(_lines(made.curve), "Training: distillation"))


def _lines(curve: Curve) -> dict[str, list[tuple[float, float]]]:
    names = curve.points[0].losses if curve.points else {}
    shown = {name: "1 - alpha" if name == ALPHA else name for name in names if name != AGREEMENT}
    return {
        label: [(point.tokens, abs((name == ALPHA) - point.losses[name])) for point in curve.points]
        for name, label in shown.items()
    }
