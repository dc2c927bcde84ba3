"""Where lessons and the recordings they speak of are, and what a lesson's file is called. Standard library only."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from specviz.folders import ASSETS

BUILT_IN = ASSETS / "lessons"
RECORDINGS = ASSETS / "traces"
_DOCS = ASSETS if (ASSETS / "teaching.md").is_file() else ASSETS.parent / "docs"
TEACHING = _DOCS / "teaching.md"
"""The teacher's page. Other languages are beside it, such as `teaching.de.md`, and have only the parts that need no engine:"""
TAUGHT = ("A plan for 45 minutes", "Which chapter for whom", "Questions that rooms ask", "Exercises")
VARIABLE = "SPECVIZ_LESSONS"
"""The environment variable that names a person's own folder, for the page."""
ENGLISH = "en"
_NAME = re.compile(r"(\d{2})-([a-z0-9]+(?:-[a-z0-9]+)*)(?:\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?))?\.md")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RECORDING = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


@dataclass(frozen=True, slots=True)
class FileName:
    """`03-editor.de.md`: number, name and language; English where it names none."""

    number: int
    name: str
    language: str


def file_name(path: Path) -> FileName | None:
    """What a file's name says; None where it is not a lesson's."""
    found = _NAME.fullmatch(path.name)
    return None if found is None else FileName(int(found[1]), found[2], found[3] or ENGLISH)


def is_name(text: str) -> bool:
    """Whether a lesson may be called so: small letters, digits and hyphens."""
    return len(text) <= 60 and _SLUG.fullmatch(text) is not None


def own_folder() -> Path | None:
    """The folder that a person named with `specviz app --lessons`, or None."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def recording_file(name: str, folder: Path) -> Path | None:
    """The file of a recording: beside the lesson, else one that comes with the project; None where there is none of this name."""
    if _RECORDING.fullmatch(name) is None:
        return None
    return next((file for where in (folder, RECORDINGS) if (file := where / f"{name}.json").is_file()), None)
