"""Checks of a model folder before anything large is loaded: its configuration, and whether its weights are complete."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError, safe_open
from transformers import (
    CONFIG_MAPPING,
    MODEL_FOR_CAUSAL_LM_MAPPING,
    MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForImageTextToText,
)

from specviz.errors import ModelFolderError, brief
from specviz.folders import checked, read_header, read_json, read_text

_SINGLE_FILE = "model.safetensors"
_INDEX = "model.safetensors.index.json"
_OLD_WEIGHTS = ("pytorch_model.bin", "pytorch_model.bin.index.json")
_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt", "spiece.model", "tekken.json")
# The packages with which transformers reads quantised weights, by the method that a config names.
_PACKAGES = {
    "awq": "gptqmodel",
    "bitsandbytes": "bitsandbytes",
    "compressed-tensors": "compressed-tensors",
    "gptq": "optimum and gptqmodel",
    "hqq": "hqq",
    "quanto": "optimum-quanto",
    "torchao": "torchao",
}
# Requests of a generation config that change the text even at temperature 0, each with the value that changes nothing.
_PROCESSORS: dict[str, object] = {
    "bad_words_ids": None,
    "begin_suppress_tokens": None,
    "encoder_repetition_penalty": 1.0,
    "exponential_decay_length_penalty": None,
    "forced_bos_token_id": None,
    "forced_eos_token_id": None,
    "guidance_scale": 1.0,
    "min_length": 0,
    "min_new_tokens": 0,
    "no_repeat_ngram_size": 0,
    "repetition_penalty": 1.0,
    "sequence_bias": None,
    "suppress_tokens": None,
}
# A run needs these of a model, whatever its config was saved with.
_OUTPUTS: dict[str, Any] = {
    "return_dict": True,
    "output_attentions": False,
    "output_hidden_states": False,
    "use_cache": True,
}
# Names of a number of layers, each of which has a tensor of its own, in configs and in the headers of GGUF files.
_LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "depth", "block_count")
# Names of a number of experts, which one tensor can hold together.
_EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "expert_count")
_TABLES = 2**26  # numbers that a model computes by itself, as of positions and masks
_Loader = type[AutoModelForCausalLM] | type[AutoModelForImageTextToText]


def loader_of(folder: Path, source: str) -> _Loader:
    """The class of transformers that loads this folder's model; a vision-language model is loaded as one, for plain
    text. Raises ModelFolderError if the configuration is broken, or describes no causal language model that
    transformers knows; the message says which."""
    _check_files(folder, source)
    config = json_object(folder / "config.json", source)
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in CONFIG_MAPPING:
        if "auto_map" in config:
            raise ModelFolderError(
                f"The model in {source} needs to run its own code, which is never allowed here: choose a model type that "
                "transformers knows."
            )
        raise ModelFolderError(
            f"The model type in {source}/config.json is {kind!r}, which transformers {transformers.__version__} does not "
            "know: choose another model, or download it again."
        )
    shapes = None
    with suppress(ModelFolderError):  # weights that are missing or broken are named when they are read
        shapes = [weight.shape for weight in stored_weights(folder, source)]
    if shapes is not None and (beyond := beyond_weights(numbers_in(config), shapes)):
        raise ModelFolderError(
            f"The config.json in {source} says {beyond}: the two belong to different models, so save or download it again."
        )
    loader = loader_for(config_of(folder, source))
    if loader is None:
        raise ModelFolderError(
            f"The model in {source} has the type {kind!r}, which does not continue a text token by token: choose a "
            "causal language model."
        )
    return loader


def beyond_weights(counts: Iterable[tuple[str, object]], shapes: Sequence[tuple[int, ...]]) -> str:
    """A number of layers or experts that the stored tensors cannot have, in words; "" where there is none. A model of so many would be
    built for hours, or fill the memory, before its weights are looked for.

    Args:
        counts: names and values of a configuration; what counts neither layers nor experts is passed over.
        shapes: of all stored tensors.
    """
    widest = max((size for shape in shapes for size in shape), default=0)
    for name, value in counts:
        most = len(shapes) if name in _LAYERS else max(len(shapes), widest) if name in _EXPERTS else None
        if most is not None and isinstance(value, int | float) and value > most:
            return f"{name} {value:.0f}, and its weights are {len(shapes)} tensors"
    return ""


def numbers_in(config: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Names and values at any depth of a config."""
    for name, value in config.items():
        yield name, value
        if isinstance(value, dict):
            yield from numbers_in(value)


def beyond_numbers(loader: _Loader, config: Any, stored: int) -> str:
    """That a config describes far more numbers than the checkpoint has, in words; "" where it does not. transformers would fill the memory with
    weights of such widths before it compares shapes. Tied weights may be stored once, and tables are not stored.

    Args:
        stored: how many numbers the weights of the checkpoint are, before they were quantised.
    """
    with suppress(Exception), torch.device("meta"):  # whatever it raises, transformers will say when it loads the model
        model: Any = loader.from_config(deepcopy(config))
        described = sum(tensor.numel() for tensor in (*model.parameters(), *model.buffers()))
        if described > 2 * stored + _TABLES:
            return f"describes {described:,} numbers, and its weights have {stored:,}"
    return ""


def _check_files(folder: Path, source: str) -> None:
    """Check the files that transformers reads by itself: regular ones of bounded size. Raises ModelFolderError if one
    is not."""
    for path in sorted(folder.glob("*")):
        if path.suffix in (".json", ".jinja", ".model", ".txt") and not path.is_dir():
            try:
                checked(path)
            except OSError as error:
                raise broken(source, path.name, error) from error


def loader_for(config: Any) -> _Loader | None:
    """The class that loads models of this config; None if it is no decoder of text."""
    if config.is_encoder_decoder or config.get_text_config().is_encoder_decoder:
        return None
    loader: _Loader | None = None
    if type(config) in MODEL_FOR_CAUSAL_LM_MAPPING:
        loader = AutoModelForCausalLM
    elif type(config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        loader = AutoModelForImageTextToText
    return loader


def quantisation(folder: Path) -> str:
    """How the folder's weights are quantised, as its config says, and what that needs, in words; "" where they are not."""
    config = json_object(folder / "config.json", str(folder))
    section = config.get("quantization_config") or (config.get("text_config") or {}).get("quantization_config")
    if not isinstance(section, dict):
        return ""
    method = str(section.get("quant_method", "an unknown method"))
    package = _PACKAGES.get(method)
    return f"quantised with {method}, which needs {f'the package {package}' if package else 'support that is missing here'}"


def ignored_processors(generation_config: object) -> tuple[str, ...]:
    """The entries of a generation config, with their values, that change a text at any temperature and are not applied here."""
    values = {name: getattr(generation_config, name, None) for name in _PROCESSORS}
    return tuple(f"{name} {value}" for name, value in values.items() if value not in (None, _PROCESSORS[name]))


def written_ends(path: Path) -> frozenset[int]:
    """All ids that a configuration file names as an end of the text, at any depth; none where there is no such file."""
    ids: set[int] = set()

    def collect(pairs: list[tuple[str, Any]]) -> None:
        for value in (value for key, value in pairs if key == "eos_token_id"):
            ids.update(value if isinstance(value, list) else [value])

    with suppress(OSError, ValueError, TypeError, RecursionError):
        json.loads(read_text(path), object_pairs_hook=collect)
    return frozenset(ids)


def is_complete(folder: Path) -> bool:
    """True if a downloaded folder has all its parts: the config, every weight file and a tokenizer."""
    try:
        weights = weight_files(folder, str(folder))
    except ModelFolderError:
        return False
    parts = ["config.json", *weights]
    return all((folder / name).is_file() for name in parts) and any((folder / name).is_file() for name in _TOKENIZERS)


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
    """All weights, read from the headers of the weight files alone. Raises ModelFolderError if a weight file is missing
    or truncated."""
    weights = []
    for name in weight_files(folder, source):
        if Path(name).name != name or not (folder / name).is_file():
            if any((folder / old).is_file() for old in _OLD_WEIGHTS):
                raise ModelFolderError(
                    f"The weights in {source} are pytorch_model.bin files, which can hold code and are not read: load the model "
                    "with transformers once and save it with save_pretrained, which writes safetensors."
                )
            raise ModelFolderError(
                f"The model folder {source} has no {name} (only safetensors weights are read): save or download it again."
            )
        try:
            weights += _of_file(folder / name)
        except (SafetensorError, OSError, ValueError, LookupError, TypeError) as error:
            raise broken(source, name, error) from error
    return weights


def _of_file(path: Path) -> list[StoredWeight]:
    """The weights of one file. One that is larger than what this machine can map into memory is not mapped: its header alone is read."""
    try:
        with safe_open(path, framework="pt") as tensors:
            slices = [(key, tensors.get_slice(key)) for key in tensors.keys()]  # noqa: SIM118  # it is not a dict
            return [StoredWeight(key, tuple(header.get_shape()), header.get_dtype()) for key, header in slices]
    except RuntimeError:
        header = read_header(path)
        header.pop("__metadata__", None)
        return [
            StoredWeight(key, tuple(map(int, entry["shape"])), str(entry["dtype"])) for key, entry in header.items()
        ]


def weight_files(folder: Path, source: str) -> list[str]:
    """The names of the weight files, whether they exist or not. Raises ModelFolderError if the index of the weight
    files is broken."""
    if (folder / _SINGLE_FILE).is_file() or not (folder / _INDEX).is_file():
        return [_SINGLE_FILE]
    table = json_object(folder / _INDEX, source).get("weight_map")
    if not isinstance(table, dict):
        raise broken(source, _INDEX, TypeError("it has no weight_map"))
    return sorted({str(name) for name in table.values()})


def broken(source: str, part: str, error: Exception) -> ModelFolderError:
    """The error for a part of a model folder that cannot be read, with a short reason."""
    return ModelFolderError(f"The {part} in {source} could not be read ({brief(error)}): save or download it again.")


def config_of(folder: Path, source: str) -> Any:
    """The folder's configuration, without what it wishes of the run: which attention kernel, which further outputs.
    Raises ModelFolderError if it is broken."""
    try:
        config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False, **_OUTPUTS)
    except Exception as error:
        raise broken(source, "config.json", error) from error
    config._attn_implementation = config._experts_implementation = None  # their setters reach the configs inside too
    return config


def json_object(path: Path, source: str) -> dict[str, Any]:
    """A file of a model's folder that is one JSON object. Raises ModelFolderError if it is not."""
    try:
        value = read_json(path)
    except (OSError, ValueError) as error:
        raise broken(source, path.name, error) from error
    if not isinstance(value, dict):
        raise broken(source, path.name, TypeError("it is not a JSON object"))
    return value
