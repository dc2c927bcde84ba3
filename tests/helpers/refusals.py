"""What cannot be done is one sentence; and how the files of a folder are damaged."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file
from torch import Tensor

Damage = Callable[[Path], object]
"""Something done to a folder."""


def refusal(kind: type[Exception], function: Callable[..., object], *given: Any, **options: Any) -> str:
    """The message of the error that this call ends with, which must be of exactly this class and one short sentence."""
    with pytest.raises(kind) as caught:
        function(*given, **options)
    assert type(caught.value) is kind
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert not sentence.removesuffix("....").endswith(".."), "but for a long value, which ends with dots"
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert len(sentence.encode()) < 500
    return sentence


def edit_json(file: Path, **changes: Any) -> None:
    """Change values of a JSON object."""
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def edited(name: str = "config.json", **changes: Any) -> Damage:
    """Other values in this JSON file."""
    return lambda folder: edit_json(folder / name, **changes)


def reweighted(change: Callable[[dict[str, Tensor]], object], name: str = "model.safetensors") -> Damage:
    """Other tensors in this file."""

    def rewrite(folder: Path) -> None:
        tensors = load_file(folder / name)
        change(tensors)
        save_file(tensors, folder / name, metadata={"format": "pt"})

    return rewrite


def cut(name: str, end: int) -> Damage:
    """This file is there up to this byte."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:end])


def endless(name: str) -> Damage:
    """A device without an end in the place of this file."""

    def replace(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")

    return replace


def large(name: str) -> Damage:
    """A file of 200 MB, of which the disk stores nothing."""
    return lambda folder: os.truncate(folder / name, 200_000_000)
