"""Writes the state of a training so that a file is complete or absent, and reads it back."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from specviz.errors import CheckpointError


def write(path: Path, state: dict[str, Any]) -> None:
    """Replace the checkpoint in one step: if anything goes wrong, the previous checkpoint stays as it was.

    Raises:
        CheckpointError: the disk is full, or the folder cannot be written.
    """
    partial = path.with_name(path.name + ".partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except (OSError, RuntimeError) as error:  # torch turns a full disk into a RuntimeError
        with suppress(OSError):
            partial.unlink()
        raise CheckpointError(
            f"The checkpoint {str(path)!r} could not be written ({_short(error)}): the previous one is kept. Make room, then give the same command again."
        ) from None


def read(path: Path, fingerprint: str) -> dict[str, Any] | None:
    """The state of a checkpoint, or None if there is none.

    Raises:
        CheckpointError: it is broken, or was written by another recipe.
    """
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        found = state["fingerprint"]
    except Exception as error:  # noqa: BLE001  # any bytes may be in the file, and torch raises many kinds of errors
        raise CheckpointError(
            f"The checkpoint {str(path)!r} is broken ({_short(error)}): remove it to start again."
        ) from None
    if found != fingerprint:
        raise CheckpointError(
            f"The checkpoint {str(path)!r} belongs to another recipe or corpus: remove it, or give another --work folder."
        )
    return state


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
