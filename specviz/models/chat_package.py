"""The chat model out of its installed package: a GGUF file of 4-bit weights, dequantised once into the cache, afterwards loaded like any other folder.

transformers reads the file (`gguf_file=`). The matrices are rounded to the nearest float16: that is the model from then on, also for
transformers, which loads the same folder. A dequantised weight is a product of a 16-bit scale and a small number; rounding changes it by
at most 1/2048 of itself, far less than its quantisation did, and a matrix in half precision is read twice as fast.
"""

import hashlib
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
import torch
import transformers
from safetensors import SafetensorError
from tokenizers import pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast

from specviz.errors import ModelFolderError, brief
from specviz.folders import cache_folder, read_object
from specviz.known_pairs import CHAT_REPAIR
from specviz.models.quiet import quiet

# A callback that receives the current step and, where it is known, the share of it that is done (0 to 1).
Progress = Callable[[str, float | None], None]

WEIGHTS = "4-bit weights, dequantised to float16"
_NOTE = "specviz-gguf.json"
# Part of the name of each folder: raised when what is written changes, so that older folders are not used.
_LAYOUT = 6
_DIGITS = 12  # of a hash, in names and on the card


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the weights of a converted folder come from.

    Attributes:
        revision: the first digits of the file's SHA-256.
        sizes: bytes of every other file in the folder.
    """

    revision: str
    sizes: dict[str, int]


def convert(path: Path, report: Progress) -> Path:
    """The folder with this file's model as transformers stores one: config, dequantised weights, tokenizer and template.

    The first call converts it, which takes some seconds; the next ones find the folder. A conversion that was interrupted leaves nothing
    that a later call would take for a model. Raises ModelFolderError if the file is damaged, or the disk is full.
    """
    folder = _folder(path)
    if _is_whole(folder):
        return folder
    half = _begin()
    try:
        _dequantise(path, half, report)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        origin = Origin(digest[:_DIGITS], {file.name: file.stat().st_size for file in half.iterdir()})
        (half / _NOTE).write_text(json.dumps(asdict(origin)), encoding="utf-8")
        _put(half, folder)
    except OSError as error:
        raise _no_room(error) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return folder


def converted_folder(path: Path) -> Path | None:
    """This file's folder in the cache; None where it is not converted yet."""
    return folder if _is_whole(folder := _folder(path)) else None


def origin_of(folder: Path) -> Origin | None:
    """Where a converted folder comes from; None for any other folder."""
    try:
        origin = Origin(**read_object(folder / _NOTE))
    except TypeError:
        return None
    return origin if isinstance(origin.revision, str) and isinstance(origin.sizes, dict) else None


def _store() -> Path:
    return cache_folder() / "gguf"


def _folder(path: Path) -> Path:
    """Named after the file's stamp: its size, its number on the disk, and its times, so that another file in its place is another model."""
    status = path.stat()
    stamp = repr((status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns))
    return _store() / f"{hashlib.sha256(stamp.encode()).hexdigest()[:_DIGITS]}-{_LAYOUT}"


def _is_whole(folder: Path) -> bool:
    """True if every file of a converted folder is there in its full size."""
    origin = origin_of(folder)
    try:
        return origin is not None and all((folder / name).stat().st_size == n for name, n in origin.sizes.items())
    except OSError:
        return False


def _put(half: Path, folder: Path) -> None:
    """Give a finished conversion its name, unless another process has converted the same file meanwhile and may be
    reading it. Raises OSError if the folder cannot be written."""
    try:
        half.rename(folder)
    except OSError:
        if not _is_whole(folder):
            shutil.rmtree(folder, ignore_errors=True)
            half.rename(folder)


def _begin() -> Path:
    """An empty folder for one conversion, in the cache; what conversions that were killed left there is deleted. Raises
    ModelFolderError if the cache cannot be written to."""
    store, machine = _store(), platform.node()
    try:
        store.mkdir(parents=True, exist_ok=True)
        for folder in store.glob(f".half-{machine}-*"):
            process = folder.name.removeprefix(f".half-{machine}-").partition("-")[0]
            if process.isdecimal() and not psutil.pid_exists(int(process)):
                shutil.rmtree(folder, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=f".half-{machine}-{os.getpid()}-", dir=store))
    except OSError as error:
        raise _no_room(error) from error


def _no_room(error: OSError) -> ModelFolderError:
    return ModelFolderError(
        f"The dequantised weights of the chat model could not be written to the cache ({brief(error, 80)}): free some space there, or set "
        "SPECVIZ_CACHE to another folder."
    )


@quiet()
def _dequantise(path: Path, folder: Path, report: Progress) -> None:
    """Write the model of the file into an empty folder. Raises ModelFolderError if the file is damaged; OSError if the folder cannot be
    written to."""
    try:
        report(f"reading the tokenizer in {path.name}", None)
        tokenizer = _with_single_digits(AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name))
        report(f"dequantising {path.name}, once", None)
        model = AutoModelForCausalLM.from_pretrained(
            path.parent,
            dtype=torch.float32,
            device_map="cpu",
            quantization_config=transformers.GgufConfig(dequantize=True),
            gguf_file=path.name,
        )
    except Exception as error:
        raise ModelFolderError(
            f"The chat model's file {path} could not be read ({brief(error)}): bring it again with `{CHAT_REPAIR}`."
        ) from error
    for weight in model.parameters():
        if weight.dim() > 1:  # the rest is small
            weight.data = weight.data.half()
    model.hf_quantizer, model.is_quantized = None, False
    report(f"storing the weights of {path.name}", None)
    with _as_os_errors():
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)


def _with_single_digits(tokenizer: PreTrainedTokenizerFast) -> PreTrainedTokenizerFast:
    """The chat model's tokenizer separates digits before its merges, which transformers does not read from the file."""
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return tokenizer


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Where a file cannot be written, safetensors raises an error of its own, and tokenizers a bare Exception: OSError here."""
    try:
        yield
    except Exception as error:
        if isinstance(error, SafetensorError) or type(error) is Exception:
            raise OSError(str(error)) from error
        raise
