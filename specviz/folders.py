"""The folders of the project's files, in an installed package or in the source tree, and the cache folder. Standard library only.

The wheel carries the assets as `specviz/assets` and the page as `specviz/page/app`. So an environment gets no top-level package called
`app`; only the process that serves the page has `specviz/page` on its path.
"""

import json
import os
from contextlib import suppress
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


def home() -> Path:
    """The home folder of the person who runs this.

    Raises:
        InputError: there is none, as for a user id that the system does not know, without HOME.
    """
    try:
        return Path.home()
    except (RuntimeError, KeyError) as error:
        raise InputError(
            "This user has no home folder: set HOME, or SPECVIZ_CACHE and HF_HOME, to folders to write in."
        ) from error


def cache_folder() -> Path:
    """The folder for what can be made again: notes about this machine, dequantised models. SPECVIZ_CACHE sets it.

    Raises:
        InputError: see `home`.
    """
    named = os.environ.get("SPECVIZ_CACHE")
    if named and named.startswith("~/"):  # as a service's settings have it, which no shell reads
        return home() / named[2:]
    return Path(named or Path(os.environ.get("XDG_CACHE_HOME") or home() / ".cache") / "specviz")


def read_notes(path: Path) -> dict[str, Any]:
    """The JSON object in a file of the cache; empty where it cannot be read."""
    try:
        notes = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return notes if isinstance(notes, dict) else {}


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
