"""A look into a model folder before anything large is read: what it says it is, and whether its weights are whole."""

import json
from pathlib import Path
from typing import Any

import transformers
from safetensors import SafetensorError, safe_open
from transformers import CONFIG_MAPPING, MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig

from specviz.errors import ModelFolderError

_WHOLE = "model.safetensors"
_INDEX = "model.safetensors.index.json"


def check_kind(folder: Path, source: str) -> None:
    """Refuse a folder whose configuration is broken, or describes no causal language model of transformers.

    Raises:
        ModelFolderError: says which it is.
    """
    described = _json(folder / "config.json", source)
    kind = described.get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        if "auto_map" in described:
            raise ModelFolderError(
                f"The model in {source} wants to run code of its own, which is never done here: choose a model of a kind "
                "that transformers knows."
            )
        raise ModelFolderError(
            f"The config.json in {source} says its model type is {kind!r}, which transformers {transformers.__version__} "
            "does not know: choose another model, or download it again."
        )
    try:
        config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    except Exception as error:
        raise broken(source, "config.json", error) from error
    if config.is_encoder_decoder or type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
        raise ModelFolderError(
            f"The model in {source} is of the kind {kind!r}, which does not continue a text token by token: choose a "
            "causal language model."
        )


def count_parameters(folder: Path, source: str) -> int:
    """How many numbers the weights hold, from the files' headers alone.

    Raises:
        ModelFolderError: a file of weights is missing or cut short.
    """
    total = 0
    for name in weight_files(folder, source):
        if Path(name).name != name or not (folder / name).is_file():
            raise ModelFolderError(
                f"The model folder {source} has no {name} (weights are read as safetensors only): save or download it again."
            )
        try:
            with safe_open(folder / name, framework="pt") as tensors:
                for key in tensors.keys():  # noqa: SIM118  # it is no dict
                    total += _product(tensors.get_slice(key).get_shape())
        except (SafetensorError, OSError) as error:
            raise broken(source, name, error) from error
    return total


def weight_files(folder: Path, source: str) -> list[str]:
    """The names of the files that hold the weights, whether they are there or not.

    Raises:
        ModelFolderError: the list of them is broken.
    """
    if (folder / _WHOLE).is_file() or not (folder / _INDEX).is_file():
        return [_WHOLE]
    table = _json(folder / _INDEX, source).get("weight_map")
    if not isinstance(table, dict):
        raise broken(source, _INDEX, TypeError("it names no files"))
    return sorted({str(name) for name in table.values()})


def broken(source: str, what: str, error: Exception) -> ModelFolderError:
    """The refusal of a part of a folder that cannot be read, with the reason in brief."""
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return ModelFolderError(f"The {what} in {source} could not be read ({reason}): save or download it again.")


def _json(path: Path, source: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise broken(source, path.name, error) from error
    if not isinstance(value, dict):
        raise broken(source, path.name, TypeError("it holds no object"))
    return value


def _product(shape: list[int]) -> int:
    product = 1
    for size in shape:
        product *= size
    return product
