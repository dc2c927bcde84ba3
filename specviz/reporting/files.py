"""Files that are written whole or not at all. Standard library only."""

import os
import tempfile
from pathlib import Path

from specviz.errors import InputError


def write_whole(path: Path, text: str) -> None:
    """Write a file under another name first, so that nobody ever sees half of it."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def open_folder(folder: Path) -> None:
    """Make a folder, and refuse a place that cannot be written now, not after minutes.

    Raises:
        InputError: says which folder, and why.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"Nothing can be written to {str(folder)!r} ({error.strerror}): choose another folder."
        ) from None
