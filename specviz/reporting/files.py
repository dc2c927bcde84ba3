"""Files that are written completely or not at all. Standard library only."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from specviz.errors import InputError, SpecvizError


def folder(text: str) -> Path:
    """The folder that an option names, for argparse. Raises ArgumentTypeError if there is none."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return Path(text)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write to a temporary name first and rename it, so that no reader ever sees a partial file.

    A link stays, and the file that it names is written. A device or a pipe is written as it is, and not replaced by a file.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if isinstance(content, str):
            part.write_text(content, encoding="utf-8")
        else:
            part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def named_write_errors(path: Path, error: type[SpecvizError] = InputError) -> Iterator[None]:
    """Turns an OSError inside into `error`, whose sentence names the file and the reason."""
    try:
        yield
    except OSError as unwritten:
        reason = f"{str(path)!r} could not be written ({unwritten.strerror}): choose another file or folder."
        raise error(reason) from unwritten
