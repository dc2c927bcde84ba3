"""Tiny models of real architectures with random weights, built by name: the rows of the architecture matrix, `architectures.toml`."""

import tomllib
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import PreTrainedModel

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
WELL_KNOWN: dict[str, Architecture] = {row.name: row for row in _rows("well_known")}
ARCHITECTURES = {**WELL_KNOWN, **{row.name: row for row in _rows("further")}}
"""Well-known architectures; and newer and rarer classes, rotary scalings, narrow windows and vision-language models."""
NOISE = 0.04
"""Share of each weight tensor's standard deviation that `near` adds as noise."""


def build(name: str, seed: int = 0) -> PreTrainedModel:
    """The tiny model of this row with random weights: float32, on the CPU, in evaluation mode."""
    row = ARCHITECTURES[name]
    chosen = getattr(transformers, row.class_name)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model: PreTrainedModel = chosen(chosen.config_class(**described(row))).eval()
    return model


def described(row: Architecture) -> dict[str, Any]:
    """The arguments of this row's config; of a model with a text part, `BASE` describes that part."""
    if "text_config" in row.options:
        return {**row.options, "text_config": {**BASE, **row.options["text_config"]}}
    return {key: value for key, value in {**BASE, **row.options}.items() if value is not ABSENT}


def near(model: PreTrainedModel, seed: int = 0) -> PreTrainedModel:
    """The same model with a little noise on every weight: a draft that is sometimes accepted and sometimes not."""
    moved = deepcopy(model)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in moved.parameters():
            scale = weight.std() if weight.numel() > 1 else weight.abs().mean()
            weight.add_(NOISE * scale * torch.randn(weight.shape, generator=generator))
    return moved


def prompt(seed: int = 0) -> list[int]:
    """`PROMPT_LENGTH` token ids without the two special ones."""
    generator = torch.Generator().manual_seed(seed)
    return [int(i) for i in torch.randint(2, VOCABULARY, (PROMPT_LENGTH,), generator=generator)]
