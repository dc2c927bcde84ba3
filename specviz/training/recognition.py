"""How a target, a text and a measurement are recognised, so that the same command continues where it stopped and no other one does."""

import json
from collections.abc import Callable
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from specviz.errors import CheckpointError
from specviz.models.folder import weight_files
from specviz.models.loading import Target
from specviz.reporting.files import write_atomically

_SAMPLE = 1 << 16
"""Bytes at the beginning, in the middle and at the end of a weight file by which it is recognised."""
_DESCRIBED = ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja")


def digest_of_files(target: Target) -> str:
    """Identifies a target by its weight files, config and tokenizer; of large files by their sizes and some parts."""
    found = sha256()
    for path in [
        *(target.folder / name for name in weight_files(target.folder, str(target.folder))),
        *(path for name in _DESCRIBED if (path := target.folder / name).is_file()),
    ]:
        size = path.stat().st_size
        found.update(f"{path.name} {size}".encode())
        with path.open("rb") as file:
            for start in sorted({0, size // 2, max(0, size - _SAMPLE)}):
                file.seek(start)
                found.update(file.read(_SAMPLE))
    return found.hexdigest()[:16]


def digest(*tensors: Tensor) -> str:
    """Identifies the content of tensors."""
    found = sha256()
    for tensor in tensors:
        found.update(tensor.contiguous().view(torch.uint8).numpy().data)
    return found.hexdigest()[:16]


def check_work(work: Path, target: Target) -> None:
    """Check that another target has not written the text in this folder. `digest_of_files` reads only parts of large weight files, and a
    target that was trained further can be equal in these.

    Raises:
        CheckpointError: it has, or the folder cannot be written.
    """
    full = sha256()
    for name in weight_files(target.folder, str(target.folder)):
        with (target.folder / name).open("rb") as file:
            full.update(file_digest(file, "sha256").digest())
    if once(work / "target.json", "target", full.hexdigest) != full.hexdigest():
        raise CheckpointError(
            f"The text in {str(work)!r} was written by another target: remove it, or give another --work folder."
        )


def once(path: Path, fingerprint: str, measure: Callable[[], Any]) -> Any:
    """What was measured for this fingerprint, read from the file where it was measured before.

    Raises:
        CheckpointError: the file cannot be written.
    """
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["fingerprint"] == fingerprint:
            return kept["found"]
    except (OSError, ValueError, KeyError, TypeError):
        pass  # it is not there, or broken: it is measured again
    found = measure()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps({"fingerprint": fingerprint, "found": found}))
    except OSError as error:
        raise CheckpointError(f"The file {str(path)!r} could not be written ({error.strerror}): make room.") from None
    return found
