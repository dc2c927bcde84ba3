"""The rows of the architecture matrix: how to build tiny models of real architectures, read from `architectures.toml`."""

import tomllib
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

WINDOW = 16
"""The attention window of the windowed rows, in tokens."""
PROMPT_LENGTH = 38
"""Tokens of a prompt: more than two windows."""
VOCABULARY = 270
"""As many tokens as `tests.models.folders.byte_tokenizer` has."""
ABSENT = object()
"""The value of an option that leaves out an argument of `BASE`."""


class Kind(Enum):
    """What an architecture keeps of the text that it has read."""

    ORDINARY = "keys and values of the full text"
    WINDOWED = "some layers attend to a window only"
    HYBRID = "some or all layers keep a state that cannot be cut"
    NOT_CAUSAL = "not a causal language model"


ORDINARY, WINDOWED, HYBRID, NOT_CAUSAL = Kind


@dataclass(frozen=True, slots=True)
class Architecture:
    """One row: how to build a tiny model of one architecture."""

    name: str
    class_name: str
    """The model class in transformers."""
    kind: Kind
    options: dict[str, Any]
    """Passed to the config, after `BASE`."""


def _read(found: Any) -> Any:
    """A value of the table; in a table of arguments the groups that `with` names come first."""
    if isinstance(found, dict):
        groups = {key: value for name in found.get("with", ()) for key, value in _GROUPS[name].items()}
        return {key: _read(value) for key, value in {**groups, **found}.items() if key != "with"}
    return _SIGNS.get(found, found) if isinstance(found, str) else found


def _rows(part: str) -> tuple[Architecture, ...]:
    rows = {name: _read(row) for name, row in _TABLE[part].items()}
    return tuple(
        Architecture(name, row.pop("class"), Kind[row.pop("keeps").upper()], row) for name, row in rows.items()
    )


_TABLE = tomllib.loads(Path(__file__).with_name("architectures.toml").read_text("utf-8"))
_GROUPS: dict[str, dict[str, Any]] = _TABLE["groups"]
_SIGNS = {"none": None, "absent": ABSENT}
BASE: dict[str, Any] = _read(_TABLE["base"])
ROWS, FURTHER_ROWS = _rows("well_known"), _rows("further")
"""Well-known architectures; newer and rarer classes, rotary scalings, narrow windows and vision-language models."""
