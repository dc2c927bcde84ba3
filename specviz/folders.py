"""The folders of the project's files, in an installed package or in the source tree, and the cache folder; and how a file from outside is read.
Standard library only.

The wheel carries the assets as `specviz/assets` and the page as `specviz/page/app`. So an environment gets no top-level package called
`app`; only the process that serves the page has `specviz/page` on its path.
"""

import codecs
import errno
import json
import os
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

from specviz.errors import InputError

_PACKAGE = Path(__file__).parent
_INSTALLED = (_PACKAGE / "assets").is_dir()

# Pairs, ready-made prompts, recordings, lessons, words and logos.
ASSETS = _PACKAGE / "assets" if _INSTALLED else _PACKAGE.parent / "assets"
# The folder that contains the package `app`.
PAGE = _PACKAGE / "page" if _INSTALLED else _PACKAGE.parent
# The scripts and style sheets of the page, which `make web` joins from the modules of `specviz/web`.
BUILT = _PACKAGE / "web" / "built"
MOST_BYTES = 100_000_000  # of a file from outside; the largest tokenizers and indexes of weights are a third of it


def home() -> Path:
    """The home folder of the person who runs this. Raises InputError if there is none, as for a user id that the system
    does not know, without HOME."""
    try:
        return Path.home()
    except (RuntimeError, KeyError) as error:
        raise InputError(
            "This user has no home folder: set HOME, or SPECVIZ_CACHE and HF_HOME, to folders to write in."
        ) from error


def cache_folder() -> Path:
    """The folder for what can be made again: notes about this machine, dequantised models. SPECVIZ_CACHE sets it.
    Raises InputError, see `home`."""
    named = os.environ.get("SPECVIZ_CACHE")
    if named and named.startswith("~/"):  # as a service's settings have it, which no shell reads
        return home() / named[2:]
    return Path(named or Path(os.environ.get("XDG_CACHE_HOME") or home() / ".cache") / "specviz")


def checked(path: Path, most: float = MOST_BYTES) -> Path:
    """The path of a file from outside, which may be missing. A pipe or a device may never end. Raises OSError if it is
    no regular file, or has more than `most` bytes."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no regular file")
    if path.exists() and path.stat().st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most / 1e6:g} MB")
    return path


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a file from outside, in UTF-8, or in UTF-16 with its mark; every line ends with a line feed. Raises
    OSError if it cannot be opened, and as `checked`; UnicodeDecodeError if it is no such text."""
    content = checked(path, most).read_bytes()
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path) -> Any:
    """The JSON value of a file from outside. Raises OSError, see `read_text`; ValueError if it is not JSON."""
    try:
        return json.loads(read_text(path))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def read_header(path: Path) -> dict[str, Any]:
    """The header of a safetensors file: name -> entry. Raises OSError or ValueError if it cannot be read."""
    with checked(path, inf).open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > MOST_BYTES:
            raise ValueError("its header is too long")
        header: dict[str, Any] = json.loads(file.read(length))
    return header


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file from outside; empty where it cannot be read, or is none."""
    try:
        value = read_json(path)
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def write_notes(path: Path, notes: dict[str, Any]) -> None:
    """Replace a file of the cache by this JSON object in one step, if that is possible."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(notes), encoding="utf-8")
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
