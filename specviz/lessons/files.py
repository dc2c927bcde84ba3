"""The folders of lessons and of the recordings that they speak of, and the names of their files. Standard library only."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from specviz.folders import ASSETS
from specviz.words import ENGLISH

BUILT_IN = ASSETS / "lessons"
RECORDINGS = ASSETS / "traces"
VARIABLE = "SPECVIZ_LESSONS"  # the environment variable that names a person's own folder, for the page
_NAME = re.compile(r"(\d{2})-([a-z0-9]+(?:-[a-z0-9]+)*)(?:\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?))?\.md")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RECORDING = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


@dataclass(frozen=True, slots=True)
class FileName:
    """`01-editor.de.md`: number, name and language; English where it names none."""

    number: int
    name: str
    language: str


def file_name(path: Path) -> FileName | None:
    """The parts of a lesson's file name; None for another file."""
    match = _NAME.fullmatch(path.name)
    return None if match is None else FileName(int(match[1]), match[2], match[3] or ENGLISH)


def language_of(file: Path) -> str:
    """The language that a name such as `handout.de.md` has; English where it has none."""
    return file.suffixes[0][1:] if len(file.suffixes) == 2 else ENGLISH


def is_name(text: str) -> bool:
    """True for a possible name of a lesson: small letters, digits and hyphens."""
    return len(text) <= 60 and _SLUG.fullmatch(text) is not None


def own_folder() -> Path | None:
    """The folder that a person named with `specviz app --lessons`, or None."""
    folder = os.environ.get(VARIABLE)
    return Path(folder) if folder else None


def recording_file(name: str, folder: Path) -> Path | None:
    """The file of a recording: beside the lesson, else one that comes with the project; None where there is none of this name."""
    if _RECORDING.fullmatch(name) is None:
        return None
    return next((file for where in (folder, RECORDINGS) if (file := where / f"{name}.json").is_file()), None)
