"""Checks of a model folder before anything large is loaded: its configuration, and whether its weights are complete."""

import json
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import transformers
from safetensors import SafetensorError, safe_open
from transformers import CONFIG_MAPPING, MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig

from specviz.errors import ModelFolderError

_SINGLE_FILE = "model.safetensors"
_INDEX = "model.safetensors.index.json"


def check_kind(folder: Path, source: str) -> None:
    """Check that the folder's configuration describes a causal language model that transformers knows.

    Raises:
        ModelFolderError: it does not, or it is broken; the message says which.
    """
    described = _json(folder / "config.json", source)
    kind = described.get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        if "auto_map" in described:
            raise ModelFolderError(
                f"The model in {source} needs to run its own code, which is never allowed here: choose a model type that "
                "transformers knows."
            )
        raise ModelFolderError(
            f"The model type in {source}/config.json is {kind!r}, which transformers {transformers.__version__} does not "
            "know: choose another model, or download it again."
        )
    try:
        config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    except Exception as error:
        raise broken(source, "config.json", error) from error
    if config.is_encoder_decoder or type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
        raise ModelFolderError(
            f"The model in {source} has the type {kind!r}, which does not continue a text token by token: choose a "
            "causal language model."
        )


@dataclass(frozen=True, slots=True)
class StoredWeight:
    """A tensor of a weight file; `dtype` is the file's own name of its format, such as F32 or BF16."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def stored_weights(folder: Path, source: str) -> list[StoredWeight]:
    """All weights, read from the headers of the weight files alone.

    Raises:
        ModelFolderError: a weight file is missing or truncated.
    """
    found = []
    for name in weight_files(folder, source):
        if Path(name).name != name or not (folder / name).is_file():
            raise ModelFolderError(
                f"The model folder {source} has no {name} (only safetensors weights are read): save or download it again."
            )
        try:
            with safe_open(folder / name, framework="pt") as tensors:
                for key in tensors.keys():  # noqa: SIM118  # it is not a dict
                    header = tensors.get_slice(key)
                    found.append(StoredWeight(key, tuple(header.get_shape()), header.get_dtype()))
        except (SafetensorError, OSError) as error:
            raise broken(source, name, error) from error
    return found


def weight_files(folder: Path, source: str) -> list[str]:
    """The names of the weight files, whether they exist or not.

    Raises:
        ModelFolderError: the index of the weight files is broken.
    """
    if (folder / _SINGLE_FILE).is_file() or not (folder / _INDEX).is_file():
        return [_SINGLE_FILE]
    table = _json(folder / _INDEX, source).get("weight_map")
    if not isinstance(table, dict):
        raise broken(source, _INDEX, TypeError("it has no weight_map"))
    return sorted({str(name) for name in table.values()})


def broken(source: str, what: str, error: Exception) -> ModelFolderError:
    """The error for a part of a model folder that cannot be read, with a short reason."""
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return ModelFolderError(f"The {what} in {source} could not be read ({reason}): save or download it again.")


def _json(path: Path, source: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise broken(source, path.name, error) from error
    if not isinstance(value, dict):
        raise broken(source, path.name, TypeError("it is not a JSON object"))
    return value
